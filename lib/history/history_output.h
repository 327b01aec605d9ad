/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of bench-compare --history and --since-change: a table, notes, and the exit
 * status.
 */
#ifndef HISTORY_HISTORY_OUTPUT_H
#define HISTORY_HISTORY_OUTPUT_H

#include "compare/gate.h"
#include "history/history.h"
#include "io/render.h"
#include "stats/adjust.h"

struct history_output {
	bool since_change;  /* --since-change instead of --history */
	bool quiet;         /* leave out notes that are not about failures */
	struct gate_opts gate; /* worst does not apply; unsure only to --since-change */
	size_t least;       /* number of values between two changes */
	const struct inference_opts *inference;
	enum adjust adjust; /* of --since-change */
};

/*
 * Prints the table, after history_find(), and appends notes for standard error. Sets
 * *status to the exit status. Returns 0, or -1 if writing fails (errno).
 */
int history_output_print(const struct history_output *o, const struct history *h,
    const struct output *out, struct buf *notes, int *status);

#endif
