/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a program to its end. Its standard input, output and error are memory files, so that
 * nobody has to read from it while it runs, and it cannot block. On request its standard
 * output is a pipe, so that it takes no memory regardless of its length.
 */
#ifndef SYS_PROCESS_RUN_H
#define SYS_PROCESS_RUN_H

#include "base/base.h"
#include "sys/process_start.h"

/* A running program. */
struct process_run {
	struct process process;
	int out, err;
	bool piped; /* out is a pipe */
};

/* Returns a memory file with this string, which the caller closes, or -1 and a message. */
int process_run_input(struct text t, struct fault *f);
/*
 * Starts a program, which is searched in PATH if its name has no slash. Its standard input
 * is the memory file from its first byte, or the null device for PROCESS_NULL. It is killed
 * if the thread that started it ends first. Returns 0, or -1, the message, and the reason
 * in errno: ENOENT only if there is no such program.
 */
int process_run_start(struct process_run *r, char *const *argv, int input, struct fault *f);
/* Does as process_run_start(), but standard output is a pipe, for process_run_wait_each().
 * Until then, the program waits if it writes more than the pipe holds. */
int process_run_start_piped(
    struct process_run *r, char *const *argv, int input, struct fault *f);
/*
 * Waits for the end of the program, and appends its standard output and standard error.
 * Returns its exit status, or 128 plus the number of the signal that killed it, or -1 and
 * the message.
 */
int process_run_wait(
    struct process_run *r, struct buf *out, struct buf *err, struct fault *f);
/* Takes a piece of the output of a program. */
typedef void process_run_take(void *ctx, struct text piece);
/* Does as process_run_wait(), but hands on the standard output piece by piece. */
int process_run_wait_each(struct process_run *r, process_run_take *take, void *ctx,
    struct buf *err, struct fault *f);
/*
 * Runs a program without input to its end, with this environment. The program and its
 * process group are killed after limit_ns, after a signal (interrupt_seen()), and when this
 * program ends. Appends and returns as process_run_wait() does. After the limit it returns
 * -1 with errno ETIMEDOUT, after a signal with EINTR.
 */
int process_run_limited(char *const *argv, char *const *env, double limit_ns,
    struct buf *out, struct buf *err, struct fault *f);

#endif
