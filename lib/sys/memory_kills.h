/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes that the kernel killed for lack of memory: those of the control group of
 * this process, and those of the whole machine.
 */
#ifndef SYS_MEMORY_KILLS_H
#define SYS_MEMORY_KILLS_H

#include "sys/kernel_files.h"

struct memory_kills {
	uint64_t group;   /* memory.events of version 2, memory.oom_control of version 1 */
	uint64_t machine; /* of all groups */
	/* The lowest limit, in bytes, of the group and those above it; 0: none. */
	double limit;
};

/* Reads the numbers since the group was created and since the machine was started. Those
 * that the kernel does not have are 0. */
void memory_kills(const struct kernel_files *files, struct memory_kills *out);
/* Appends a line, with a newline, if the kernel killed processes between two results of
 * memory_kills(). */
void memory_kills_explain(
    const struct memory_kills *before, const struct memory_kills *after, struct buf *line);

#endif
