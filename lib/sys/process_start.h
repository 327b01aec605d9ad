/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starting a process: the one place where library and programs fork.
 *
 * Processes that are measured are started elsewhere, for time and size. bench-spawn starts
 * commands by a vfork of its own, without a pipe for errors, since a system call there is a
 * part of what is measured, and it is linked statically without the library;
 * tools/helpers/copies.c holds its copies at one gate in shared memory. The workers of
 * tools/helpers/helper_main.c execute no program at all.
 */
#ifndef SYS_PROCESS_START_H
#define SYS_PROCESS_START_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
	PROCESS_NULL = -1,   /* as from: the null device */
	PROCESS_FD_END = 10, /* every to is below this */
};

/* A descriptor of ours, and its number in the process. */
struct process_fd {
	int from, to;
};

/*
 * A program to start, and the state in which it starts. The process inherits from us
 * whatever is zero or NULL here. In the process, signals that we catch and SIGPIPE have
 * their default action; other signals that we ignore stay ignored, and the signal mask is
 * ours.
 */
struct process_opts {
	const char *program; /* found by PATH when its name has no slash */
	char *const *argv, *const *env;
	const char *dir;             /* where it runs */
	const struct process_fd *fd; /* those that are not the same as ours */
	size_t fds;
	const cpu_set_t *cpus;
	bool group;        /* it leads a process group of its own */
	bool dies_with_us; /* SIGKILL when the thread that starts it ends */
	bool gate;         /* it waits for process_go() before it executes its program */
};

/* A process under way. */
struct process {
	pid_t pid;  /* 0: there is none */
	bool group; /* it leads a process group of its own */
	int gate, report;
};

/*
 * Starts a process. Without a gate, its program is being executed on return. Returns 0; or
 * -1 and the reason in errno, and no process is left.
 */
int process_start(struct process *p, const struct process_opts *o);
/* Opens the gate. Returns as process_start() does. */
int process_go(struct process *p);
/* Lets a process whose gate was not opened end. */
void process_cancel(struct process *p);
/* Sends a signal to the process, or to the group that it leads. */
void process_kill(const struct process *p, int signal);
/* Waits for the end of the process. Returns its status as wait(2) gives it, or -1 and the
 * reason in errno. */
int process_wait(struct process *p);

/*
 * Returns a copy of our environment, for process_opts.env, in which the variables of set
 * are replaced or added. set is an array of texts "NAME=VALUE" that ends with NULL. The
 * caller frees the array, but not its texts.
 */
char **process_env(char *const *set);

#endif
