/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles allocations: a command runs with the allocator of tools/preload/heap.c, whose
 * files become a profile with HEAP_VALUES values for each stack.
 */
#ifndef PROFILE_HEAP_H
#define PROFILE_HEAP_H

#include "profile/profile.h"

struct heap {
	char *dir;     /* temporary directory for the files of the programs */
	int leftover;  /* entry of the directory in the list of leftover.h */
	char *preload; /* previous value of LD_PRELOAD, or NULL */
};

/*
 * Changes the environment so that the program at path counts its allocations when it is
 * started. by_unwinder selects call frame information instead of frame pointers for the
 * stacks. Returns 0, or -1 if the program is static or the directory cannot be created.
 */
int heap_prepare(struct heap *h, const char *path, bool by_unwinder, struct fault *f);
/*
 * Reads the files of all programs. In the profile, lost is the number of calls that were
 * not counted, and unrecorded that of the programs without a count. Returns 0 or -1.
 */
int heap_collect(const struct heap *h, struct profile *out, struct fault *f);
/* Removes the files and restores the environment. */
void heap_finish(struct heap *h);

#endif
