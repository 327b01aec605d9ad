/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes how long threads wait, from records of context switches: a wait begins when its
 * thread leaves a processor, and ends when the thread gets one again. Records of different
 * processors may be a little out of order. Pure.
 */
#ifndef PROFILE_WAITS_H
#define PROFILE_WAITS_H

#include "base/base.h"

/* The stack of a wait that is not a node of a tree of stacks. */
#define WAIT_STACK_MISSING UINT32_MAX       /* the kernel recorded none */
#define WAIT_STACK_EARLIER (UINT32_MAX - 1) /* the wait had begun before the profile */

struct wait {
	uint32_t pid;
	uint32_t stack;
	uint64_t ns;
	bool preempted; /* the thread was ready to run: it waited for a processor only */
};

struct waits;
/* Returns an empty table of threads. Never NULL. */
struct waits *waits_open(void);
/* Records the stack of a thread that is about to leave its processor. */
void waits_stack(struct waits *w, uint32_t tid, uint32_t stack, uint64_t now_ns);
/*
 * Records that a thread left its processor. A wait of the thread that was not seen to end
 * is forgotten. Returns whether a wait ended, which it stores: the thread got a processor
 * in a record that came before this one.
 */
bool waits_out(struct waits *w, uint32_t pid, uint32_t tid, uint64_t now_ns, bool preempted,
    struct wait *out);
/*
 * Records a thread that was blocked when the profile began. Records of the thread may
 * follow that are older than this call.
 */
void waits_blocked(struct waits *w, uint32_t pid, uint32_t tid, uint64_t begin_ns);
/* Records that a thread got a processor. Returns whether a wait ended, which it stores. */
bool waits_in(struct waits *w, uint32_t tid, uint64_t now_ns, struct wait *out);
/* Records that a thread was created or has ended: the thread does not wait. */
void waits_reset(struct waits *w, uint32_t tid, uint64_t now_ns);
/*
 * Records that records were lost. Waits that have begun are forgotten, because their ends
 * may be among the lost records. Older records that arrive later are ignored.
 */
void waits_lost(struct waits *w, uint64_t now_ns);
/*
 * Ends one of the waits that have not ended. Returns false if there is none. Call it until
 * then.
 */
bool waits_end(struct waits *w, uint64_t now_ns, struct wait *out);
void waits_close(struct waits *w);

#endif
