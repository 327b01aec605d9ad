/*
 * Counts by stack of one side of a comparison: a stack that a sample lacks was counted 0
 * times in it. Which samples there were is told by the other stacks of its family, all that
 * differ in nothing but the stack.
 */
#ifndef ABSENCE_H
#define ABSENCE_H

#include "record/collect.h"

/* Zero it to begin. */
struct implicit_zeros {
	struct implicit_zeros_family {
		struct sample_id *id;
		size_t count, cap;
		bool sorted;
	} * family;
	size_t families;
};

/* These samples were taken; call for all stacks of the family first. */
void implicit_zeros_add(
    struct implicit_zeros *a, size_t family, const struct collected *values);
/* How many samples the family has. */
size_t implicit_zeros_samples(struct implicit_zeros *a, size_t family);
/*
 * The values (NULL: none) with a 0 for each sample of the family that is not among them;
 * with room of its own: implicit_zeros_done.
 */
struct collected implicit_zeros_fill(
    struct implicit_zeros *a, size_t family, const struct collected *values);
void implicit_zeros_done(struct collected *filled);
void implicit_zeros_free(struct implicit_zeros *a);

#endif
