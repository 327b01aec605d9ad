/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Restores zeros that rows omit: a stack that a sample lacks was counted 0 times in it. The
 * samples of a side are known from the other stacks of the same family: the groups that
 * differ only in the stack.
 */
#ifndef COMPARE_IMPLICIT_ZEROS_H
#define COMPARE_IMPLICIT_ZEROS_H

#include "record/collect.h"

/* The samples of each family. Initialize with zeros. */
struct implicit_zeros {
	struct implicit_zeros_family {
		struct sample_id *id;
		size_t count, cap;
		bool sorted;
	} * family;
	size_t families;
};

/* Adds the samples of a stack. Call it for all stacks of a family before the functions
 * below. */
void implicit_zeros_add(
    struct implicit_zeros *a, size_t family, const struct collected *values);
/* Returns the number of samples of a family. */
size_t implicit_zeros_samples(struct implicit_zeros *a, size_t family);
/*
 * Returns a copy of the values (NULL: none), with a 0 for each sample of the family that
 * they lack. Free it with implicit_zeros_done().
 */
struct collected implicit_zeros_fill(
    struct implicit_zeros *a, size_t family, const struct collected *values);
void implicit_zeros_done(struct collected *filled);
void implicit_zeros_free(struct implicit_zeros *a);

#endif
