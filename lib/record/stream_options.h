/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that choose the rows of a stream: --filter, --metric and --melt.
 */
#ifndef RECORD_STREAM_OPTIONS_H
#define RECORD_STREAM_OPTIONS_H

#include "io/opt.h"
#include "record/bench_csv.h"
#include "text/near_name.h"

/* The lists are filled in by opt_parse(), the rest by stream_options_open(). */
struct stream_options {
	struct opt_list filters, metrics, melt;
	struct metric_filter *filter;      /* of metrics; NULL: all */
	struct row_conditions *conditions; /* of filters; NULL: none */
};

/* Rows of a program's table of options. */
#define STREAM_FILTER(options)                            \
	OPT(0, "filter", &(options).filters, "CONDITION", \
	    "use only rows that meet a condition, such as 'n>=1000' (repeatable)")
#define STREAM_MELT(options)                               \
	OPT('m', "melt", &(options).melt, "COLUMN[:UNIT]", \
	    "read the values from COLUMN of another program's CSV (repeatable)")

/* Makes the filter and the conditions. Ends the program if an option is wrong. */
void stream_options_open(struct stream_options *o, const struct opt_program *program);
/* Makes a reader melt columns and pass only the chosen rows. Returns 0, or -1 and the
 * message. */
int stream_options_apply(
    const struct stream_options *o, struct bench_csv *stream, struct fault *f);
/* Returns 0 if each filter and pattern chose a row so far; otherwise -1 and the message. */
int stream_options_check(const struct stream_options *o, struct fault *f);
/* Adds what completes the argument of --filter or --metric. */
void stream_options_values(
    struct known_names *k, const char *option, char *const *file, size_t files);
void stream_options_close(struct stream_options *o);

#endif
