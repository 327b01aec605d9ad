/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queries in a child process: a library that is loaded for a query may crash, hang, print
 * or exhaust memory, without any effect on the program.
 */
#ifndef SYS_CHILD_ANSWER_H
#define SYS_CHILD_ANSWER_H

#include "base/base.h"

/*
 * Calls ask in a child process, whose standard descriptors are the null device, and appends
 * the answer that ask put into its buffer. ask returns 0, or -1 and the message. After ms
 * milliseconds the child is killed. Returns 0, or -1 and why there is no answer; then
 * nothing is appended.
 */
int child_answer(int (*ask)(struct buf *answer, struct fault *f), int ms, struct buf *out,
    struct fault *f);

#endif
