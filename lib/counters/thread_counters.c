/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of running processes; see thread_counters.h.
 *
 * The kernel attaches a counter to a thread, and hands it on to the threads that this one
 * starts. A thread that is started by one without counters, between the listing of the
 * threads and the opening of the counters, would be missed; one that inherited counters
 * must not get others. So all counters are opened again if another listing has new threads.
 *
 * A bond of events is a group, whose members are counted together. The kernel accepts a
 * group that is too large for the counters that others leave, but never counts it.
 * Therefore each group is tried on this thread, and one that does not run is dissolved.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters/thread_counters.h"
#include "sys/working_counters.h"

enum { LISTINGS_MOST = 5, ITSELF = 0 };

struct thread_counters {
	const struct counter_set *set;
	int *fd; /* of each thread, by event; -1: none */
	size_t threads;
	bool incomplete;
};

/* Opens an event in a thread; leader is -1 for a group of its own. */
static int open_event(
    const struct counter *c, bool user_only, pid_t tid, int leader, bool disabled)
{
	static bool lacks_threads; /* before Linux 5.13 */
	struct perf_event_attr attr = c->attr;
	int fd = -1;

	attr.size = sizeof(attr);
	attr.disabled = disabled && leader < 0;
	attr.inherit = 1;
	attr.exclude_kernel |= user_only;
	attr.exclude_hv |= user_only;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	for (int i = lacks_threads; i < 2 && fd < 0; i++) {
		attr.inherit_thread = i == 0;
		fd = (int)syscall(
		    SYS_perf_event_open, &attr, tid, -1, leader, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0 && errno != EINVAL && errno != E2BIG)
			return -1;
		lacks_threads = lacks_threads || (fd >= 0 && i == 1);
	}
	return fd;
}

static bool is_processor_event(const struct counter *c)
{
	return c->attr.type == PERF_TYPE_HARDWARE || c->attr.type == PERF_TYPE_HW_CACHE ||
	       c->attr.type == PERF_TYPE_RAW;
}

static bool is_bonded(const struct counter_set *set, size_t i, size_t first)
{
	return i == first || (set->counter[first].bond &&
	                         set->counter[i].bond == set->counter[first].bond);
}

/* The results of trying the events of a set. */
struct counter_trial {
	int error;
	bool user_only;
};

/* Tries one event in a thread, in user mode alone if the kernel's part is denied. Returns
 * its descriptor, or -1. */
static int try_event(
    const struct counter *c, struct counter_trial *trial, pid_t tid, int leader)
{
	int fd = open_event(c, trial->user_only, tid, leader, true);

	trial->error = fd < 0 ? errno : 0;
	if (fd >= 0 || (errno != EACCES && errno != EPERM) || !c->user_only_counts ||
	    c->attr.exclude_kernel || trial->user_only)
		return fd;
	fd = open_event(c, true, tid, leader, true);
	if (fd >= 0)
		*trial = (struct counter_trial){ 0, true };
	return fd;
}

/* Returns whether a group of this thread is counted when it is alone. */
static bool group_runs(int leader)
{
	struct wire_count n = { 0 };

	working_counters_turn(leader);
	return read(leader, &n, sizeof(n)) == sizeof(n) &&
	       (n.running_ns > 0 || n.enabled_ns == 0);
}

/* Tries the events of a bond together in a thread. Returns whether all can be opened and,
 * in this thread, are counted. */
static bool try_bond(
    const struct counter_set *set, struct counter_trial *trial, size_t first, pid_t tid)
{
	int *fd = mem_zero(set->count, sizeof(*fd)), leader = -1;
	size_t members = 0;
	bool fits = true;

	for (size_t i = first; i < set->count && fits; i++) {
		if (!is_bonded(set, i, first))
			continue;
		fd[members] = try_event(&set->counter[i], &trial[i], tid, leader);
		fits = fd[members] >= 0;
		leader = members ? leader : fd[0];
		members += fits;
	}
	if (fits && members > 1 && tid == ITSELF)
		fits = group_runs(leader);
	while (members)
		close(fd[--members]);
	free(fd);
	return fits;
}

/* Tries each event of a bond alone in a thread. */
static void try_alone(
    const struct counter_set *set, struct counter_trial *trial, size_t first, pid_t tid)
{
	for (size_t i = first; i < set->count; i++) {
		int fd;

		if (!is_bonded(set, i, first))
			continue;
		fd = try_event(&set->counter[i], &trial[i], tid, -1);
		if (fd >= 0)
			close(fd);
	}
}

/*
 * Tries the events of a bond in a thread. A bond that does not fit is dissolved, unless it
 * is strict: then the events that would fit have the error ECANCELED.
 */
static void try_events(
    struct counter_set *set, struct counter_trial *trial, size_t first, pid_t tid)
{
	const uint32_t bond = set->counter[first].bond;

	if (try_bond(set, trial, first, tid))
		return;
	try_alone(set, trial, first, tid);
	for (size_t i = first; bond && i < set->count; i++) {
		struct counter *c = &set->counter[i];

		if (c->bond != bond)
			continue;
		if (c->strict)
			trial[i].error = trial[i].error ? trial[i].error : ECANCELED;
		else
			c->bond = 0;
	}
}

