/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Usage of the descendants of a process, sampled repeatedly.
 */
#ifndef SYS_PROCESS_TREE_H
#define SYS_PROCESS_TREE_H

#include <sys/types.h>

#include "base/base.h"

struct process_tree;

struct process_tree_sums {
	uint64_t processes, threads;
	/* NAN when it is not known of all of them, or was not looked at */
	double cpu_ns; /* since the beginning; of those that were waited for, too */
	double rss_bytes, pss_bytes;
	/* from and to storage, since the beginning; of those that were waited for, too */
	double read_bytes, write_bytes;
	double switches; /* since the last time that they were known */
};

/* What else is sampled, at a cost. */
struct process_tree_depth {
	bool pss;
	bool tasks; /* the threads of processes that have several, and their children */
};

struct process_tree *process_tree_open(pid_t head, struct fault *f);
void process_tree_close(struct process_tree *f);
/* Forgets all: another run begins. */
void process_tree_forget(struct process_tree *f);
/* Samples all descendants of the head, without the head. Returns false when there are none.
 */
bool process_tree_look(
    struct process_tree *f, struct process_tree_depth depth, struct process_tree_sums *out);

#endif
