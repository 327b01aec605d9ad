/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts processes; see process_start.h. The child is created with vfork(), whose cost
 * does not grow with our memory, or with fork() if it has to wait at a gate, because
 * vfork() returns only when the program is executed. posix_spawn(3) has no gate, no
 * affinity and no signal for the death of the parent. The gate is a pipe from which the
 * child reads. A second pipe, which exec closes, carries the errno of a failure.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "sys/process_start.h"

/* Everything that the child needs. After vfork() it runs in our memory and must not
 * allocate. */
struct start_plan {
	const struct process_opts *o;
	char **candidate; /* candidates for the file of the program, up to NULL */
	char *const *env;
	sigset_t mask;
	int first_free; /* greater than all descriptors that the process gets */
	int gate[2], report[2];
};

/* Resets the signals that we catch, so that our handlers do not run in the child. */
static void reset_signals(void)
{
	struct sigaction action;

	for (int number = 1; number < NSIG; number++)
		if (sigaction(number, NULL, &action) == 0 &&
		    ((action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) ||
		        number == SIGPIPE)) {
			action = (struct sigaction){ .sa_handler = SIG_DFL };
			sigaction(number, &action, NULL);
		}
}

/* Returns the lowest number above all descriptors that the process gets. Few numbers
 * may be left: the limit of open files can be as low as 8. */
static int find_first_free(const struct process_opts *o)
{
	int end = 0;

	for (size_t i = 0; i < o->fds; i++)
		if (o->fd[i].to >= end)
			end = o->fd[i].to + 1;
	return end;
}

/* Returns a duplicate of a descriptor, closed by exec, whose number is not one that
 * the process gets. */
static int duplicate_above(int fd, int first_free)
{
	int up = fcntl(fd, F_DUPFD_CLOEXEC, first_free);

	if (up < 0 && errno == EINVAL)
		errno = EMFILE; /* no number is left below the limit */
	return up;
}

static bool place_fd(const struct process_fd *fd)
{
	if (fd->from == PROCESS_NULL) {
		int null = open("/dev/null", fd->to == STDIN_FILENO ? O_RDONLY : O_WRONLY);

		if (null < 0 || null == fd->to)
			return null >= 0;
		bool placed = dup2(null, fd->to) >= 0;
		close(null);
		return placed;
	}
	return dup2(fd->from, fd->to) >= 0;
}

/* Puts all descriptors in their places. Each is duplicated before its number is
 * reused. */
static bool place_fds(const struct process_opts *o, int first_free)
{
	struct process_fd fd[PROCESS_FD_END];

	for (size_t i = 0; i < o->fds; i++) {
		fd[i] = o->fd[i];
		if (fd[i].from != PROCESS_NULL && fd[i].from < first_free)
			fd[i].from = duplicate_above(fd[i].from, first_free);
		if (fd[i].from < 0 && o->fd[i].from != PROCESS_NULL)
			return false;
	}
	for (size_t i = 0; i < o->fds; i++)
		if (!place_fd(&fd[i]))
			return false;
	return true;
}

/* Executes the first candidate that can be executed. Returns only on failure, with the
 * errno of execvp(3). */
static void execute_candidate(const struct start_plan *plan)
{
	bool denied = false;

	for (char **path = plan->candidate; *path; path++) {
		execve(*path, plan->o->argv, plan->env);
		denied = denied || errno == EACCES;
		if (errno != EACCES && errno != ENOENT && errno != ENOTDIR &&
		    errno != ESTALE && errno != ENODEV && errno != ETIMEDOUT)
			return;
	}
	if (denied)
		errno = EACCES;
}

