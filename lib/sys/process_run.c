/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running a program to its end; see process_run.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/process_run.h"

static int read_all(int fd, struct buf *out)
{
	ssize_t got;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	do {
		buf_room(out, 1 << 16);
		got = read(fd, out->ptr + out->len, out->cap - out->len - 1);
		if (got > 0)
			out->len += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	out->ptr[out->len] = '\0';
	return got < 0 ? -1 : 0;
}

int process_run_input(struct text t, struct fault *f)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd >= 0 && file_write_all(fd, t) == 0)
		return fd;
	fault_errno(f, "a file in memory");
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Opens the same file with an offset of its own. */
static int reopen(int fd)
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

int process_run_start(struct process_run *r, char *const *argv, int input, struct fault *f)
{
	int in = reopen(input), error = 0;

	*r = (struct process_run){ .out = memfd_create("output", MFD_CLOEXEC),
		.err = memfd_create("errors", MFD_CLOEXEC) };
	struct process_fd fd[] = { { in, STDIN_FILENO }, { r->out, STDOUT_FILENO },
		{ r->err, STDERR_FILENO } };
	struct process_opts opts = {
		.program = argv[0], .argv = argv, .fd = fd, .fds = COUNT(fd)
	};
	if (in < 0 || r->out < 0 || r->err < 0 || process_start(&r->process, &opts) < 0)
		error = errno;
	if (in >= 0)
		close(in);
	if (!error)
		return 0;
	close_outputs(r);
	fault_set(f, "%s cannot be started: %s", argv[0], strerror(error));
	errno = error;
	return -1;
}

int process_run_wait(
    struct process_run *r, struct buf *out, struct buf *err, struct fault *f)
{
	int status = process_wait(&r->process);

	if (status < 0)
		fault_errno(f, "waiting for a program");
	else if (read_all(r->out, out) < 0 || read_all(r->err, err) < 0)
		status = fault_errno(f, "reading from a program");
	else
		status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	close_outputs(r);
	return status;
}
