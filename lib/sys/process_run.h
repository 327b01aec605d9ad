/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running a program to its end. Its input, output and errors are memory files, so that
 * nothing has to be read meanwhile and nothing can block.
 */
#ifndef SYS_PROCESS_RUN_H
#define SYS_PROCESS_RUN_H

#include "base/base.h"
#include "sys/process_start.h"

/* A program under way. */
struct process_run {
	struct process process;
	int out, err;
};

/* Returns a memory file with this text, to be closed; or -1 and the message. */
int process_run_input(struct text t, struct fault *f);
/*
 * Starts a program, which is found by PATH when its name has no slash. It reads the memory
 * file from its first byte; PROCESS_NULL is the null device. Returns 0; or -1, the message,
 * and in errno why it could not be started.
 */
int process_run_start(struct process_run *r, char *const *argv, int input, struct fault *f);
/*
 * Waits for the end of the program; appends its standard output and its standard error.
 * Returns its exit status, 128 and the signal's number when one killed it, or -1 and the
 * message.
 */
int process_run_wait(
    struct process_run *r, struct buf *out, struct buf *err, struct fault *f);
/*
 * Runs a program without input to its end, with this environment; it and its process group
 * are killed after limit_ns, after a signal (interrupt_seen()), and when this program ends.
 * Appends and returns as process_run_wait() does; -1 with errno ETIMEDOUT after the limit,
 * EINTR after a signal.
 */
int process_run_limited(char *const *argv, char *const *env, double limit_ns,
    struct buf *out, struct buf *err, struct fault *f);

#endif
