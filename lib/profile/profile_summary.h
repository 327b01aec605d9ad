/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Summarizes a profile for people in at most 80 columns.
 */
#ifndef PROFILE_PROFILE_SUMMARY_H
#define PROFILE_PROFILE_SUMMARY_H

#include "profile/profile.h"
#include "profile/profile_rows.h"

struct profile_summary_opts {
	const char *file;                   /* that contains the profile */
	const char *counted;                /* "samples" or "allocations" */
	const struct profile_metric *event; /* what was sampled */
	unsigned count, amount, shown; /* indexes of the number of those, of the event, and
	                                  of the value in the table */
	double least; /* functions with a smaller share of the total are omitted */
};

/* Appends the number of samples, the event and the lost samples, and the first ten
 * functions. */
void profile_summary(struct buf *out, const struct profile *p,
    struct symbolizer *symbolizer, const struct profile_summary_opts *opts);

#endif
