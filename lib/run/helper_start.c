/*
 * Starting a helper; see helper_start.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "run/helper_start.h"
#include "base/paths.h"

/* Where its allocations are counted. */
static void preload_counter(void)
{
	char *path = lib_path("allocs.so");
	const char *others = getenv("LD_PRELOAD");
	char *all = others && *others ? str_format("%s:%s", path, others) : str_copy(path);

	setenv("LD_PRELOAD", all, 1);
	free(all);
	free(path);
}

/* As bench-spawn pads that of commands. */
static void pad_environment(uint32_t bytes)
{
	char *padding = mem_zero(bytes + 1, 1);

	memset(padding, 'x', bytes);
	setenv("BENCH_JITTER", padding, 1);
	free(padding);
}

/* The child's half: become the helper, or tell why not. */
static _Noreturn void become(
    const struct helper_config *g, const char *path, int theirs, int in, int out)
{
	char *const argv[] = { (char *)g->helper, NULL };
	int error;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	if (g->allocs)
		preload_counter();
	if (g->jitter)
		pad_environment(g->jitter);
	if ((!g->cpus || sched_setaffinity(0, sizeof(*g->cpus), g->cpus) == 0) &&
	    dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
	    (g->inherit || dup2(out, STDERR_FILENO) >= 0) && dup2(theirs, WIRE_SOCKET) >= 0)
		execv(path, argv);
	error = errno;
	struct helper_answer a = { .kind = HELPER_FAILED };
	snprintf(a.why, sizeof(a.why), "%s: %s", path, strerror(error));
	send(theirs, &a, sizeof(a), MSG_NOSIGNAL);
	_exit(127);
}

static pid_t start(const struct helper_config *g, int theirs, struct fault *f)
{
	const char *in_path = g->stdin_path ? g->stdin_path : "/dev/null",
	           *out_path = g->stdout_path ? g->stdout_path : "/dev/null";
	char *path = libexec_path(g->helper);
	int in = open(in_path, O_RDONLY | O_CLOEXEC), out = -1;
	pid_t pid = -1;

	if (in < 0) {
		fault_errno(f, "%s", in_path);
		goto out;
	}
	out = g->inherit ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)
	                 : open(out_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (out < 0) {
		fault_errno(f, "%s", out_path);
		goto out;
	}
	pid = fork();
	if (pid == 0)
		become(g, path, theirs, in, out);
	if (pid < 0)
		fault_errno(f, "cannot start a process");
	else
		setpgid(pid, pid);
out:
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	free(path);
	return pid;
}

/* Descriptors out of the way of the number that the helper expects. */
static int moved_up(int fd)
{
	int up = fcntl(fd, F_DUPFD_CLOEXEC, 10);

	if (up < 0)
		return fd;
	close(fd);
	return up;
}

int helper_start(
    const struct helper_config *config, pid_t *pid, int *socket, struct fault *f)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return fault_errno(f, "socketpair");
	pair[0] = moved_up(pair[0]);
	pair[1] = moved_up(pair[1]);
	*pid = start(config, pair[1], f);
	close(pair[1]);
	if (*pid < 0) {
		close(pair[0]);
		return -1;
	}
	*socket = pair[0];
	return 0;
}
