/*
 * Counts by stack of one side of a comparison: a stack that a sample lacks was counted 0
 * times in it. Which samples there were is told by the other stacks of its family, all that
 * differ in nothing but the stack.
 */
#ifndef ABSENCE_H
#define ABSENCE_H

#include "record/collect.h"

/* Zero it to begin. */
struct absence {
	struct absence_family {
		struct sample_id *id;
		size_t count, cap;
		bool sorted;
	} * family;
	size_t families;
};

/* These samples were taken; call for all stacks of the family first. */
void absence_add(struct absence *a, size_t family, const struct collected *values);
/* How many samples the family has. */
size_t absence_samples(struct absence *a, size_t family);
/*
 * The values (NULL: none) with a 0 for each sample of the family that is not among them;
 * with room of its own: absence_done.
 */
struct collected absence_fill(
    struct absence *a, size_t family, const struct collected *values);
void absence_done(struct collected *filled);
void absence_free(struct absence *a);

#endif
