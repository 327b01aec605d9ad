/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics of workers; see workers.h. Subjects that differ only in the number of workers
 * are a family, and one of them is sequential.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "run/speedup.h"
#include "run/workers.h"

struct workers {
	const struct subjects *subjects;
	bool workers, threads;
	size_t *family;     /* by subject */
	double *sequential; /* by family: throughput of one worker in this round, or NAN */
};

uint32_t workers_of(const struct subject *s)
{
	return s->workers * s->threads;
}

/*
 * Makes the key of a subject's family: all factors except the number of workers, and
 * except the devices that the workers use (subjects on other devices have another
 * template).
 */
static void put_key(const struct workers *w, struct buf *key, const struct subject *s)
{
	key->len = 0;
	buf_put(key, (const char *)&s->from, sizeof(s->from));
	buf_byte(key, s->aa);
	for (size_t i = 0; i < s->factors; i++)
		if (!(w->workers && strcmp(s->factor[i].name, "workers") == 0) &&
		    !(w->threads && strcmp(s->factor[i].name, "threads") == 0) &&
		    !(s->work && strcmp(s->factor[i].name, "device") == 0))
			buf_put(key, s->factor[i].value, strlen(s->factor[i].value) + 1);
}

struct workers *workers_open(const struct subjects *subjects, bool workers, bool threads)
{
	struct workers *w = mem_zero(1, sizeof(*w));
	struct intern seen = { 0 };
	struct buf key = { 0 };

	*w = (struct workers){ .subjects = subjects,
		.workers = workers,
		.threads = threads,
		.family = mem_zero(subjects->count, sizeof(*w->family)),
		.sequential = mem_zero(subjects->count, sizeof(*w->sequential)) };
	for (size_t i = 0; i < subjects->count; i++) {
		put_key(w, &key, &subjects->subject[i]);
		w->family[i] = intern_add(&seen, text_in(&key));
	}
	intern_free(&seen);
	buf_free(&key);
	return w;
}

void workers_close(struct workers *w)
{
	if (!w)
		return;
	free(w->family);
	free(w->sequential);
	free(w);
}

/* Returns the throughput of a command's last execution; NAN if it failed. */
static double throughput_of(const struct runner *r, const struct workers *w, size_t i)
{
	return run_is_ok(runner_status(r, i))
	           ? speedup_throughput(w->subjects->subject[i].workers,
	                 (double)runner_result(r, i)->wall_ns)
	           : NAN;
}

void workers_forget(struct workers *w)
{
	for (size_t i = 0; w && i < w->subjects->count; i++)
		w->sequential[i] = NAN;
}

void workers_note(struct workers *w, size_t subject, double throughput)
{
	if (w && workers_of(&w->subjects->subject[subject]) == 1)
		w->sequential[w->family[subject]] = throughput;
}

double workers_speedup(const struct workers *w, size_t subject, double throughput)
{
	return w ? speedup_of(throughput, w->sequential[w->family[subject]]) : NAN;
}

void workers_round(struct workers *w, struct runner *r)
{
	workers_forget(w);
	for (size_t i = 0; w && i < w->subjects->count; i++)
		if (runner_ran(r, i))
			workers_note(w, i, throughput_of(r, w, i));
}

void workers_add_speedup(struct run_sample *s, double speedup)
{
	if (isnan(speedup))
		return;
	run_sample_add(s, METRIC_SPEEDUP, speedup);
	run_sample_add(
	    s, METRIC_EFFICIENCY, speedup_efficiency(speedup, workers_of(s->subject)));
}

void workers_add_init(struct run_sample *s, double rate, double speedup)
{
	if (isnan(rate))
		return;
	run_sample_add(s, METRIC_INIT_RATE, rate);
	if (isnan(speedup))
		return;
	run_sample_add(s, METRIC_INIT_SPEEDUP, speedup);
	run_sample_add(
	    s, METRIC_INIT_EFFICIENCY, speedup_efficiency(speedup, workers_of(s->subject)));
}

void workers_add_wall(struct run_sample *s, uint32_t worker, double wall_ns)
{
	run_sample_add(s, METRIC_WORKER_WALL, wall_ns)->worker = worker;
}

void workers_add(
    const struct workers *w, const struct runner *r, size_t subject, struct run_sample *s)
{
	const struct wire_worker *worker = runner_workers(r, subject);
	const struct wire_result *result = runner_result(r, subject);
	double throughput;

	if (!w)
		return;
	throughput = throughput_of(r, w, subject);
	run_sample_add(s, METRIC_THROUGHPUT, throughput);
	workers_add_speedup(s, workers_speedup(w, subject, throughput));
	for (uint32_t k = 0; k < s->subject->workers; k++)
		workers_add_wall(s, k,
		    usage_wall_unknown(result) ? (double)NAN
		    : worker                   ? (double)worker[k].wall_ns
		                               : (double)result->wall_ns);
}
