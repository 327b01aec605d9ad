/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A child that answers through a pipe; see child_answer.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "sys/bus_error.h"
#include "sys/child_answer.h"

enum { DONE, FAILED }; /* exit statuses of a child that did not crash */

static int answer_fd; /* of the child */

/* Writes the message that a mapped file was shortened, in a signal handler. */
static void answer_shortened(const char *path)
{
	struct fault f;

	fault_set(&f, "%s: " BUS_ERROR_TEXT, path);
	file_write_all(answer_fd, text_of(f.text));
	_exit(FAILED);
}

/* Writes the answer: the text, or the message if there is none. */
static _Noreturn void answer_in_child(
    int (*ask)(struct buf *answer, struct fault *f), int fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct buf answer = { 0 };
	struct fault f = { "" };
	struct text t;
	int status;

	answer_fd = fd;
	bus_errors_handle(answer_shortened);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	for (int i = STDIN_FILENO; null >= 0 && i <= STDERR_FILENO; i++)
		dup2(null, i);
	status = ask(&answer, &f) == 0 ? DONE : FAILED;
	t = status == DONE ? text_in(&answer) : text_of(f.text);
	_exit(file_write_all(fd, t) == 0 ? status : FAILED);
}

/* Reads to the end, or to the deadline; returns whether the end was reached. */
static bool read_until(int fd, int64_t deadline_ns, struct buf *out)
{
	for (;;) {
		int64_t left_ns = deadline_ns - clock_monotonic_ns();
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t got;

		if (left_ns <= 0)
			return false;
		if (poll(&p, 1, (int)(left_ns / 1000000) + 1) <= 0)
			continue;
		buf_room(out, 4096);
		got = read(fd, out->ptr + out->len, 4096);
		if (got == 0 || (got < 0 && errno != EINTR))
			return got == 0;
		out->len += got > 0 ? (size_t)got : 0;
	}
}

int child_answer(int (*ask)(struct buf *answer, struct fault *f), int ms, struct buf *out,
    struct fault *f)
{
	struct buf text = { 0 };
	int fd[2], status = 0, result = -1;
	bool ended;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return fault_errno(f, "pipe");
	pid = fork();
	if (pid == 0)
		answer_in_child(ask, fd[1]);
	close(fd[1]);
	if (pid < 0) {
		fault_errno(f, "fork");
		close(fd[0]);
		return -1;
	}
	ended = read_until(fd[0], clock_monotonic_ns() + ms * INT64_C(1000000), &text);
	close(fd[0]);
	if (!ended)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!ended)
		fault_set(f, "no answer within %d s", ms / 1000);
	else if (WIFSIGNALED(status))
		fault_set(f, "it crashed when asked (%s)", strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != DONE)
		fault_set(f, "%.*s", text.len ? (int)text.len : 8,
		    text.len ? text.ptr : "it ended");
	else
		result = 0;
	if (result == 0 && text.len)
		buf_text(out, text_in(&text));
	buf_free(&text);
	return result;
}
