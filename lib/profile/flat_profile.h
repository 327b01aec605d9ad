/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints a profile by function: its own share, and its share including callees.
 */
#ifndef PROFILE_FLAT_PROFILE_H
#define PROFILE_FLAT_PROFILE_H

#include "io/render.h"
#include "profile/stack_symbols.h"

/* A profile by function. */
struct flat_profile {
	const struct stacks *stacks;
	const struct maps *maps;
	struct symbolizer *symbolizer;
	unsigned which;   /* index of the value of the stacks */
	const char *unit; /* unit of the value; NULL: none */
	double least;     /* functions with a smaller share of the total are omitted */
};

/*
 * Prints the functions in descending order of their own value, and stores the number of
 * omitted functions in *hidden. Returns 0, or -1 with errno if writing fails.
 */
int flat_profile_print(
    const struct flat_profile *p, const struct output *out, size_t *hidden);
/*
 * Appends the first ten functions as a table of at most 80 columns, for people; nothing if
 * the profile is empty.
 */
void flat_profile_brief(const struct flat_profile *p, struct buf *out);

#endif
