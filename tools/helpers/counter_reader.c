/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts events of a process and its children, or of one thread; see counter_reader.h. It
 * is a part of the helpers, which are small, and uses little of the library.
 *
 * For children, counters are opened once on this process: disabled, inherited and with
 * enable_on_exec. A child counts from its exec, and when it ends, the kernel adds its
 * counts to ours before wait returns. The counts of an execution are the differences. This
 * needs no start gate, and no event is opened or closed between executions. There is one
 * trap: a parent and a child whose inherited events are equal may swap their contexts at a
 * context switch, and the end of the child would then close *our* events. An event that is
 * not inherited prevents the swap. Each of the kernel's contexts needs one (before
 * Linux 6.2, hardware and software events have one each), so the leader of each group has
 * such an anchor. It is never enabled and therefore takes no counter.
 *
 * The kernel rejects a group that is too large for the processor, but not one that is too
 * large for the counters that others leave (the NMI watchdog holds a counter on most
 * machines): such a group opens but never counts. Therefore each group is tried for a
 * moment, and one that does not run is split into events that take turns.
 *
 * If some of the counters that the processor shows do not count (working_counters.h),
 * groups are no larger than the number of those that do. They are padded such that no two
 * of them fit on the processor together, so they take turns on the first counters.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counter_rdpmc.h"
#include "counter_reader.h"
#include "sys/working_counters.h"

enum { EVENTS_MAX = WIRE_EVENTS_MAX, GROUPS_MAX = 2 * EVENTS_MAX };

/* A group of events, which are counted together. */
struct group {
	int fd; /* of the leader */
	uint32_t count;
	bool of_processor;
	bool by_kernel; /* some event cannot be read without the kernel */
};

/* The data that read(2) returns for a group. */
struct group_counts {
	uint64_t count, enabled_ns, running_ns, value[EVENTS_MAX];
};

struct event {
	int32_t group; /* -1 if it is not open */
	uint32_t place;
	int fd;
	int32_t error;
	bool user_only;
	struct wire_event asked;
	struct perf_event_mmap_page *page; /* to read it without the kernel, or NULL */
};

/* The events and groups of this thread. */
static _Thread_local enum counting_whom whom;
static _Thread_local struct group groups[GROUPS_MAX];
static _Thread_local uint32_t group_count;
static _Thread_local struct event events[EVENTS_MAX];
static _Thread_local uint32_t event_count;
/* The number of counters if some of them do not count, else 0; and in that case the number
 * of those that do. */
static _Thread_local uint32_t dead_among, group_limit;

