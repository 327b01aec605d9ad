/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a history from files, with everything that it borrows.
 */
#ifndef HISTORY_HISTORY_INPUT_H
#define HISTORY_HISTORY_INPUT_H

#include "history/history.h"
#include "record/bench_csv.h"
#include "record/stream_options.h"

struct history_input {
	struct history *history;
	/* of the history */
	struct bench_csv *stream;
	struct run_ends ends;
	struct metrics *metrics;
};

/*
 * Reads the rows of the files, or of standard input without files, that the options choose,
 * and finishes the history. The options of rows must outlive the result. Returns 0, or -1
 * and the message. In both cases call history_input_close(). The facts of the options are
 * those of the files, and so are the ends of runs, unless runs that are cut are accepted.
 */
int history_input_read(struct history_input *in, const struct history_opts *opts,
    const struct stream_options *rows, bool accept_cut, char *const *path, size_t files,
    struct fault *f);
void history_input_close(struct history_input *in);

#endif
