/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sample of a subject on its way to rows of bench-csv(5), the same for commands,
 * functions, kernels and models: which sample it is, how it ended, and its values in the
 * order of their rows. Whoever measured something adds values; sample_writer.h writes them.
 */
#ifndef RUN_RUN_SAMPLE_H
#define RUN_RUN_SAMPLE_H

#include "counters/counter.h"
#include "counters/usage.h"
#include "protocol/run_metric.h"
#include "protocol/spawn_proto.h"
#include "record/record.h"
#include "run/run_status.h"
#include "subject/subject.h"

/* One row. */
struct sample_value {
	const char *metric, *unit;
	double value; /* NAN: none */
	struct run_status status;
	uint64_t iterations;   /* that it is the mean of; 0: the field is empty */
	double running_pct;    /* share of the time in which a counter counted: 100 */
	int64_t t_ns;          /* after the start of the run; ROW_NONE: of all of it */
	int64_t worker;        /* ROW_NONE: of all of them */
	const char *operation; /* NULL: of all of them */
	const char *device;    /* a graphics card; NULL: none */
};

struct run_sample {
	const struct subject *subject;
	int64_t process, number; /* ROW_NONE: the field is empty */
	uint64_t iterations;     /* of its values */
	int64_t begin_ns;        /* CLOCK_REALTIME */
	struct run_status status;
	struct sample_value *value;
	size_t values, cap;
};

/* Begins another sample: number 0 of no process, of one iteration, ok, without values. What
 * was zeroed once may be used again and again. */
void run_sample_begin(struct run_sample *s, const struct subject *subject);
void run_sample_free(struct run_sample *s);

/* Adds a value with the status and the iterations of the sample, which the caller may
 * change. It moves when the next one is added. Texts are not copied. */
struct sample_value *run_sample_add(struct run_sample *s, enum run_metric m, double value);
struct sample_value *run_sample_add_named(
    struct run_sample *s, const char *metric, const char *unit, double value);

/* Adds the values of the kernel's accounting for a command, except metrics that a counter
 * of the set measures. */
void run_sample_add_usage(
    struct run_sample *s, const struct counter_set *set, const double usage[USAGES]);
/* Adds the counters (counts by counter) and what is derived from them and usage. Each is
 * divided by the iterations. */
void run_sample_add_counts(struct run_sample *s, const struct counter_set *set,
    const struct wire_count *counts, const double usage[USAGES]);
/*
 * Adds, without a value, each counter that was asked for by name and cannot be read, unless
 * the kernel's accounting has a metric of that name. If gpu_absent, also adds the metrics
 * of graphics cards as unsupported.
 */
void run_sample_add_absent(
    struct run_sample *s, const struct counter_set *set, bool gpu_absent);
/* Adds whether the sample is ok. */
void run_sample_add_ok(struct run_sample *s);

#endif
