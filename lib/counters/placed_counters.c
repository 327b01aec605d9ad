/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of threads and processors; see placed_counters.h.
 *
 * A bond of events is a group, whose members are counted together. The kernel accepts a
 * group that is too large for the counters that others leave, but never counts it.
 * Therefore each group runs in a quiet place for a moment, and one that does not is
 * dissolved.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters/placed_counters.h"
#include "sys/working_counters.h"

struct placed_counters {
	const struct counter_set *set;
	const struct counter_groups *groups;
	int *fd; /* of each place: of the events, then of copies; -1: none */
	size_t places;
};

/* Opens an event in a place; leader is -1 for a group of its own. */
static int open_event(const struct counter *c, bool user_only, struct counter_place at,
    int leader, bool disabled)
{
	static bool lacks_threads; /* before Linux 5.13 */
	struct perf_event_attr attr = c->attr;
	int fd = -1;

	attr.size = sizeof(attr);
	attr.disabled = disabled && leader < 0;
	attr.inherit = at.cpu < 0;
	attr.exclude_kernel |= user_only;
	attr.exclude_hv |= user_only;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	for (int i = lacks_threads; i < 2 && fd < 0; i++) {
		attr.inherit_thread = attr.inherit && i == 0;
		fd = (int)syscall(SYS_perf_event_open, &attr, at.tid, at.cpu, leader,
		    PERF_FLAG_FD_CLOEXEC | (at.in_group ? PERF_FLAG_PID_CGROUP : 0));
		if (fd < 0 && errno != EINVAL && errno != E2BIG)
			return -1;
		lacks_threads = lacks_threads || (fd >= 0 && i == 1);
	}
	return fd;
}

/* Returns whether a place no longer exists: a thread that has ended, or a processor that is
 * offline. */
static bool is_gone(int error)
{
	return error == ESRCH || error == ENODEV;
}

/* Returns whether an event is the processor time, which on a processor is all time, but not
 * that of a control group. */
static bool is_task_clock(const struct counter *c)
{
	return c->attr.type == PERF_TYPE_SOFTWARE &&
	       c->attr.config == PERF_COUNT_SW_TASK_CLOCK;
}

/* The results of trying an event. */
struct counter_trial {
	int error;
	bool user_only, tried, somewhere;
};

/* The trials of a set in a place. */
struct place_trial {
	struct counter_set *set;
	struct counter_trial *event;
	const struct counter_trials *of;
	size_t place;
};

/* Returns whether an event is to be tried here, alone or in the bond of another one. */
static bool is_tried(const struct place_trial *t, size_t i, size_t first)
{
	const struct counter *c = &t->set->counter[i], *of = &t->set->counter[first];

	return (i == first || (of->bond && c->bond == of->bond)) &&
	       (!t->of->has || t->of->has(t->of->ctx, i, t->place));
}

/* Tries one event, in user mode alone if the kernel's part is denied. Returns its
 * descriptor, or -1. */
static int try_event(const struct place_trial *t, size_t i, int leader)
{
	const struct counter *c = &t->set->counter[i];
	const struct counter_place at = t->of->place[t->place];
	struct counter_trial *trial = &t->event[i];
	int fd;

	trial->tried = true;
	if (at.cpu >= 0 && !t->of->place[0].in_group && is_task_clock(c)) {
		trial->error = EDOM;
		return -1;
	}
	fd = open_event(c, trial->user_only, at, leader, true);
	trial->error = fd < 0 ? errno : 0;
	if (fd < 0 && is_gone(errno) && at.cpu >= 0)
		trial->error = 0;
	if (fd < 0 && (errno == EACCES || errno == EPERM) && c->user_only_counts &&
	    !c->attr.exclude_kernel && !trial->user_only) {
		fd = open_event(c, true, at, leader, true);
		trial->user_only = fd >= 0;
		trial->error = fd >= 0 ? 0 : trial->error;
	}
	trial->somewhere = trial->somewhere || fd >= 0;
	return fd;
}

/* Returns whether a group is counted when it is alone. */
static bool group_runs(int leader)
{
	struct wire_count n = { 0 };

	working_counters_turn(leader);
	return read(leader, &n, sizeof(n)) == sizeof(n) &&
	       (n.running_ns > 0 || n.enabled_ns == 0);
}

/* Tries the events of a bond together. Returns whether all can be opened and, in the quiet
 * place, are counted. */
static bool try_bond(const struct place_trial *t, size_t first)
{
	int *fd = mem_zero(t->set->count, sizeof(*fd)), leader = -1;
	size_t members = 0;
	bool fits = true;

	for (size_t i = first; i < t->set->count && fits; i++) {
		if (!is_tried(t, i, first))
			continue;
		fd[members] = try_event(t, i, leader);
		fits = fd[members] >= 0;
		leader = members ? leader : fd[0];
		members += fits;
	}
	if (fits && members > 1 && t->place == t->of->quiet)
		fits = group_runs(leader);
	while (members)
		close(fd[--members]);
	free(fd);
	return fits;
}

/* Tries each event of a bond alone. */
static void try_alone(const struct place_trial *t, size_t first)
{
	for (size_t i = first; i < t->set->count; i++) {
		int fd = is_tried(t, i, first) ? try_event(t, i, -1) : -1;

		if (fd >= 0)
			close(fd);
	}
}

/*
 * Tries the events of a bond. A bond that does not fit is dissolved, unless it is strict:
 * then the events that would fit have the error ECANCELED.
 */
