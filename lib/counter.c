/*
 * Sets of counters and what became of them; see counter.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counter.h"
#include "event.h"

static const char default_events[] =
    "task-clock,cpu-migrations,cycles,instructions,branches,branch-misses";

static bool is_software(const struct perf_event_attr *attr, uint64_t config)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == config;
}

static int add_one(struct counter_set *set, const char *name, bool asked, struct fault *f)
{
	struct counter c = { .name = str_copy(name), .unit = "1", .asked = asked };
	struct event_code code;

	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->counter[i].name, name) == 0) {
			free(c.name);
			return 0;
		}
	if (event_encode(name, &code, f) < 0) {
		free(c.name);
		return -1;
	}
	c.attr = (struct perf_event_attr){ .size = sizeof(c.attr),
		.type = code.type,
		.config = code.config,
		.config1 = code.config1,
		.config2 = code.config2,
		.exclude_user = code.exclude_user,
		.exclude_kernel = code.exclude_kernel,
		.exclude_hv = code.exclude_hv };
	bool clock = is_software(&c.attr, PERF_COUNT_SW_TASK_CLOCK) ||
	             is_software(&c.attr, PERF_COUNT_SW_CPU_CLOCK);
	if (clock)
		c.unit = "ns";
	/* Switches and migrations happen in the kernel: without it they would read 0. */
	c.user_only_counts = c.attr.type != PERF_TYPE_SOFTWARE || clock ||
	                     is_software(&c.attr, PERF_COUNT_SW_PAGE_FAULTS) ||
	                     is_software(&c.attr, PERF_COUNT_SW_PAGE_FAULTS_MIN) ||
	                     is_software(&c.attr, PERF_COUNT_SW_PAGE_FAULTS_MAJ);
	*VEC_ADD(set->counter, set->count, set->cap) = c;
	return 0;
}

int counter_add(struct counter_set *set, const char *list, bool asked, struct fault *f)
{
	for (const char *p = list;; p++) {
		size_t len = strcspn(p, ",");
		char *name = mem_text(p, len);
		int status = len ? add_one(set, name, asked, f)
		                 : fault_set(f, "'%s': an event has no name", list);

		free(name);
		if (status < 0)
			return -1;
		p += len;
		if (!*p)
			return 0;
	}
}

int counter_add_default(struct counter_set *set, struct fault *f)
{
	return counter_add(set, default_events, false, f);
}

void counter_opened(struct counter_set *set, size_t i, int error, bool user_only)
{
	struct counter *c = &set->counter[i];

	c->error = error;
	c->state = !error                              ? COUNTER_READY
	           : error == EACCES || error == EPERM ? COUNTER_DENIED
	                                               : COUNTER_UNSUPPORTED;
	c->user_only = user_only && !error;
	if (c->user_only) {
		char *name = str_format("%s:u", c->name);

		free(c->name);
		c->name = name;
	}
}

const char *counter_status(const struct counter *c)
{
	static const char *const names[] = { [COUNTER_READY] = "ok",
		[COUNTER_UNSUPPORTED] = "unsupported",
		[COUNTER_DENIED] = "denied" };

	return names[c->state];
}

static bool is_denied(const struct counter *c)
{
	return c->state == COUNTER_DENIED;
}

static bool is_user_only(const struct counter *c)
{
	return c->user_only;
}

static bool is_unsupported(const struct counter *c)
{
	return c->state == COUNTER_UNSUPPORTED;
}

bool counter_explain(const struct counter_set *set, struct buf *out)
{
	static const struct {
		bool (*is)(const struct counter *c);
		const char *why;
	} shortcoming[] = {
		{ is_denied, "permission denied (lower kernel.perf_event_paranoid or grant "
		             "CAP_PERFMON; see bench-env --check)" },
		{ is_user_only,
		    "counted in user mode only (kernel.perf_event_paranoid keeps the "
		    "kernel's part; see bench-env --check)" },
		{ is_unsupported,
		    "this machine cannot count them (no such hardware counter, or a "
		    "virtual machine without one)" },
	};

	for (size_t k = 0; k < COUNT(shortcoming); k++) {
		bool any = false;

		for (size_t i = 0; i < set->count; i++)
			if (shortcoming[k].is(&set->counter[i])) {
				buf_printf(out, "%s%s",
				    any        ? ", "
				    : out->len ? "; "
				               : "",
				    set->counter[i].name);
				any = true;
			}
		if (any)
			buf_printf(out, ": %s", shortcoming[k].why);
	}
	return out->len > 0;
}

void counter_free(struct counter_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->counter[i].name);
	free(set->counter);
	*set = (struct counter_set){ 0 };
}