static int perf_open(struct perf_event_attr *attr, int leader)
{
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/* Returns whether an event takes a counter of the processor that it runs on. */
static bool is_of_processor(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE ||
	       attr->type == PERF_TYPE_RAW;
}

static bool is_full(const struct group *g)
{
	return dead_among && g->of_processor && g->count >= group_limit;
}

/* Opens an event as a member of a group, or as the leader of a new one if group is -1. */
static bool open_as(struct event *e, struct perf_event_attr attr, int32_t group)
{
	bool leads = group < 0;

	if (!leads && is_full(&groups[group])) {
		e->error = EINVAL; /* the kernel's error for a full group */
		return false;
	}
	attr.size = sizeof(attr);
	attr.inherit = whom != COUNTING_SELF;
	attr.disabled = leads;
	attr.enable_on_exec = leads && whom == COUNTING_CHILDREN;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
	                   PERF_FORMAT_TOTAL_TIME_RUNNING;
	e->fd = perf_open(&attr, leads ? -1 : groups[group].fd);
	e->error = e->fd < 0 ? errno : 0;
	if (e->fd < 0)
		return false;
	if (leads) {
		group = (int32_t)group_count++;
		groups[group] =
		    (struct group){ .fd = e->fd, .of_processor = is_of_processor(&attr) };
		attr.inherit = 0;
		attr.enable_on_exec = 0;
		if (whom != COUNTING_SELF)
			perf_open(&attr, -1);
	}
	e->group = group;
	e->place = groups[group].count++;
	return true;
}

/* Opens an event like open_as, in user mode only if the kernel part is not permitted. */
static bool open_member(struct event *e, int32_t group)
{
	struct perf_event_attr attr = e->asked.attr;

	e->user_only = false;
	if (open_as(e, attr, group))
		return true;
	if ((e->error != EACCES && e->error != EPERM) || !e->asked.user_only_counts ||
	    attr.exclude_kernel)
		return false;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	e->user_only = open_as(e, attr, group);
	return e->user_only;
}

static void close_member(struct event *e)
{
	if (e->group < 0)
		return;
	close(e->fd);
	groups[e->group].count--;
	e->group = -1;
}

/* Returns whether an event opens by itself, so that only the group was rejected. */
static bool opens_alone(const struct event *e)
{
	struct perf_event_attr attr = e->asked.attr;
	int fd;

	attr.size = sizeof(attr);
	attr.disabled = 1;
	fd = perf_open(&attr, -1);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool is_bonded(const struct event *e, const struct event *first)
{
	return e == first || (first->asked.bond && e->asked.bond == first->asked.bond);
}

/*
 * Opens an event and those bonded to it, in a group, or in a new one if *group is -1. It
 * opens all or none: the event that failed keeps its error, and the others have ECANCELED.
 * Sets *group.
 */
static bool open_bond(struct event *first, int32_t *group)
{
	int32_t in = *group;

	for (struct event *e = first; e < events + event_count; e++) {
		if (!is_bonded(e, first))
			continue;
		if (open_member(e, in)) {
			in = e->group;
			continue;
		}
		if (e->error == EINVAL && in >= 0 && opens_alone(e))
			e->error = ECANCELED;
		for (struct event *other = first; other < events + event_count; other++)
			if (other != e && is_bonded(other, first)) {
				close_member(other);
				other->error = ECANCELED;
			}
		return false;
	}
	*group = in;
	return true;
}

/* Reads a group; all zeros if it cannot be read. */
static void read_group(const struct group *g, struct group_counts *out)
{
	size_t size = (3 + g->count) * sizeof(uint64_t);

	if (read(g->fd, out, size) < 0)
		memset(out, 0, size);
}

/* Returns whether a group gets the counters it needs when it is alone. */
static bool group_runs(const struct group *g)
{
	struct group_counts counts;

	working_counters_turn(g->fd);
	read_group(g, &counts);
	return counts.running_ns > 0 || counts.enabled_ns == 0;
}

/*
 * Splits a group that the kernel accepted but does not run: each bond gets a group of its
 * own. If there is only one bond, each of its events gets a group, or none if the bond is
 * strict.
 */
static void break_up(int32_t group)
{
	const struct event *first = NULL;
	bool several = false, member[EVENTS_MAX] = { 0 };

	for (uint32_t i = 0; i < event_count; i++) {
		member[i] = events[i].group == group;
		if (member[i] && !first)
			first = &events[i];
		several = several || (member[i] && !is_bonded(&events[i], first));
	}
	for (uint32_t i = 0; i < event_count; i++)
		if (member[i])
			close_member(&events[i]);
	for (uint32_t i = 0; i < event_count; i++) {
		struct event *e = &events[i];
		int32_t own = -1;

		if (!member[i] || e->group >= 0)
			continue;
		if (e->asked.strict && !several)
			e->error = ECANCELED;
		else if (several)
			open_bond(e, &own);
		else
			open_member(e, own);
	}
}

/* Opens each event of a bond in a group of its own. */
static void open_separately(struct event *first)
{
	for (struct event *e = first; e < events + event_count; e++)
		if (is_bonded(e, first))
			open_member(e, -1);
}

/*
 * Opens a bond, by its first event. It is added to the current group if it fits (the kernel
 * rejects a group that could never be scheduled together), else to a new group, which
 * becomes the current one; if that fails, each of its events is opened separately, unless
 * the bond is strict.
 */
static void open_where_it_fits(struct event *first, int32_t *current)
{
	int32_t own = -1;

	if (first->asked.strict)
		open_bond(first, &own);
	else if (*current >= 0 && open_bond(first, current))
		return;
	else if (open_bond(first, &own))
		*current = own;
	else
		open_separately(first);
}

/* Opens all events. Software events have groups of their own, because they always run. */
static void open_all(void)
{
	int32_t hardware = -1, software = -1;

	for (struct event *e = events; e < events + event_count; e++) {
		const bool always_runs = e->asked.attr.type == PERF_TYPE_SOFTWARE;

		if (e->group < 0 && !e->error)
			open_where_it_fits(e, always_runs ? &software : &hardware);
	}
	for (uint32_t g = 0; g < group_count; g++)
		if (groups[g].count > 1 && !group_runs(&groups[g]))
			break_up((int32_t)g);
}

/* Finds out which counters count, using as many as may be needed at once. */
static void find_dead(void)
{
	uint32_t wanted = 0;
	struct working_counters live;

	for (uint32_t i = 0; i < event_count; i++)
		wanted += is_of_processor(&events[i].asked.attr);
	live = working_counters_try(wanted);
	if (live.alive == live.together)
		return;
	group_limit = live.alive;
	dead_among = working_counters_try(WORKING_COUNTERS_MAX).together;
}

/* Pads a group with copies of its leader, which nobody reads. */
static void fill_up(const struct event *leader, uint32_t size)
{
	const struct group *g = &groups[leader->group];

	while (g->count < size) {
		struct event copy = *leader;

		copy.asked.attr.exclude_kernel |= leader->user_only;
		copy.asked.attr.exclude_hv |= leader->user_only;
		if (!open_as(&copy, copy.asked.attr, leader->group))
			break;
	}
}

/*
 * Pads groups such that any two of them need more than all counters, including dead ones,
 * so that they are never scheduled together. If even full groups are too small for that,
 * only the first group counts.
 */
static void keep_apart(void)
{
	uint32_t smallest = group_limit;
	int32_t first = -1;

	for (uint32_t i = 0; i < event_count; i++) {
		struct event *e = &events[i];

		if (e->group < 0 || !groups[e->group].of_processor)
			continue;
		first = first < 0 ? e->group : first;
		if ((e->group != first || !group_limit) && 2 * group_limit <= dead_among) {
			close_member(e);
			e->error = ENOSPC;
		}
	}
	for (uint32_t i = 0; i < event_count; i++) {
		const struct event *e = &events[i];

		if (e->group < 0 || !groups[e->group].of_processor || e->place != 0)
			continue;
		fill_up(e, dead_among + 1 - smallest);
		if (groups[e->group].count < smallest)
			smallest = groups[e->group].count;
	}
}

/* Maps the pages of groups whose events can all be read without the kernel. */
static void map_pages(void)
{
	for (uint32_t i = 0; i < event_count; i++) {
		struct event *e = &events[i];

		if (e->group < 0)
			continue;
		if (groups[e->group].of_processor)
			e->page = counter_rdpmc_map(e->fd);
		if (!e->page)
			groups[e->group].by_kernel = true;
	}
}

void counter_reader_open(const struct wire_event *asked, uint32_t count,
    enum counting_whom of, struct wire_opened *out)
{
	event_count = count;
	whom = of;
	for (uint32_t i = 0; i < count; i++)
		events[i] = (struct event){ .group = -1, .asked = asked[i] };
	find_dead();
	open_all();
	if (dead_among)
		keep_apart();
	for (uint32_t i = 0; i < count; i++)
		out[i] = (struct wire_opened){ events[i].group < 0 ? events[i].error : 0,
			events[i].user_only };
	if (whom == COUNTING_SELF)
		map_pages();
}

void counter_reader_start(void)
{
	for (uint32_t g = 0; g < group_count; g++)
		if (groups[g].count)
			ioctl(groups[g].fd, PERF_EVENT_IOC_ENABLE, 0);
}

void counter_reader_read(struct wire_count *out)
{
	struct group_counts counts;

	for (uint32_t g = 0; g < group_count; g++) {
		bool by_kernel = whom != COUNTING_SELF || groups[g].by_kernel;

		if (groups[g].count && by_kernel)
			read_group(&groups[g], &counts);
		for (uint32_t i = 0; i < event_count; i++) {
			const struct event *e = &events[i];

			if (e->group != (int32_t)g)
				continue;
			out[i] = by_kernel ? (struct wire_count){ counts.value[e->place],
				counts.enabled_ns, counts.running_ns }
			                   : counter_rdpmc_read(e->page);
		}
	}
}
