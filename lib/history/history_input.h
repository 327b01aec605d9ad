/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a history from files, with everything that it borrows.
 */
#ifndef HISTORY_HISTORY_INPUT_H
#define HISTORY_HISTORY_INPUT_H

#include "history/history.h"
#include "record/bench_csv.h"
#include "record/metric_filter.h"

struct history_input {
	struct history *history;
	/* of the history */
	struct bench_csv *stream;
	struct metrics *metrics;
};

/*
 * Reads the rows of the files, or of standard input without files, that the filter selects,
 * and finishes the history. The filter must outlive the result. melt: columns of foreign
 * CSV, as for bench_csv_melt(). Returns 0, or -1 and the message. In both cases call
 * history_input_close(). The facts of the options are those of the files.
 */
int history_input_read(struct history_input *in, const struct history_opts *opts,
    struct metric_filter *filter, const char *const *melt, size_t melts, char *const *path,
    size_t files, struct fault *f);
void history_input_close(struct history_input *in);

#endif
