/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sample of a subject before it is written as rows of bench-csv(5), in the same form
 * for commands, functions, kernels and models: the number of the sample, its status,
 * and its values in the order of their rows. The modules that measure add values;
 * sample_writer.h writes them.
 */
#ifndef SAMPLE_RUN_SAMPLE_H
#define SAMPLE_RUN_SAMPLE_H

#include "counters/counter.h"
#include "counters/usage.h"
#include "protocol/run_metric.h"
#include "protocol/spawn_proto.h"
#include "record/record.h"
#include "record/run_status.h"
#include "subject/subject.h"

/* One row. */
struct sample_value {
	const char *metric, *unit;
	double value; /* NAN: none */
	struct run_status status;
	uint64_t
	    iterations; /* the value is the mean of this number; 0: the field is empty */
	double running_pct; /* percentage of the time in which a counter counted */
	int64_t t_ns;       /* since the start of the execution; ROW_NONE: for all of it */
	int64_t worker;     /* ROW_NONE: all workers */
	const char *operation; /* NULL: all operations */
	const char *device;    /* a GPU; NULL: none */
	const char *part;      /* the number of a part of the machine; NULL: the whole */
};

struct run_sample {
	const struct subject *subject;
	int64_t process, number; /* ROW_NONE: the field is empty */
	uint64_t iterations;     /* of the values */
	int64_t begin_ns;        /* CLOCK_REALTIME */
	struct run_status status;
	struct sample_value *value;
	size_t values, cap;
};

/*
 * Begins a new sample with number 0, no process, one iteration, status ok, and no
 * values. A zeroed struct can be used repeatedly.
 */
void run_sample_begin(struct run_sample *s, const struct subject *subject);
/* Begins the single sample of a subject that is not measured. */
void run_sample_skip(struct run_sample *s, const struct subject *subject);
void run_sample_free(struct run_sample *s);

/*
 * Adds a value with the status and iterations of the sample, which the caller may
 * change. The pointer is valid until the next value is added. Strings are not copied.
 */
struct sample_value *run_sample_add(struct run_sample *s, enum run_metric m, double value);
struct sample_value *run_sample_add_named(
    struct run_sample *s, const char *metric, const char *unit, double value);

/* Returns whether a counter of the set measures a metric. */
bool run_sample_counts(const struct counter_set *set, const char *metric);
/*
 * Adds the values of the kernel's accounting for a command, except metrics that a
 * counter of the set measures, and without METRIC_WALL if wall is false.
 */
void run_sample_add_usage(struct run_sample *s, const struct counter_set *set,
    const double usage[USAGES], bool wall);
/*
 * Adds the counters (counts is indexed by counter) and the metrics derived from them
 * and usage. Each value is divided by the iterations.
 */
void run_sample_add_counts(struct run_sample *s, const struct counter_set *set,
    const struct wire_count *counts, const double usage[USAGES]);
/*
 * Adds, without a value, each counter that was requested by name and cannot be read,
 * unless the kernel's accounting has a metric of that name. If gpu_absent, also adds
 * the metrics of GPUs as unsupported.
 */
void run_sample_add_absent(
    struct run_sample *s, const struct counter_set *set, bool gpu_absent);
/* Adds the metric ok: whether the sample succeeded. */
void run_sample_add_ok(struct run_sample *s);

#endif
