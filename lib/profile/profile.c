/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts records to stacks; see profile.h.
 */
#include <dirent.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>

#include "profile/profile.h"
#include "profile/stack_join.h"
#include "text/units.h"

void profile_init(struct profile *p, const struct perf_layout *layout, bool waits)
{
	*p = (struct profile){ .maps = maps_open(), .layout = *layout };
	stacks_init(&p->stacks, waits ? WAIT_VALUES : PROFILE_VALUES);
	if (waits)
		p->waits = waits_open();
	if (layout->registers)
		p->unwinding = frames_open(p->maps);
}

void profile_expect(struct profile *p, uint32_t pid, const char *path)
{
	enum { COMM_MAX = 15 }; /* limit of the kernel: TASK_COMM_LEN - 1 */
	const char *slash = strrchr(path, '/');
	struct text comm = text_of(slash ? slash + 1 : path);

	comm.len = comm.len < COMM_MAX ? comm.len : COMM_MAX;
	maps_exec(p->maps, pid);
	maps_name(p->maps, pid, comm);
}

static void add_frame(struct profile *p, uint32_t object, uint64_t where)
{
	*VEC_ADD(p->frame, p->frames, p->frame_cap) = (struct frame){ object, where };
}

static void add_user(struct profile *p, uint32_t pid, uint64_t address)
{
	uint64_t where;
	uint32_t object = maps_find(p->maps, pid, address, &where);

	/* exec has not finished: the address is one of the previous program. */
	if (object == OBJECT_UNKNOWN && p->frames && !maps_begun(p->maps, pid))
		return;
	/* All unknown addresses are one place. */
	add_frame(p, object, object == OBJECT_UNKNOWN ? 0 : where);
}

/*
 * Adds the kernel's part of a call chain, and stores that of the program. The chain
 * contains marks that separate the kernel from the program. The entry after a mark is the
 * exact address; the entries after it are return addresses, whose calls are before them.
 */
static void read_chain(struct profile *p, const struct perf_sample *s)
{
	bool in_kernel = s->in_kernel, is_call = false;

	p->links = 0;
	for (size_t i = 0; i < s->links; i++) {
		uint64_t address = perf_word(s->chain, i);

		if (address >= PERF_CONTEXT_MAX) {
			in_kernel = address == PERF_CONTEXT_KERNEL;
			is_call = false;
			continue;
		}
		if (is_call)
			address--;
		is_call = true;
		if (in_kernel)
			add_frame(p, OBJECT_KERNEL, address);
		else
			*VEC_ADD(p->chain, p->links, p->chain_cap) = address;
	}
}

/* State of unwinding a sample. */
struct unwound {
	struct profile *profile;
	uint32_t pid;
};

static const struct unwind_row *row_at(void *ctx, uint64_t address)
{
	struct unwound *u = ctx;
	uint64_t where;
	uint32_t object = maps_find(u->profile->maps, u->pid, address, &where);

	return frames_row(u->profile->unwinding, object, where);
}

static void add_unwound(struct profile *p, const struct perf_record *r)
{
	const struct perf_sample *s = &r->sample;
	struct unwound u = { p, r->pid };
	struct unwind_state state = {
		.machine = &unwind_machine, .stack = s->stack, .stack_size = s->stack_size
	};
	uint64_t address[UNWIND_FRAMES_MAX];
	size_t count;

	for (unsigned i = 0; i < PERF_REGISTERS_MAX; i++)
		if (unwind_register(i) >= 0)
			state.reg[unwind_register(i)] = s->reg[i];
	state.stack_start = state.reg[state.machine->sp];
	count = unwind(&state, row_at, &u, address);
	if (!state.complete)
		count = stack_join(address, count, p->chain, p->links);
	for (size_t i = 0; i < count; i++)
		add_user(p, r->pid, address[i]);
}

/* Returns the node of the program of a process, with which all its stacks begin. */
static uint32_t program_node(struct profile *p, uint32_t pid)
{
	return stacks_push(
	    &p->stacks, STACK_ROOT, (struct frame){ OBJECT_COMM, maps_comm(p->maps, pid) });
}

/* Returns the node of the stack of a sample. */
static uint32_t sample_node(struct profile *p, const struct perf_record *r)
{
	uint32_t node;

	p->frames = 0;
	read_chain(p, &r->sample);
	if (p->unwinding && r->sample.has_registers)
		add_unwound(p, r);
	else
		for (size_t i = 0; i < p->links; i++)
			add_user(p, r->pid, p->chain[i]);
	if (!p->frames && r->sample.in_kernel)
		add_frame(p, OBJECT_KERNEL, r->sample.address);
	else if (!p->frames)
		add_user(p, r->pid, r->sample.address);
	node = program_node(p, r->pid);
	for (size_t i = p->frames; i > 0; i--)
		node = stacks_push(&p->stacks, node, p->frame[i - 1]);
	return node;
}

static void add_sample(struct profile *p, const struct perf_record *r)
{
	uint32_t node = sample_node(p, r);

	if (p->waits) {
		waits_stack(p->waits, r->tid, node, r->time_ns);
		return;
	}
	p->samples++;
	stacks_count(&p->stacks, node, PROFILE_SAMPLES, 1);
	stacks_count(&p->stacks, node, PROFILE_EVENT, r->sample.period);
}

