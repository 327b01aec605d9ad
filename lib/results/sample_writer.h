/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the samples of one run of bench-run as rows of bench-csv(5): to standard
 * output, to files, and to memory for a summary.
 */
#ifndef RESULTS_SAMPLE_WRITER_H
#define RESULTS_SAMPLE_WRITER_H

#include "brief/brief.h"
#include "counters/counter.h"
#include "host/host.h"
#include "io/render.h"
#include "sample/output_metric.h"
#include "sample/run_sample.h"

struct sample_writer_opts {
	const struct subjects *subjects;
	const struct binding *label; /* additional factors, equal in every row */
	size_t labels;
	const struct counter_set *counters;
	struct output_metric *const *extract;
	size_t extracts;
	bool energy;  /* energy is measured; the names of its metrics are reserved */
	bool gpu;     /* write a column device, for GPUs */
	bool workers; /* write a column worker */
	bool ops;     /* write a column operation */
	const char
	    *part; /* write a column of this name, for parts of the machine; or NULL */
	const char *commit;
	const char *output;             /* the file for the samples; NULL: out */
	struct output out; /* for the samples, or for a summary if it is a table */
	double confidence;              /* of the summary */
	const struct brief_opts *brief; /* print these lines to out, before a summary if
	                                   verbose, else instead; or NULL */
	const char *dir; /* also write all files to a new directory in this one; or NULL */
};

struct sample_writer;
/*
 * Opens a writer. Returns NULL and the message if a column or metric has a name that is
 * already used, the directory cannot be created, or the host's facts cannot be read.
 */
struct sample_writer *sample_writer_open(
    const struct sample_writer_opts *config, struct fault *f);
/* Returns the facts of the machine. */
const struct host *sample_writer_host(const struct sample_writer *w);
/* Returns the id of the run, as in the column run. */
const char *sample_writer_run(const struct sample_writer *w);
/* Writes a row for each value of the sample. */
void sample_writer_sample(struct sample_writer *w, const struct run_sample *s);
/* Writes the end mark of bench-csv(5), the last row of a run that was not interrupted. */
void sample_writer_end_mark(struct sample_writer *w);
/*
 * Writes out all buffered rows. Returns 0, or -1 and the message if a file cannot be
 * written. A reader that has gone away counts as an interrupt (SIGPIPE) instead.
 */
int sample_writer_flush(struct sample_writer *w, struct fault *f);
/*
 * Reserves room for the rows of the next round, as many bytes as those of the last one, in
 * the output file. Returns 0, or -1 and the message if the disk is full. All rows so far
 * are then written, and the writer keeps them as those of an incomplete file.
 */
int sample_writer_reserve(struct sample_writer *w, struct fault *f);
/*
 * Writes the requested summaries, completes all files, and frees the writer. Returns 0,
 * or -1 and the message. NULL is allowed. Unless partial is NULL, stores there the path of
 * the rows of an output file that could not be completed, allocated, or NULL.
 */
int sample_writer_close(struct sample_writer *w, char **partial, struct fault *f);

#endif