static void try_events(const struct place_trial *t, size_t first)
{
	const uint32_t bond = t->set->counter[first].bond;

	if (try_bond(t, first))
		return;
	try_alone(t, first);
	for (size_t i = first; bond && i < t->set->count; i++) {
		struct counter *c = &t->set->counter[i];

		if (c->bond != bond)
			continue;
		if (c->strict)
			t->event[i].error =
			    t->event[i].error ? t->event[i].error : ECANCELED;
		else
			c->bond = 0;
	}
}

/* Tries all events that could be counted in the places so far. */
static void try_place(const struct place_trial *t)
{
	for (size_t i = 0; i < t->set->count; i++) {
		bool first = !t->event[i].error;

		for (size_t j = 0; j < i && first; j++)
			first = !is_tried(t, i, j);
		if (first)
			try_events(t, i);
	}
}

/* Finds out which counters count, using as many as the set may need at once. */
static struct dead_counters find_dead(const struct counter_set *set)
{
	uint32_t wanted = 0;
	struct working_counters live;

	for (size_t i = 0; i < set->count; i++)
		wanted += counter_is_of_processor(&set->counter[i]);
	live = working_counters_try(wanted);
	if (live.alive == live.together)
		return (struct dead_counters){ 0 };
	return (struct dead_counters){ live.alive,
		working_counters_try(WORKING_COUNTERS_MAX).together };
}

void placed_counters_try(struct counter_set *set, const struct counter_trials *trials,
    struct counter_groups *groups)
{
	struct counter_trial *trial = mem_zero(set->count, sizeof(*trial));
	int *error = mem_zero(set->count, sizeof(*error));

	for (size_t k = 0; k < trials->count; k++)
		try_place(&(struct place_trial){ set, trial, trials, k });
	for (size_t i = 0; i < set->count; i++)
		error[i] = trial[i].error       ? trial[i].error
		           : trial[i].somewhere ? 0
		           : trial[i].tried     ? ENOENT
		                                : EADDRNOTAVAIL;
	counter_groups_make(groups, set, error, find_dead(set));
	for (size_t i = 0; i < set->count; i++)
		counter_opened(set, i, error[i], trial[i].user_only);
	counter_settle(set);
	free(error);
	free(trial);
}

/* Lets this program open as many files as the administrator permits: each counter of a
 * place is one. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

struct placed_counters *placed_counters_new(
    const struct counter_set *set, const struct counter_groups *groups)
{
	struct placed_counters *c = mem_zero(1, sizeof(*c));

	c->set = set;
	c->groups = groups;
	raise_file_limit();
	return c;
}

void placed_counters_keep(struct placed_counters *c, size_t places)
{
	const size_t each = c->groups->files;

	for (size_t i = places * each; i < c->places * each; i++)
		if (c->fd[i] >= 0)
			close(c->fd[i]);
	c->places = places;
}

void placed_counters_close(struct placed_counters *c)
{
	if (!c)
		return;
	placed_counters_keep(c, 0);
	free(c->fd);
	free(c);
}

size_t placed_counters_places(const struct placed_counters *c)
{
	return c->places;
}

/* Opens an event as a member of a group, whose leader is -1 if it leads. Returns 0, even if
 * the place is gone, or an errno. */
static int open_member(
    const struct counter *c, struct counter_place at, int leader, int *fd)
{
	*fd = open_event(c, c->user_only, at, leader, false);
	return *fd >= 0 || is_gone(errno) ? 0 : errno;
}

/* Opens the copies that fill up the groups. Returns 0 or an errno. */
static int open_copies(struct placed_counters *c, struct counter_place at, int *fd)
{
	size_t next = c->set->count;
	int error = 0;

	for (size_t i = 0; i < c->set->count; i++)
		for (size_t k = 0; k < c->groups->copies[i] && !error; k++)
			if (fd[i] >= 0)
				error = open_member(
				    &c->set->counter[i], at, fd[i], &fd[next++]);
	return error;
}

int placed_counters_add(
    struct placed_counters *c, struct counter_place place, const bool *lacks)
{
	const size_t *leader = c->groups->leader, each = c->groups->files;
	int *fd, error = 0;

	c->fd = mem_resize(c->fd, (c->places + 1) * each, sizeof(*c->fd));
	fd = &c->fd[c->places++ * each];
	for (size_t i = 0; i < each; i++)
		fd[i] = -1;
	for (size_t i = 0; i < c->set->count && !error; i++)
		if (leader[i] != NO_GROUP && !(lacks && lacks[i]))
			error = open_member(&c->set->counter[i], place,
			    leader[i] == i ? -1 : fd[leader[i]], &fd[i]);
	return error ? error : open_copies(c, place, fd);
}

void placed_counters_read(
    const struct placed_counters *c, size_t place, struct wire_count *out)
{
	const int *fd = &c->fd[place * c->groups->files];
	struct wire_count n;

	for (size_t i = 0; i < c->set->count; i++) {
		if (fd[i] < 0 || read(fd[i], &n, sizeof(n)) != sizeof(n))
			continue;
		out[i].value += n.value;
		out[i].enabled_ns += n.enabled_ns;
		out[i].running_ns += n.running_ns;
	}
}

void *placed_counters_fail(
    const struct placed_counters *c, const char *places, int error, struct fault *f)
{
	fault_set(f, "no counters: the %zu %s counted so far need %zu files each: %s%s",
	    c->places, places, c->groups->files, strerror(error),
	    error == EMFILE ? " (raise the limit with ulimit -n, or count fewer events)"
	                    : "");
	return NULL;
}
