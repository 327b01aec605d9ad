/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a program to its end; see process_run.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "sys/interrupt.h"
#include "sys/memory_file.h"
#include "sys/process_run.h"

/* How often a wait checks for a signal that came just before it. */
enum { LOOK_MS = 100 };

/* Hands on the rest of a file in pieces. */
static int read_rest(int fd, process_run_take *take, void *ctx)
{
	char piece[1 << 14];
	ssize_t got;

	while ((got = read(fd, piece, sizeof(piece))) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			take(ctx, (struct text){ piece, (size_t)got });
	return got < 0 ? -1 : 0;
}

static int read_all(int fd, process_run_take *take, void *ctx)
{
	return lseek(fd, 0, SEEK_SET) < 0 ? -1 : read_rest(fd, take, ctx);
}

static void append_piece(void *buf, struct text piece)
{
	buf_text(buf, piece);
}

int process_run_input(struct text t, struct fault *f)
{
	struct memory_file m;

	if (memory_file_create(&m, f) < 0)
		return -1;
	if (memory_file_add(&m, t, f) < 0)
		memory_file_close(&m);
	return m.fd;
}

/* Opens the same file again, with a separate offset. */
static int reopen_descriptor(int fd)
{
	char path[64];

	if (fd == PROCESS_NULL)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void close_outputs(const struct process_run *r)
{
	if (r->out >= 0)
		close(r->out);
	if (r->err >= 0)
		close(r->err);
}

/* Opens the outputs of a program. Returns the descriptor of its standard output, or -1. */
static int open_outputs(struct process_run *r, bool piped)
{
	int ends[2] = { -1, -1 };

	*r = (struct process_run){
		.out = -1, .err = memfd_create("errors", MFD_CLOEXEC), .piped = piped
	};
	if (r->err < 0)
		return -1;
	if (!piped)
		return r->out = memfd_create("output", MFD_CLOEXEC);
	if (pipe2(ends, O_CLOEXEC) == 0)
		r->out = ends[0];
	return ends[1];
}

/* Starts a program with these options, and sets their descriptors. */
static int start_program(struct process_run *r, struct process_opts *opts, int input,
    bool piped, struct fault *f)
{
	int in = reopen_descriptor(input), out, error = 0;

	if (in < 0) {
		fault_errno(f, "the input of %s cannot be opened again: /proc/self/fd",
		    opts->argv[0]);
		errno = EBADF;
		return -1;
	}
	out = open_outputs(r, piped);
	struct process_fd fd[] = { { in, STDIN_FILENO }, { out, STDOUT_FILENO },
		{ r->err, STDERR_FILENO } };
	opts->program = opts->argv[0];
	opts->fd = fd;
	opts->fds = COUNT(fd);
	if (out < 0 || process_start(&r->process, opts) < 0)
		error = errno;
	close(in);
	if (piped && out >= 0)
		close(out);
	if (!error)
		return 0;
	close_outputs(r);
	errno = error;
	return fault_errno(f, "%s cannot be started", opts->argv[0]);
}

int process_run_start(struct process_run *r, char *const *argv, int input, struct fault *f)
{
	struct process_opts opts = { .argv = argv, .dies_with_us = true };

	return start_program(r, &opts, input, false, f);
}

int process_run_start_piped(
    struct process_run *r, char *const *argv, int input, struct fault *f)
{
	struct process_opts opts = { .argv = argv, .dies_with_us = true };

	return start_program(r, &opts, input, true, f);
}

int process_run_wait(
    struct process_run *r, struct buf *out, struct buf *err, struct fault *f)
{
	buf_room(out, 0);
	out->ptr[out->len] = '\0';
	return process_run_wait_each(r, append_piece, out, err, f);
}

int process_run_wait_each(struct process_run *r, process_run_take *take, void *ctx,
    struct buf *err, struct fault *f)
{
	int piped = r->piped ? read_rest(r->out, take, ctx) : 0, status;

	status = process_wait(&r->process);
	if (status < 0)
		fault_errno(f, "waiting for a program");
	else if (piped < 0 || (!r->piped && read_all(r->out, take, ctx) < 0) ||
	         read_all(r->err, append_piece, err) < 0)
		status = fault_errno(f, "reading from a program");
	else
		status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	close_outputs(r);
	return status;
}

/* Waits for the end of the process, but at most this long, and not after a signal that
 * ends this program. Returns whether the process ended. */
static bool ends_within(const struct process *p, double limit_ns)
{
	int64_t begin_ns = clock_monotonic_ns();
	struct pollfd end = { .fd = pidfd_open(p->pid, 0), .events = POLLIN };
	double left_ns = limit_ns;
	int ready = 0;

	while (end.fd >= 0 && left_ns > 0 && ready <= 0 && !interrupt_seen()) {
		ready = poll(&end, 1, (int)fmin(ceil(left_ns / 1e6), LOOK_MS));
		left_ns = limit_ns - clock_elapsed_ns(begin_ns);
	}
	if (end.fd >= 0)
		close(end.fd);
	return ready > 0;
}

int process_run_limited(char *const *argv, char *const *env, double limit_ns,
    struct buf *out, struct buf *err, struct fault *f)
{
	struct process_opts opts = {
		.argv = argv, .env = env, .group = true, .dies_with_us = true
	};
	struct process_run r;
	int status;
	bool ended;

	if (start_program(&r, &opts, PROCESS_NULL, false, f) < 0)
		return -1;
	ended = ends_within(&r.process, limit_ns);
	process_kill(&r.process, SIGKILL);
	status = process_run_wait(&r, out, err, f);
	if (ended)
		return status;
	fault_set(f, "%s did not end in time", argv[0]);
	errno = interrupt_seen() ? EINTR : ETIMEDOUT;
	return -1;
}
