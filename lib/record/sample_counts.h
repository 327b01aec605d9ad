/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers the samples of a file that has no numbers for them.
 */
#ifndef RECORD_SAMPLE_COUNTS_H
#define RECORD_SAMPLE_COUNTS_H

#include "base/intern.h"

/* Counts the samples of each name. Zero it to begin. */
struct sample_counts {
	struct intern names;
	int64_t *number; /* by name */
	size_t count, cap;
};

/* Returns the number of earlier calls with this name. */
int64_t sample_counts_next(struct sample_counts *c, struct text name);
void sample_counts_free(struct sample_counts *c);

#endif