/* Runs in the child: becomes the program, or reports why that failed. */
static _Noreturn void run_child(const struct start_plan *plan)
{
	const struct process_opts *o = plan->o;
	int error;
	char go;

	if (o->group)
		setpgid(0, 0);
	if (o->dies_with_us)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	reset_signals();
	sigprocmask(SIG_SETMASK, &plan->mask, NULL);
	if (o->gate) {
		close(plan->gate[1]);
		if (read(plan->gate[0], &go, 1) != 1)
			_exit(127);
	}
	if ((!o->cpus || sched_setaffinity(0, sizeof(*o->cpus), o->cpus) == 0) &&
	    place_fds(o, plan->first_free) && (!o->dir || chdir(o->dir) == 0))
		execute_candidate(plan);
	error = errno;
	while (write(plan->report[1], &error, sizeof(error)) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* Returns the candidates for a program in the order in which execvp(3) tries them. */
static char **list_candidates(const char *program)
{
	const char *path = getenv("PATH");
	char **candidate = NULL;
	size_t count = 0, cap = 0;

	if (strchr(program, '/') || !*program)
		*VEC_ADD(candidate, count, cap) = str_copy(program);
	else
		for (const char *p = path ? path : "/bin:/usr/bin";; p++) {
			size_t len = strcspn(p, ":");

			*VEC_ADD(candidate, count, cap) =
			    str_format("%.*s%s%s", (int)len, p, len ? "/" : "", program);
			p += len;
			if (!*p)
				break;
		}
	*VEC_ADD(candidate, count, cap) = NULL;
	return candidate;
}

static void free_candidates(char **candidate)
{
	for (char **path = candidate; *path; path++)
		free(*path);
	free(candidate);
}

/* Moves a descriptor to a number that the process does not get. */
static int move_above(int fd, int first_free)
{
	if (fd >= first_free)
		return fd;
	int up = duplicate_above(fd, first_free), error = errno;
	close(fd);
	errno = error;
	return up;
}

/* Opens a pipe whose ends have numbers that the process does not get. */
static int open_pipe(int ends[2], int first_free)
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	ends[0] = move_above(ends[0], first_free);
	if (ends[0] < 0) {
		int error = errno;

		close(ends[1]);
		errno = error;
		return -1;
	}
	ends[1] = move_above(ends[1], first_free);
	if (ends[1] < 0) {
		int error = errno;

		close(ends[0]);
		errno = error;
		return -1;
	}
	return 0;
}

/* Closes one end of each pipe. */
static void close_ends(const struct start_plan *plan, int gate_end, int report_end)
{
	if (plan->o->gate)
		close(plan->gate[gate_end]);
	close(plan->report[report_end]);
}

/* Creates the child. It handles no signal before its actions are reset. */
static pid_t make_child(struct start_plan *plan)
{
	sigset_t all;
	pid_t pid;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &plan->mask);
	pid = plan->o->gate ? fork() : vfork();
	if (pid == 0)
		run_child(plan);
	int error = errno;
	pthread_sigmask(SIG_SETMASK, &plan->mask, NULL);
	errno = error;
	return pid;
}

/* Reads why the program could not be executed. Returns 0 if it was, or -1; then the
 * process is gone. */
static int read_report(struct process *p)
{
	int error = 0;
	ssize_t got;

	while ((got = read(p->report, &error, sizeof(error))) < 0 && errno == EINTR)
		;
	close(p->report);
	if (got != sizeof(error))
		return 0;
	process_wait(p);
	errno = error;
	return -1;
}

int process_start(struct process *p, const struct process_opts *o)
{
	struct start_plan plan = {
		.o = o, .env = o->env ? o->env : environ, .first_free = find_first_free(o)
	};

	*p = (struct process){ .group = o->group };
	if (open_pipe(plan.report, plan.first_free) < 0)
		return -1;
	if (o->gate && open_pipe(plan.gate, plan.first_free) < 0) {
		int error = errno;

		close(plan.report[0]);
		close(plan.report[1]);
		errno = error;
		return -1;
	}
	plan.candidate = list_candidates(o->program);
	p->pid = make_child(&plan);
	int error = errno;
	free_candidates(plan.candidate);
	close_ends(&plan, 0, 1);
	if (p->pid < 0) {
		p->pid = 0;
		close_ends(&plan, 1, 0);
		errno = error;
		return -1;
	}
	if (o->group)
		setpgid(p->pid, p->pid);
	p->gate = plan.gate[1];
	p->report = plan.report[0];
	return o->gate ? 0 : read_report(p);
}

int process_go(struct process *p)
{
	while (write(p->gate, "", 1) < 0 && errno == EINTR)
		;
	close(p->gate);
	return read_report(p);
}

void process_cancel(struct process *p)
{
	close(p->gate);
	close(p->report);
	process_wait(p);
}

void process_kill(const struct process *p, int signal)
{
	kill(p->group ? -p->pid : p->pid, signal);
}

int process_wait(struct process *p)
{
	int status;
	pid_t got;

	while ((got = waitpid(p->pid, &status, 0)) < 0 && errno == EINTR)
		;
	p->pid = 0;
	return got < 0 ? -1 : status;
}

/* Returns whether two strings begin with the same "NAME=". */
static bool same_variable(const char *a, const char *b)
{
	size_t len = strcspn(b, "=") + 1;

	return strncmp(a, b, len) == 0;
}

char **process_env(char *const *set)
{
	char **env = NULL;
	size_t count = 0, cap = 0, inherited;

	for (char **old = environ; old && *old; old++)
		*VEC_ADD(env, count, cap) = *old;
	inherited = count;
	for (; *set; set++) {
		size_t at = 0;

		while (at < inherited && !same_variable(env[at], *set))
			at++;
		*(at < inherited ? &env[at] : VEC_ADD(env, count, cap)) = *set;
	}
	*VEC_ADD(env, count, cap) = NULL;
	return env;
}