static void add_wait(struct profile *p, const struct wait *wait)
{
	uint32_t node = wait->stack;

	if (node == WAIT_STACK_MISSING || node == WAIT_STACK_EARLIER)
		node = stacks_push(&p->stacks, program_node(p, wait->pid),
		    (struct frame){
		        node == WAIT_STACK_EARLIER ? OBJECT_EARLIER : OBJECT_UNKNOWN, 0 });
	p->samples++;
	if (wait->preempted)
		stacks_count(&p->stacks, node, WAIT_PREEMPTED, wait->ns);
	else {
		stacks_count(&p->stacks, node, WAIT_BLOCKED, wait->ns);
		stacks_count(&p->stacks, node, WAIT_COUNT, 1);
	}
}

static void add_switch(struct profile *p, const struct perf_record *r)
{
	struct wait wait;

	if (r->change.out ? waits_out(p->waits, r->pid, r->tid, r->time_ns,
	                        r->change.preempted, &wait)
	                  : waits_in(p->waits, r->tid, r->time_ns, &wait))
		add_wait(p, &wait);
}

void profile_end(struct profile *p, uint64_t now_ns)
{
	struct wait wait;

	while (p->waits && waits_end(p->waits, now_ns, &wait))
		add_wait(p, &wait);
}

int profile_record(void *ctx, const struct perf_record *r, struct fault *f)
{
	struct profile *p = ctx;

	(void)f;
	switch (r->kind) {
	case PERF_SAMPLE:
		add_sample(p, r);
		break;
	case PERF_MAP:
		maps_map(p->maps, r->pid, &r->map, r->time_ns);
		break;
	case PERF_COMM:
		if (r->comm.exec)
			maps_exec(p->maps, r->pid);
		/* The name of a thread does not separate it from its program. */
		if (r->pid == r->tid)
			maps_name(p->maps, r->pid, text_of(r->comm.name));
		break;
	case PERF_FORK:
		maps_fork(p->maps, r->parent, r->pid);
		if (p->waits)
			waits_reset(p->waits, r->tid, r->time_ns);
		break;
	case PERF_EXIT:
		maps_exit(p->maps, r->pid);
		if (p->waits)
			waits_reset(p->waits, r->tid, r->time_ns);
		break;
	case PERF_LOST:
		p->lost += r->lost;
		if (p->waits)
			waits_lost(p->waits, r->time_ns);
		break;
	case PERF_THROTTLE:
		p->throttled++;
		break;
	case PERF_SWITCH:
		if (p->waits)
			add_switch(p, r);
		break;
	case PERF_OTHER:
		break;
	}
	return 0;
}

/* Adds a line of /proc/PID/maps. */
static void adopt_mapping(struct profile *p, uint32_t pid, char *line)
{
	struct perf_map map = { 0 };
	uint64_t end;
	char mode[5];
	int path = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &map.start,
	        &end, mode, &map.offset, &path) < 4 ||
	    mode[2] != 'x')
		return;
	map.size = end - map.start;
	map.path = line[path] ? line + path : "//anon";
	maps_map(p->maps, pid, &map, 0);
}

/* Returns whether a thread is blocked: whether its state is neither running nor that of a
 * thread that has ended. */
static bool thread_is_blocked(uint32_t pid, const char *tid)
{
	char *path = str_format("/proc/%u/task/%s/stat", pid, tid);
	struct buf line = { 0 };
	struct fault ignored;
	/* The state follows the name, which may contain parentheses. */
	const char *name_end =
	    file_read(path, &line, &ignored) == 0 ? strrchr(line.ptr, ')') : NULL;
	bool blocked = name_end && name_end[1] == ' ' && name_end[2] != '\0' &&
	               strchr("SDTtI", name_end[2]);

	buf_free(&line);
	free(path);
	return blocked;
}

static void adopt_threads(struct profile *p, uint32_t pid, uint64_t begin_ns)
{
	char *path = str_format("/proc/%u/task", pid);
	DIR *dir = opendir(path);
	struct dirent *entry;
	size_t threads = 0;
	int64_t tid;

	while (dir && (entry = readdir(dir))) {
		if (!integer_parse(text_of(entry->d_name), &tid))
			continue;
		if (threads++)
			maps_fork(p->maps, pid, pid);
		if (p->waits && thread_is_blocked(pid, entry->d_name))
			waits_blocked(p->waits, pid, (uint32_t)tid, begin_ns);
	}
	if (dir)
		closedir(dir);
	free(path);
}

int profile_adopt(struct profile *p, uint32_t pid, uint64_t begin_ns, struct fault *f)
{
	char *maps = str_format("/proc/%u/maps", pid),
	     *comm = str_format("/proc/%u/comm", pid);
	struct buf name = { 0 }, lines = { 0 };
	int status = -1;

	if (file_read(comm, &name, f) == 0 && file_read(maps, &lines, f) == 0) {
		char *rest = lines.ptr, *line;

		maps_name(p->maps, pid, (struct text){ name.ptr, strcspn(name.ptr, "\n") });
		while ((line = strsep(&rest, "\n")))
			adopt_mapping(p, pid, line);
		adopt_threads(p, pid, begin_ns);
		status = 0;
	}
	buf_free(&name);
	buf_free(&lines);
	free(comm);
	free(maps);
	return status;
}

void profile_free(struct profile *p)
{
	frames_close(p->unwinding);
	waits_close(p->waits);
	free(p->chain);
	maps_close(p->maps);
	stacks_free(&p->stacks);
	free(p->frame);
}
