/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a report: an HTML page about a stream, composed of the output of the other
 * programs. report_parts.c lists the parts that it can have.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "sys/memory_file.h"

/* One input file, copied to memory. */
struct report_file {
	const char *name; /* for messages */
	/* Programs read it if it is the only file of the stream, or the baseline. Other
	 * files need no descriptor. */
	struct memory_file in;
};

struct report_opts {
	const struct report_file *file; /* the stream */
	size_t files;
	const char *title; /* NULL: "Benchmark report" */
	const char *theme; /* "light", "dark", or NULL: the reader's preference */
	const struct report_file *baseline; /* an older stream, or NULL */
	const char *budget;                 /* path of a table of budgets, or NULL */
	const char *const *metric; /* patterns of metrics; none: chosen automatically */
	size_t metrics;
	const char
	    *repo_url; /* template of the addresses of commits, see html_commit(); NULL */
};

struct report;
/*
 * Reads the stream, runs the programs and appends the page. The options must outlive the
 * report. Returns NULL and the message if the stream cannot be read, is empty, or lacks a
 * metric of the options. A program that fails is named on the page and in the list of
 * failures.
 */
struct report *report_make(
    const struct report_opts *opts, struct buf *page, struct fault *f);
/* Returns the number of failures. */
size_t report_failures(const struct report *r);
/* Returns one line about a failure. */
const char *report_failure(const struct report *r, size_t i);
void report_free(struct report *r);

#endif
