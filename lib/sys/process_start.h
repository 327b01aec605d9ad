/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts processes. Library and programs fork only here.
 *
 * Measured processes are started elsewhere, for speed and size. bench-spawn, which is
 * linked statically without the library, starts commands with vfork and without a pipe for
 * errors, because system calls at the start are part of the measurement.
 * tools/helpers/copies.c holds its copies at one gate in shared memory. The workers of
 * tools/helpers/helper_main.c do not execute a program.
 */
#ifndef SYS_PROCESS_START_H
#define SYS_PROCESS_START_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
	PROCESS_NULL = -1,   /* a value of from: the null device */
	PROCESS_FD_END = 10, /* each to is less than this */
};

/* One of our descriptors, and its number in the process. */
struct process_fd {
	int from, to;
};

/*
 * A program to start, and the state in which it starts. The process inherits our state for
 * each member that is zero or NULL. In the process, SIGPIPE and signals that we catch have
 * their default action, and other signals that we ignore are ignored. The process inherits
 * our signal mask.
 */
struct process_opts {
	const char *program; /* searched in PATH if its name has no slash */
	char *const *argv, *const *env;
	const char *dir;             /* the working directory */
	const struct process_fd *fd; /* descriptors that differ from ours */
	size_t fds;
	const cpu_set_t *cpus;
	bool group;        /* it leads a new process group */
	bool dies_with_us; /* it gets SIGKILL when the thread that started it ends */
	bool gate;         /* it waits for process_go() before it executes its program */
};

/* A running process. */
struct process {
	pid_t pid;  /* 0: none */
	bool group; /* it leads a process group */
	int gate, report;
};

/*
 * Starts a process. Without a gate, the program is already being executed when the function
 * returns. Returns 0, or -1 and the reason in errno; then no process is left.
 */
int process_start(struct process *p, const struct process_opts *o);
/* Opens the gate. Returns as process_start() does. */
int process_go(struct process *p);
/* Ends a process whose gate was not opened. */
void process_cancel(struct process *p);
/* Sends a signal to the process, or to the group that it leads. */
void process_kill(const struct process *p, int signal);
/* Waits for the end of the process. Returns its status as wait(2) gives it, or -1 and the
 * reason in errno. */
int process_wait(struct process *p);

/*
 * Returns a copy of our environment, for process_opts.env, in which the variables in set
 * are replaced or added. set is an array of strings "NAME=VALUE" that ends with NULL. The
 * caller frees the array, but not its strings.
 */
char **process_env(char *const *set);

#endif
