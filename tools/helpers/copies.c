/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts several copies of a command; see copies.h. It is a part of bench-spawn, which is
 * static and small, and uses little of the library.
 *
 * A copy does everything before its exec before the clock starts: it is forked, sets up its
 * descriptors and processor, reports through a pipe that it is ready (the pipe also closes
 * when it dies), and reads from another pipe, the gate. Closing the gate wakes all copies
 * in one call. If they were woken one after the other, the first could take our processor
 * before the last is woken. The gate also closes if we die; a copy therefore starts only if
 * `open` is set on the board, which is memory that all copies share and in which they
 * report failures.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "child_end.h"
#include "copies.h"
#include "sys/pin.h"

/* The report of a copy. */
struct place {
	uint32_t failure; /* enum wire_failure */
	int32_t error;
	struct rusage before; /* its use of resources before its exec */
};

static struct board {
	volatile int32_t open;
	struct place place[WIRE_WORKERS_MAX];
} * board;

static pid_t pids[WIRE_WORKERS_MAX];
static volatile pid_t alive[WIRE_WORKERS_MAX]; /* the same until a copy is reaped, then 0 */
static volatile sig_atomic_t started;
static int gate;

/* Stores a failure and returns false. */
static bool store_failure(struct wire_result *r, enum wire_failure failure, int error)
{
	r->failure = failure;
	r->error = error;
	return false;
}

/* Reports a failure of this copy and exits. */
static _Noreturn void give_up(struct place *here, enum wire_failure failure)
{
	here->error = errno;
	here->failure = failure;
	_exit(127);
}

/* Waits at the gate in a copy, then executes the command. */
static _Noreturn void execute_copy(
    const struct copies *g, uint32_t number, int wait, int ready)
{
	struct place *here = &board->place[number];
	int in = g->in;
	char byte;

	started = 0; /* a signal must not make this one kill its siblings */
	setpgid(0, 0);
	g->groups[number] = getpid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (*g->stdin_path && (in = open(g->stdin_path, O_RDONLY | O_CLOEXEC)) < 0)
		give_up(here, FAILURE_STDIN);
	if (g->pin && !pin_worker(number))
		give_up(here, FAILURE_PIN);
	if (dup2(in, STDIN_FILENO) < 0 || dup2(g->out, STDOUT_FILENO) < 0 ||
	    dup2(g->err, STDERR_FILENO) < 0)
		give_up(here, FAILURE_EXEC);
	sigprocmask(SIG_SETMASK, g->mask, NULL);
	if (write(ready, "", 1) != 1)
		_exit(127);
	while (read(wait, &byte, 1) < 0 && errno == EINTR)
		;
	if (!board->open)
		_exit(127);
	getrusage(RUSAGE_SELF, &here->before);
	execve(g->path, g->argv, environ);
	give_up(here, FAILURE_EXEC);
}

