/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes each call of one kind fail in turn. Preloaded into a program, it forks before main
 * once for each call: in child K the K-th call fails, and only that one. The program's
 * standard output and standard error go to the files DIR/K.out and DIR/K.err, child 0 is
 * the run in which none fails, and a line "K STATUS" for each goes to the standard output
 * of the parent, whose main never begins. STATUS is 128 and the number of a signal that
 * ended the child.
 *
 * SWEEP=malloc: allocations fail. SWEEP=open, SWEEP=read: calls for files below /proc and
 * /sys, or for the directory $SWEEP_ROOT in their place, fail with errno $SWEEP_ERRNO.
 * SWEEP_RUNS=N: about N calls, evenly spaced, if there are more.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MAX = 30 };

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);

enum call { NOTHING, ALLOCATIONS, OPENS, READS };
static enum call sweeping;
static atomic_long *calls; /* shared with the parent */
static long fails_at;
static int error_number;
static pid_t counted; /* the process whose calls count */

/* Counts a call; returns whether it must fail. */
static bool falls_on(enum call kind)
{
	return calls && sweeping == kind && getpid() == counted &&
	       atomic_fetch_add(calls, 1) + 1 == fails_at;
}

void *malloc(size_t size)
{
	if (falls_on(ALLOCATIONS)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	if (falls_on(ALLOCATIONS)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
	if (falls_on(ALLOCATIONS)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_realloc(p, size);
}

void *reallocarray(void *p, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, bytes);
}

/* Returns whether a descriptor is a kernel file, or a file of the tree in its place. */
static bool is_kernel_file(int fd)
{
	const char *root = getenv("SWEEP_ROOT");
	char link[64], path[4096];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (len < 0)
		return false;
	path[len] = '\0';
	return root ? strncmp(path, root, strlen(root)) == 0
	            : strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0;
}

int openat(int dir, const char *path, int flags, ...)
{
	static int (*real)(int, const char *, int, ...);
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "openat");
	if (dir != AT_FDCWD && path[0] != '/' && falls_on(OPENS)) {
		errno = error_number;
		return -1;
	}
	return real(dir, path, flags, mode);
}

ssize_t read(int fd, void *out, size_t size)
{
	static ssize_t (*real)(int, void *, size_t);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "read");
	if (sweeping == READS && is_kernel_file(fd) && falls_on(READS)) {
		errno = error_number;
		return -1;
	}
	return real(fd, out, size);
}

static void redirect(const char *dir, long k, const char *suffix, int to)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%ld.%s", dir, k, suffix);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || dup2(fd, to) < 0)
		_exit(99);
	close(fd);
}

/* Returns in the child, and returns its wait status in the parent. */
static int run_child(const char *dir, long k)
{
	pid_t pid;
	int status;

	atomic_store(calls, 0);
	pid = fork();
	if (pid == 0) {
		redirect(dir, k, "out", STDOUT_FILENO);
		redirect(dir, k, "err", STDERR_FILENO);
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		alarm(SECONDS_MAX);
		fails_at = k;
		counted = getpid();
		return -1;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

__attribute__((constructor)) static void sweep(void)
{
	const char *what = getenv("SWEEP"), *dir = getenv("SWEEP_DIR");
	const char *number = getenv("SWEEP_ERRNO"), *limit = getenv("SWEEP_RUNS");
	long runs = limit ? atol(limit) : LONG_MAX, step = 1, last = 0;

	if (!what || !dir)
		return;
	unsetenv("SWEEP");
	unsetenv("LD_PRELOAD");
	error_number = number ? atoi(number) : EIO;
	calls = mmap(NULL, sizeof(*calls), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sweeping = strcmp(what, "malloc") == 0 ? ALLOCATIONS
	           : strcmp(what, "open") == 0 ? OPENS
	                                       : READS;
	for (long k = 0; k <= last; k += step) {
		int status = run_child(dir, k);

		if (status < 0)
			return;
		dprintf(STDOUT_FILENO, "%ld %d\n", k, status);
		if (k == 0) {
			last = atomic_load(calls);
			step += last / runs;
		}
	}
	_exit(0);
}
