/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a profile can be trusted: stacks that were not unwound to their beginning, and
 * frames without a name.
 */
#ifndef PROFILE_PROFILE_QUALITY_H
#define PROFILE_PROFILE_QUALITY_H

#include "profile/stack_symbols.h"

struct profile_quality {
	double broken;   /* share of the stacks in user code that begin nowhere */
	double unknown;  /* share of all frames that lie in no object */
	double nameless; /* share of all frames in objects without a name for them ... */
	uint32_t worst;  /* ... and the object with the most of these */
};

/* Returns the quality of a profile, weighted by one of the stacks' values. Shares of
 * nothing are 0. */
struct profile_quality profile_quality_of(const struct stacks *stacks, unsigned which,
    const struct maps *maps, struct symbolizer *symbolizer);
/*
 * Puts a line for each shortcoming that is worth one into the empty out, each with what
 * would help. unwound: stacks were made by call frame information, not
 * by frame pointers.
 */
void profile_quality_explain(const struct profile_quality *h, bool unwound,
    struct symbolizer *symbolizer, struct buf *out);

#endif
