/* Other programs; see process_run.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/process_run.h"

extern char **environ;

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

int child_text(struct text t, struct fault *f)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd >= 0 && file_write_all(fd, t) == 0)
		return fd;
	fault_errno(f, "a file in memory");
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The same file with a place of its own. */
static int reopen(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

int child_start(struct child *c, char *const *argv, int input, struct fault *f)
{
	posix_spawn_file_actions_t actions;
	int in = reopen(input), error;

	*c = (struct child){ .out = memfd_create("output", MFD_CLOEXEC),
		.said = memfd_create("said", MFD_CLOEXEC) };
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, c->out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, c->said, STDERR_FILENO);
	if (in < 0 || c->out < 0 || c->said < 0)
		error = errno;
	else
		error = posix_spawnp(&c->pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (in >= 0)
		close(in);
	if (!error)
		return 0;
	if (c->out >= 0)
		close(c->out);
	if (c->said >= 0)
		close(c->said);
	fault_set(f, "%s cannot be started: %s", argv[0], strerror(error));
	errno = error;
	return -1;
}

static int ended(const struct child *c)
{
	int status;

	while (waitpid(c->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int child_wait(struct child *c, struct buf *out, struct buf *said, struct fault *f)
{
	int status = ended(c);

	if (status < 0)
		fault_errno(f, "waiting for a program");
	else if (read_all(c->out, out) < 0 || read_all(c->said, said) < 0)
		status = fault_errno(f, "reading from a program");
	close(c->out);
	close(c->said);
	return status;
}
