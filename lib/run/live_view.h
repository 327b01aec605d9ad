/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The running summary of --live, as lines of text: one line per subject, with the
 * median of its wall time, the confidence interval, and the position of its samples on
 * a scale that all subjects share. The output is ASCII except for names.
 */
#ifndef RUN_LIVE_VIEW_H
#define RUN_LIVE_VIEW_H

#include "base/base.h"

struct live_subject {
	const char *name;
	const double *value; /* ns, in any order */
	size_t count;
	double scale;  /* factor for the values */
	uint64_t runs; /* including failed samples */
	bool wants;    /* needs more samples */
};

struct live_view {
	size_t width,
	    height; /* of the terminal, in characters; at most height lines are drawn */
	double confidence; /* of the median's interval; see stats_median_ranks */
};

/*
 * Appends the lines, each ended by a newline and narrower than the terminal. If there
 * are more subjects than lines, those around `now`, the subject that is being measured,
 * are shown. Returns the number of lines.
 */
size_t live_draw(struct buf *b, const struct live_view *v, const struct live_subject *s,
    size_t count, size_t now);

#endif
