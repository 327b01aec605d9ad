/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns options into a plan; see plan.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "run/output_drain.h"
#include "run/plan.h"
#include "sys/idle.h"
#include "sys/usable_cpus.h"
#include "text/number_set.h"
#include "text/units.h"

/* Default times: least measured time, and limits of a sample. */
static const double command_min_ns = 3e9, function_min_ns = 5e8, function_timeout_ns = 60e9,
                    compute_timeout_ns = 600e9;

static int read_success(struct plan *p, const char *success, struct fault *f)
{
	p->fine[0] = !success;
	if (success && strcmp(success, "any") == 0)
		memset(p->fine, true, sizeof(p->fine));
	else if (success && number_set_parse(success, p->fine, EXIT_CODES, f) < 0)
		return fault_prefix(f, "--success");
	return 0;
}

static int read_output(struct plan *p, const char *stdout_to, struct fault *f)
{
	if (p->output == OUTPUT_CAPTURE)
		return 0;
	if (!stdout_to || strcmp(stdout_to, "null") == 0)
		p->output = OUTPUT_FILE;
	else if (strcmp(stdout_to, "inherit") == 0)
		p->output = OUTPUT_INHERIT;
	else if (strcmp(stdout_to, "pipe") != 0)
		p->stdout_path = stdout_to;
	else if (!(p->stdout_path = output_drain_open(f)))
		return fault_prefix(f, "--stdout");
	return 0;
}

static void read_seed(struct plan *p, const uint64_t *seed)
{
	if (seed) {
		p->seed = *seed;
		return;
	}
	if (getrandom(&p->seed, sizeof(p->seed), GRND_NONBLOCK) < 0)
		p->seed = (uint64_t)getpid();
	p->seed >>= 32; /* short enough to type */
}

static int read_rules(struct plan *p, struct stop_opts stop, struct fault *f)
{
	stop.default_min_ns = stop.until_decided ? 0 : command_min_ns;
	if (stop_rule_make(&stop, &p->stop, f) < 0)
		return -1;
	stop.default_min_ns = function_min_ns;
	return stop_rule_make(&stop, &p->function_stop, f);
}

/* Reads a list of processors, which must all exist and be allowed. */
static int read_cpus(struct plan *p, const char *list, struct fault *f)
{
	bool *usable = mem_zero(CPUS_MAX, sizeof(*usable));
	struct buf b = { 0 };
	cpu_set_t may;
	int status = number_set_cpus(list, &p->cpus, f);

	if (status == 0 && usable_cpus(&may)) {
		CPU_AND(&may, &may, &p->cpus);
		if (!CPU_EQUAL(&may, &p->cpus) && usable_cpus(&may)) {
			for (size_t i = 0; i < CPU_SETSIZE; i++)
				usable[i] = CPU_ISSET(i, &may);
			cpu_list_put(&b, usable);
			status = fault_set(f,
			    "%s has processors that do not exist or may not be used (there "
			    "are: %s)",
			    list, b.ptr);
		}
	}
	buf_free(&b);
	free(usable);
	return status;
}

int plan_read(struct plan *p, const struct plan_opts *o, struct fault *f)
{
	p->idle_load = -1;
	p->function_timeout_ns = o->timeout_ns ? *o->timeout_ns : function_timeout_ns;
	p->compute_timeout_ns = o->timeout_ns ? *o->timeout_ns : compute_timeout_ns;
	p->timeout_ns = o->timeout_ns ? *o->timeout_ns : 0;
	p->confined = o->cpu != NULL;
	if (read_rules(p, o->stop, f) < 0)
		return -1;
	if (o->cpu && read_cpus(p, o->cpu, f) < 0)
		return fault_prefix(f, "--cpu");
	if (o->order && order_parse(o->order, &p->order, f) < 0)
		return fault_prefix(f, "--order");
	if (o->timeout_ns && !(*o->timeout_ns >= 1))
		return fault_set(f, "--timeout must be at least 1ns");
	if (o->wait_idle &&
	    (!number_parse(text_of(o->wait_idle), &p->idle_load) || p->idle_load <= 0))
		return fault_set(
		    f, "--wait-idle: '%s' is not a number above 0", o->wait_idle);
	read_seed(p, o->seed);
	if (read_output(p, o->stdout_to, f) < 0)
		return -1;
	return read_success(p, o->success, f);
}

bool plan_wait_idle(const struct plan *p)
{
	return p->idle_load < 0 || idle_wait(p->idle_load);
}

void plan_fit_memory(struct plan *p, struct buf *notes)
{
	bool computes = false;

	for (size_t i = 0; i < p->subjects->count; i++) {
		const struct subject *s = &p->subjects->subject[i];

		computes =
		    computes || s->from->kind == KIND_KERNEL || s->from->kind == KIND_MODEL;
	}
	if (!computes || p->order == ORDER_SEQUENTIAL || computes_fit(p->subjects))
		return;
	p->order = ORDER_SEQUENTIAL;
	buf_str(notes, "the subjects do not fit into memory together: measuring them one "
	               "after the other (--order sequential)\n");
}

struct stop_rule plan_stop_rule(const struct plan *p, size_t subject)
{
	struct stop_rule rule = p->stop;

	if (p->subjects->subject[subject].from->runs)
		rule.runs = p->subjects->subject[subject].from->runs;
	return rule;
}
