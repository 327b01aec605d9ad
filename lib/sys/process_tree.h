/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples the resource usage of all descendants of a process, and of the process itself if
 * that is requested.
 */
#ifndef SYS_PROCESS_TREE_H
#define SYS_PROCESS_TREE_H

#include <sys/types.h>

#include "base/base.h"

struct process_tree;

struct process_tree_sums {
	uint64_t processes, threads;
	int64_t at_ns; /* CLOCK_MONOTONIC, just after the last processor time was read */
	/* The rest is NAN if it is unknown for one of the processes or was not sampled. */
	double cpu_ns; /* since the beginning, including children that were waited for */
	double rss_bytes, pss_bytes;
	/* from and to storage since the beginning, including children that were waited for
	 */
	double read_bytes, write_bytes;
	double switches; /* since the previous sample with this value */
};

/* Values that are sampled only on request, because that takes time. */
struct process_tree_depth {
	bool pss;
	bool tasks; /* the threads of processes that have several, and their children */
};

/* Opens the tree of a process: its descendants, and the head itself if it is included.
 * Returns NULL and the message if the kernel does not list the children of processes. */
struct process_tree *process_tree_open(pid_t head, bool with_head, struct fault *f);
void process_tree_close(struct process_tree *tree);
/* Forgets all processes, before another sample of a command. */
void process_tree_forget(struct process_tree *tree);
/* Samples all processes of the tree. Returns false if there are none. */
bool process_tree_look(struct process_tree *tree, struct process_tree_depth depth,
    struct process_tree_sums *out);

#endif
