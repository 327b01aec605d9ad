/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who allocates: a command run with the allocator of tools/preload/heap.c, whose files
 * become a profile of HEAP_VALUES values a stack.
 */
#ifndef PROFILE_HEAP_H
#define PROFILE_HEAP_H

#include "profile/profile.h"

struct heap {
	char *dir;     /* where the programs leave their files; ours, and removed */
	int leftover;  /* its entry in the list of leftover.h */
	char *preload; /* what LD_PRELOAD was; NULL: not set */
};

/*
 * Change our environment so that the program at path, once started, counts its allocations;
 * by_unwinder: stacks by call frame information, not by frame pointers. Returns -1 when it
 * could not: it is a static program, or there is no place for the files.
 */
int heap_prepare(struct heap *h, const char *path, bool by_unwinder, struct fault *f);
/* Reads what all programs left; in the profile, lost is the calls that were not counted. */
int heap_collect(const struct heap *h, struct profile *out, struct fault *f);
/* Remove the files, and give the environment back. */
void heap_finish(struct heap *h);

#endif