/* Starts the next copy and waits until it is at the gate. */
static bool start_next(const struct copies *g, int wait, struct wire_result *r)
{
	uint32_t number = (uint32_t)started;
	struct place *place = &board->place[number];
	sigset_t all, old;
	int ready[2], got = 0;
	pid_t pid = 0;
	char byte;

	*place = (struct place){ 0 };
	if (pipe2(ready, O_CLOEXEC) < 0)
		return store_failure(r, FAILURE_FORK, errno);
	/* A signal between the fork and the entry in `alive` would miss the copy. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	if (!*g->stop && (pid = fork()) == 0) {
		close(gate);
		execute_copy(g, number, wait, ready[1]);
	}
	int error = errno;
	if (pid > 0) {
		pids[number] = alive[number] = pid;
		started++;
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	close(ready[1]);
	if (pid > 0)
		while ((got = (int)read(ready[0], &byte, 1)) < 0 && errno == EINTR)
			;
	close(ready[0]);
	if (pid < 0)
		return store_failure(r, FAILURE_FORK, error);
	if (got == 1 || *g->stop)
		return !*g->stop;
	return place->failure ? store_failure(r, place->failure, place->error)
	                      : store_failure(r, FAILURE_FORK, ECHILD);
}

static bool make_board(void)
{
	if (board)
		return true;
	void *memory = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory != MAP_FAILED)
		board = memory;
	return board != NULL;
}

bool copies_start(const struct copies *g, struct wire_result *r)
{
	int ends[2];
	bool good = true;

	if (!make_board() || pipe2(ends, O_CLOEXEC) < 0)
		return store_failure(r, FAILURE_FORK, errno);
	gate = ends[1];
	board->open = 0;
	started = 0;
	while (good && (uint32_t)started < g->workers)
		good = start_next(g, ends[0], r);
	close(ends[0]);
	if (good)
		return true;
	close(gate);
	for (uint32_t i = 0; i < (uint32_t)started; i++) {
		while (waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
			;
		alive[i] = 0;
		g->groups[i] = 0;
	}
	started = 0;
	return false;
}

void copies_kill(void)
{
	for (uint32_t i = 0; i < (uint32_t)started; i++)
		if (alive[i]) {
			kill(-alive[i], SIGKILL);
			kill(alive[i], SIGKILL);
		}
}

static void add_usage(
    struct wire_result *r, const struct rusage *before, const struct rusage *after)
{
	int64_t rss = (int64_t)after->ru_maxrss * 1024;

	r->user_ns +=
	    clock_timeval_ns(after->ru_utime) - clock_timeval_ns(before->ru_utime);
	r->sys_ns += clock_timeval_ns(after->ru_stime) - clock_timeval_ns(before->ru_stime);
	r->max_rss_bytes = rss > r->max_rss_bytes ? rss : r->max_rss_bytes;
	r->page_faults +=
	    after->ru_minflt + after->ru_majflt - before->ru_minflt - before->ru_majflt;
	r->context_switches +=
	    after->ru_nvcsw + after->ru_nivcsw - before->ru_nvcsw - before->ru_nivcsw;
	r->block_in += after->ru_inblock - before->ru_inblock;
	r->block_out += after->ru_oublock - before->ru_oublock;
}

static bool find_copy(pid_t pid, uint32_t *number)
{
	for (*number = 0; *number < (uint32_t)started; ++*number)
		if (alive[*number] == pid)
			return true;
	return false;
}

/* Kills the rest of the group of a copy that has ended or is stopped, and reaps the copy.
 */
static void reap_worker(const struct copies *g, uint32_t number, struct wire_result *r,
    struct wire_worker *worker)
{
	pid_t pid = pids[number];
	struct rusage use;

	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	alive[number] = g->groups[number] = 0;
	while (wait4(pid, &worker->status, 0, &use) < 0 && errno == EINTR)
		;
	if (board->place[number].failure) {
		r->failure = board->place[number].failure;
		r->error = board->place[number].error;
	}
	add_usage(r, &board->place[number].before, &use);
}

void copies_run(const struct copies *g, struct wire_result *r, struct wire_worker *worker)
{
	uint32_t left = g->workers, number;
	struct child_end end;

	r->begin_ns = clock_realtime_ns();
	r->start_ns = clock_monotonic_ns();
	board->open = 1;
	close(gate);
	while (left) {
		if (child_end_wait(P_ALL, 0, &end) < 0) {
			if (errno == EINTR)
				continue;
			break;
		}
		int64_t wall_ns = clock_monotonic_ns() - r->start_ns;
		if (!find_copy(end.pid, &number)) { /* a descendant of a copy */
			if (end.stop)
				kill(end.pid, SIGKILL);
			waitpid(end.pid, NULL, 0);
			continue;
		}
		r->wall_ns = worker[number].wall_ns = wall_ns;
		reap_worker(g, number, r, &worker[number]);
		if (end.stop)
			worker[number].status = end.stop;
		left--;
	}
	for (uint32_t i = 0; i < g->workers; i++)
		while (waitpid(-pids[i], NULL, 0) > 0 || errno == EINTR)
			;
	started = 0;
}
