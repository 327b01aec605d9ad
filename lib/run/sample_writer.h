/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bench-run writes: the samples of one run as rows of bench-csv(5), to standard
 * output, to files, and into memory for a summary.
 */
#ifndef RUN_SAMPLE_WRITER_H
#define RUN_SAMPLE_WRITER_H

#include <stdio.h>

#include "counters/counter.h"
#include "io/render.h"
#include "run/output_metric.h"
#include "run/run_sample.h"

struct sample_writer_opts {
	const struct subjects *subjects;
	const struct binding *label; /* extra factors, the same in every row */
	size_t labels;
	const struct counter_set *counters;
	struct output_metric *const *extract;
	size_t extracts;
	bool energy;               /* the names of its metrics are taken */
	bool gpu;                  /* graphics cards were asked for: a column device */
	bool workers;              /* were asked for: a column worker */
	bool ops;                  /* likewise: a column operation */
	const char *commit;        /* NULL: ask git */
	FILE *out;                 /* where the samples go, or the summary */
	enum render_format format; /* of out; a table is a summary */
	double confidence;         /* of the summary */
	const char *dir;           /* also keep everything below this directory; or NULL */
};

struct sample_writer;
/* Fails when the directory cannot be made. */
struct sample_writer *sample_writer_open(
    const struct sample_writer_opts *config, struct fault *f);
/* Writes a row for each value of the sample. */
void sample_writer_sample(struct sample_writer *e, const struct run_sample *s);
/* Hand on what is complete. 0, or -1 when a file cannot be written; EPIPE on standard
 * output is left in errno. */
int sample_writer_flush(struct sample_writer *e, struct fault *f);
/* The summary, where one is due; ends all files. */
int sample_writer_close(struct sample_writer *e, struct fault *f);

#endif
