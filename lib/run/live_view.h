/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a measurement has come to so far, as lines for a terminal: a subject each, with the
 * median of its wall time, its interval, and where its samples lie on a scale that all
 * share. Text in, text out; ASCII but for names.
 */
#ifndef RUN_LIVE_VIEW_H
#define RUN_LIVE_VIEW_H

#include "base/base.h"

struct live_subject {
	const char *name;
	const double *value; /* ns, in any order */
	size_t count;
	double scale;  /* what the values are multiplied by */
	uint64_t runs; /* also those that failed */
	bool wants;    /* it is measured further */
};

struct live_view {
	size_t width,
	    height; /* of the terminal, in characters; height lines at most are drawn */
	double confidence; /* of the interval of the median, stats_median_ranks */
};

/*
 * Append the lines, each ended by a newline and narrower than the terminal. Where there are
 * more subjects than lines, those around `now`, the one that runs, are shown. Returns how
 * many lines.
 */
size_t live_draw(struct buf *b, const struct live_view *v, const struct live_subject *s,
    size_t count, size_t now);

#endif
