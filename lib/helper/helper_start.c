/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts a helper; see helper_start.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/paths.h"
#include "helper/helper_start.h"
#include "sys/process_start.h"

/*
 * Returns the environment variable that preloads the library that counts allocations;
 * allocated.
 */
static char *preload_variable(void)
{
	char *path = lib_path("allocs.so");
	const char *others = getenv("LD_PRELOAD");
	char *variable = others && *others ? str_format("LD_PRELOAD=%s:%s", path, others)
	                                   : str_format("LD_PRELOAD=%s", path);

	free(path);
	return variable;
}

/*
 * Returns the environment variable that bench-spawn pads the environment of commands
 * with; allocated.
 */
static char *padding_variable(uint32_t bytes)
{
	static const char name[] = "BENCH_JITTER=";
	char *variable = mem_zero(sizeof(name) + bytes, 1);

	memcpy(variable, name, sizeof(name));
	memset(variable + sizeof(name) - 1, 'x', bytes);
	return variable;
}

/* Answers in place of a helper that cannot be executed or has no input. */
static void answer_failure(
    int theirs, enum helper_answer_kind kind, const char *path, int error)
{
	struct helper_answer a = { .kind = kind };

	snprintf(a.why, sizeof(a.why), "%s: %s", path, strerror(error));
	send(theirs, &a, sizeof(a), MSG_NOSIGNAL);
}

/*
 * Starts the helper's process with these descriptors. Returns -1 and the message if no
 * process can be created. If the process cannot execute the helper, the answer reports
 * this and *pid is 0; a gate distinguishes the two cases.
 */
static int start_process(
    const struct helper_opts *g, int theirs, int in, int out, pid_t *pid, struct fault *f)
{
	char *path = libexec_path(g->helper), *const argv[] = { (char *)g->helper, NULL };
	char *own[2] = { NULL }, **set = NULL, **env;
	size_t owned = 0, variables = 0, cap = 0;
	struct process_fd fd[] = { { in, STDIN_FILENO }, { out, STDOUT_FILENO },
		{ theirs, WIRE_SOCKET }, { out, STDERR_FILENO } };
	struct process p;

	if (g->allocs)
		own[owned++] = preload_variable();
	if (g->jitter)
		own[owned++] = padding_variable(g->jitter);
	for (size_t i = 0; g->env && g->env[i]; i++)
		*VEC_ADD(set, variables, cap) = g->env[i];
	for (size_t i = 0; i < owned; i++)
		*VEC_ADD(set, variables, cap) = own[i];
	*VEC_ADD(set, variables, cap) = NULL;
	env = process_env(set);
	struct process_opts opts = { .program = path,
		.argv = argv,
		.env = env,
		.fd = fd,
		.fds = g->inherit ? COUNT(fd) - 1 : COUNT(fd),
		.cpus = g->cpus,
		.group = true,
		.dies_with_us = true,
		.gate = true };
	int status = process_start(&p, &opts);
	if (status < 0)
		fault_errno(f, "cannot start a process");
	else if (process_go(&p) < 0)
		answer_failure(theirs, HELPER_FAILED, path, errno);
	*pid = p.pid;
	for (size_t i = 0; i < owned; i++)
		free(own[i]);
	free(set);
	free(env);
	free(path);
	return status;
}

static int start_helper(
    const struct helper_opts *g, int theirs, pid_t *pid, struct fault *f)
{
	const char *in_path = g->stdin_path ? g->stdin_path : "/dev/null",
	           *out_path = g->stdout_path ? g->stdout_path : "/dev/null";
	int in = open(in_path, O_RDONLY | O_CLOEXEC), out, status = -1;

	if (in < 0) {
		answer_failure(theirs, HELPER_ABSENT, in_path, errno);
		*pid = 0;
		return 0;
	}
	out = g->inherit ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)
	                 : open(out_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (out < 0)
		fault_errno(f, "%s", out_path);
	else {
		status = start_process(g, theirs, in, out, pid, f);
		close(out);
	}
	close(in);
	return status;
}

/*
 * Returns a duplicate of a descriptor with a number that the helper does not use, and
 * closes the original.
 */
static int moved_up(int fd)
{
	int up = fcntl(fd, F_DUPFD_CLOEXEC, 10);

	if (up < 0)
		return fd;
	close(fd);
	return up;
}

int helper_start(const struct helper_opts *opts, pid_t *pid, int *socket, struct fault *f)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return fault_errno(f, "socketpair");
	pair[0] = moved_up(pair[0]);
	pair[1] = moved_up(pair[1]);
	int status = start_helper(opts, pair[1], pid, f);
	close(pair[1]);
	if (status < 0)
		close(pair[0]);
	else
		*socket = pair[0];
	return status;
}
