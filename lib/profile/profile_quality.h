/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the quality of a profile: the shares of incomplete stacks and of frames without
 * a name.
 */
#ifndef PROFILE_PROFILE_QUALITY_H
#define PROFILE_PROFILE_QUALITY_H

#include "profile/stack_symbols.h"

struct profile_quality {
	double broken;   /* share of the user stacks that do not reach the start of their
	                    thread */
	double unknown;  /* share of the frames that are in no object */
	double nameless; /* share of the frames for which their object has no name */
	uint32_t worst;  /* the object with the most nameless frames */
};

/*
 * Returns the quality of a profile, weighted by one of the values of the stacks. The shares
 * of an empty profile are 0.
 */
struct profile_quality profile_quality_of(const struct stacks *stacks, unsigned which,
    const struct maps *maps, struct symbolizer *symbolizer);
/*
 * Appends a line for each serious shortcoming and its remedy to out, which must be empty.
 * unwound: stacks were found by call frame information and not by frame pointers.
 */
void profile_quality_explain(const struct profile_quality *h, bool unwound,
    struct symbolizer *symbolizer, struct buf *out);

#endif
