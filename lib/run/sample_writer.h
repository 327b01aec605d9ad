/*
 * What bench-run writes: the samples of one run as rows of bench-csv(5), to standard
 * output, to files, and into memory for a summary.
 */
#ifndef EMIT_H
#define EMIT_H

#include <stdio.h>

#include "counters/counter.h"
#include "run/output_metric.h"
#include "io/render.h"
#include "protocol/spawn_proto.h"
#include "subject/subject.h"
#include "run/process_monitor.h"

struct emit_config {
	const struct subjects *subjects;
	const struct binding *label; /* extra factors, the same in every row */
	size_t labels;
	const struct counter_set *counters;
	struct extract *const *extract;
	size_t extracts;
	bool energy;               /* the names of its metrics are taken */
	bool gpu;                  /* graphics cards were asked for: a column device */
	bool gpu_absent;           /* and there are none */
	bool workers;              /* were asked for: a column worker */
	bool ops;                  /* likewise: a column operation */
	const char *commit;        /* NULL: ask git */
	FILE *out;                 /* where the samples go, or the summary */
	enum render_format format; /* of out; a table is a summary */
	double confidence;         /* of the summary */
	const char *dir;           /* also keep everything below this directory; or NULL */
};

/* A metric beside those of the kernel's accounting, the counters and the extracts. */
struct emit_value {
	const char *metric, *unit;
	double value; /* NAN: none */
	const char *status;
	uint64_t iterations;   /* how many runs it is the mean of */
	bool of_worker;        /* it is of one worker, not of all of the sample */
	uint32_t worker;       /* of this one */
	const char *operation; /* it is of this one; NULL: of all */
};

/* A sample to be written. */
struct emit_sample {
	const struct subject *subject;
	int64_t process; /* of a function */
	int64_t sample;
	uint64_t iterations; /* of a function: what its counts are divided by */
	const char *status;
	const struct wire_result *result;
	const struct wire_count *counts; /* by counter */
	const double *extracted;         /* by extract; NAN: not found */
	const struct emit_value *value;
	size_t values;
	const struct watch_value *series; /* over time */
	size_t series_count;
};

struct emit;
/* Fails when the directory cannot be made. */
struct emit *emit_open(const struct emit_config *config, struct fault *f);
void emit_sample(struct emit *e, const struct emit_sample *s);
/* Only the values of a sample; begin_ns of CLOCK_REALTIME is all that is read of result. */
void emit_values(struct emit *e, const struct emit_sample *s);
/* The counts and the values of a sample of a function; of result begin_ns and wall_ns are
 * read. */
void emit_call(struct emit *e, const struct emit_sample *s);
/* The counters that a function's process could not open, once a subject. */
void emit_absent(struct emit *e, const struct emit_sample *s);
/* The one row of a subject that is not run. */
void emit_skipped(struct emit *e, const struct subject *s);
/* Hand on what is complete. 0, or -1 when a file cannot be written; EPIPE on standard
 * output is left in errno. */
int emit_flush(struct emit *e, struct fault *f);
/* The summary, where one is due; ends all files. */
int emit_close(struct emit *e, struct fault *f);

#endif