/* Marks the events of the processor as not countable if some of its counters do not count:
 * an event on such a counter would read 0. */
static void refuse_dead(const struct counter_set *set, struct counter_trial *trial)
{
	const struct working_counters live = working_counters_try(WORKING_COUNTERS_MAX);

	for (size_t i = 0; i < set->count && live.alive < live.together; i++)
		if (is_processor_event(&set->counter[i]) && !trial[i].error)
			trial[i].error = ENOSPC;
}

void thread_counters_try(
    struct counter_set *set, struct running_process *const *process, size_t count)
{
	struct counter_trial *trial = mem_zero(set->count, sizeof(*trial));

	for (size_t k = 0; k <= count; k++) {
		const pid_t tid =
		    k < count ? running_process_pid(process[k]) : (pid_t)ITSELF;

		for (size_t i = 0; i < set->count; i++) {
			bool first = !trial[i].error;

			for (size_t j = 0; j < i && first; j++)
				first = !is_bonded(set, i, j);
			if (first)
				try_events(set, trial, i, tid);
		}
	}
	if (set->count)
		refuse_dead(set, trial);
	for (size_t i = 0; i < set->count; i++)
		counter_opened(set, i, trial[i].error, trial[i].user_only);
	counter_settle(set);
	free(trial);
}

/* Closes the counters of all threads but the first ones. */
static void close_threads(struct thread_counters *c, size_t kept)
{
	for (size_t i = kept * c->set->count; i < c->threads * c->set->count; i++)
		if (c->fd[i] >= 0)
			close(c->fd[i]);
	c->threads = kept;
}

/* Opens all events in a thread. Returns 0, even if the thread has ended, or an errno. */
static int open_thread(struct thread_counters *c, pid_t tid)
{
	const struct counter_set *set = c->set;
	int *fd;

	c->fd = mem_resize(c->fd, (c->threads + 1) * set->count, sizeof(*c->fd));
	fd = &c->fd[c->threads++ * set->count];
	for (size_t i = 0; i < set->count; i++)
		fd[i] = -1;
	for (size_t i = 0; i < set->count; i++) {
		const struct counter *event = &set->counter[i];
		int leader = -1;

		if (event->state != COUNTER_READY)
			continue;
		for (size_t j = 0; j < i && leader < 0; j++)
			leader = is_bonded(set, i, j) ? fd[j] : -1;
		fd[i] = open_event(event, event->user_only, tid, leader, false);
		if (fd[i] < 0)
			return errno == ESRCH ? 0 : errno;
	}
	return 0;
}

static bool is_listed(const pid_t *tid, size_t count, pid_t one)
{
	for (size_t i = 0; i < count; i++)
		if (tid[i] == one)
			return true;
	return false;
}

/* Opens all events in the threads of a process. Returns 0 or an errno. Sets *whole to
 * whether no thread has started meanwhile. */
static int open_process(
    struct thread_counters *c, const struct running_process *p, bool *whole)
{
	pid_t *tid, *again;
	const size_t count = running_process_threads(p, &tid);
	size_t more;
	int error = 0;

	for (size_t i = 0; i < count && !error; i++)
		error = open_thread(c, tid[i]);
	more = running_process_threads(p, &again);
	*whole = true;
	for (size_t i = 0; i < more; i++)
		*whole = *whole && is_listed(tid, count, again[i]);
	free(tid);
	free(again);
	return error;
}

/* Lets this program open as many files as the administrator permits: each counter of a
 * thread is one. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

struct thread_counters *thread_counters_open(const struct counter_set *set,
    struct running_process *const *process, size_t count, struct fault *f)
{
	struct thread_counters *c = mem_zero(1, sizeof(*c));
	int error = 0;

	c->set = set;
	raise_file_limit();
	for (size_t k = 0; k < count && !error; k++) {
		const size_t before = c->threads;
		bool whole = false;

		for (int i = 0; i < LISTINGS_MOST && !whole && !error; i++) {
			close_threads(c, before);
			error = open_process(c, process[k], &whole);
		}
		c->incomplete = c->incomplete || !whole;
	}
	if (!error)
		return c;
	fault_set(f,
	    "no counters: the %zu threads counted so far need %zu files each: %s%s",
	    c->threads, set->count, strerror(error),
	    error == EMFILE ? " (raise the limit with ulimit -n, or count fewer events)"
	                    : "");
	thread_counters_close(c);
	return NULL;
}

void thread_counters_close(struct thread_counters *c)
{
	if (!c)
		return;
	close_threads(c, 0);
	free(c->fd);
	free(c);
}

bool thread_counters_incomplete(const struct thread_counters *c)
{
	return c->incomplete;
}

void thread_counters_read(const struct thread_counters *c, struct wire_count *out)
{
	const size_t events = c->set->count;
	struct wire_count n;

	memset(out, 0, events * sizeof(*out));
	for (size_t i = 0; i < c->threads * events; i++) {
		if (c->fd[i] < 0 || read(c->fd[i], &n, sizeof(n)) != sizeof(n))
			continue;
		out[i % events].value += n.value;
		out[i % events].enabled_ns += n.enabled_ns;
		out[i % events].running_ns += n.running_ns;
	}
}
