/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report: a page of HTML about a stream, put together from what our programs print and
 * draw. The parts that it can have are in report_parts.c.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/base.h"

/* A piece of the stream. */
struct report_file {
	const char *name; /* for messages */
	struct text text;
};

struct report_opts {
	const struct report_file *file; /* the stream */
	size_t files;
	const char *title; /* NULL: made from the stream */
	const char *theme; /* "light", "dark", or NULL for what the reader prefers */
	const struct report_file *baseline; /* an older stream, or NULL */
	const char *const *metric;          /* those to be drawn; none: chosen */
	size_t metrics;
};

struct report;
/*
 * Reads the stream, runs the programs and appends the page. The options must outlive the
 * report. NULL and the message when the stream cannot be read, is empty, or lacks a metric
 * of the options. A program that fails is named in the page and in the list of failures.
 */
struct report *report_make(
    const struct report_opts *opts, struct buf *page, struct fault *f);
/* Return the number of failures, and a line about one of them. */
size_t report_failures(const struct report *r);
const char *report_failure(const struct report *r, size_t i);
void report_free(struct report *r);

#endif
