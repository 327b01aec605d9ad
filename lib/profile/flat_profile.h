/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile by function: how much ended in it, and in how much it took part.
 */
#ifndef PROFILE_FLAT_PROFILE_H
#define PROFILE_FLAT_PROFILE_H

#include "io/render.h"
#include "profile/stack_symbols.h"

struct flat_profile_opts {
	unsigned which;   /* of the stacks' values */
	const char *unit; /* of it; NULL: plain */
	double least;     /* share of the total below which a function is left out */
};

/*
 * Prints the functions, the one with the most of its own first. How many were left out is
 * put into *hidden. Returns 0, or -1 when writing failed (errno set).
 */
int flat_profile_print(const struct stacks *stacks, const struct maps *maps,
    struct symbolizer *symbolizer, const struct flat_profile_opts *opts, FILE *out,
    enum render_format format, size_t *hidden);

#endif
