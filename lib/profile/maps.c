/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracks address spaces; see maps.h. Processes are numbered by their pids. An address space
 * is an array of mappings that do not overlap, sorted by address.
 */
#include <stdlib.h>

#include "profile/maps.h"

struct mapping {
	uint64_t start, end, offset;
	uint32_t object;
};

struct process_maps {
	uint32_t pid;
	uint32_t threads;
	uint32_t comm;
	bool fresh; /* no address was found since exec */
	struct mapping *mapping;
	size_t count, cap;
};

struct maps {
	struct intern pids;
	struct process_maps **process; /* by number of the pid; NULL: has ended */
	size_t processes, process_cap;
	struct process_maps
	    *last; /* found last: consecutive records are mostly of one process */
	struct intern objects; /* number + OBJECTS_FIXED; a letter, and the pid or path and
	                          identity */
	struct intern comms;
	uint64_t *mapped_ns; /* time of the first mapping, for the first objects */
	size_t mapped_count, mapped_cap;
};

struct maps *maps_open(void)
{
	struct maps *m = mem_zero(1, sizeof(*m));

	intern_add(&m->comms, TEXT("?"));
	return m;
}

static struct text pid_text(const uint32_t *pid)
{
	return (struct text){ (const char *)pid, sizeof(*pid) };
}

static struct process_maps *process_of(struct maps *m, uint32_t pid)
{
	struct process_maps **p;
	size_t number;

	if (m->last && m->last->pid == pid)
		return m->last;
	number = intern_add(&m->pids, pid_text(&pid));
	if (number == m->processes)
		*VEC_ADD(m->process, m->processes, m->process_cap) = NULL;
	p = &m->process[number];
	if (!*p) {
		*p = mem_zero(1, sizeof(**p));
		(*p)->pid = pid;
		(*p)->threads = 1;
	}
	return m->last = *p;
}

/*
 * Returns the slot of a process, which is NULL if the process has ended. Returns NULL if
 * the pid is unknown.
 */
static struct process_maps **find_process(struct maps *m, uint32_t pid)
{
	long number = intern_find(&m->pids, pid_text(&pid));

	return number < 0 ? NULL : &m->process[number];
}

static void remove_process(struct maps *m, uint32_t pid)
{
	struct process_maps **p = find_process(m, pid), *gone = p ? *p : NULL;

	if (!gone)
		return;
	*p = NULL;
	if (m->last == gone)
		m->last = NULL;
	free(gone->mapping);
	free(gone);
}

void maps_fork(struct maps *m, uint32_t parent, uint32_t pid)
{
	struct process_maps *from = process_of(m, parent), *to;

	if (parent == pid) {
		from->threads++;
		return;
	}
	remove_process(m, pid); /* the pid was used before */
	to = process_of(m, pid);
	to->comm = from->comm;
	to->fresh = from->fresh;
	to->mapping = mem_resize(NULL, from->count, sizeof(*to->mapping));
	if (from->count)
		memcpy(to->mapping, from->mapping, from->count * sizeof(*to->mapping));
	to->count = to->cap = from->count;
}

void maps_exit(struct maps *m, uint32_t pid)
{
	struct process_maps **p = find_process(m, pid);

	if (p && *p && --(*p)->threads == 0)
		remove_process(m, pid);
}

void maps_exec(struct maps *m, uint32_t pid)
{
	struct process_maps *p = process_of(m, pid);

	p->count = 0;
	p->threads = 1;
	p->fresh = true;
}

void maps_name(struct maps *m, uint32_t pid, struct text comm)
{
	struct process_maps *p = process_of(m, pid);

	p->comm = (uint32_t)intern_add(&m->comms, comm);
}

static bool has_prefix(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

/* Returns the key of an object: a letter for its kind, and its pid or path and identity. */
uint32_t maps_object_number(
    struct maps *m, uint32_t pid, const char *path, struct text identity)
{
	struct buf name = { 0 };
	uint32_t number;

	if (strcmp(path, "[vdso]") == 0)
		buf_byte(&name, 'v');
	else if (*path != '/' || has_prefix(path, "//anon") ||
	         has_prefix(path, "/memfd:") || has_prefix(path, "/dev/zero") ||
	         has_prefix(path, "/SYSV"))
		buf_printf(&name, "j%u", pid);
	else {
		buf_printf(&name, "f%s", path);
		buf_byte(&name, '\0');
		buf_text(&name, identity);
	}
	number = (uint32_t)intern_add(&m->objects, text_in(&name));
	buf_free(&name);
	return number + OBJECTS_FIXED;
}

/* Returns the first mapping that ends after the address. */
static size_t first_ending_after(const struct process_maps *p, uint64_t address)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->mapping[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void insert_mapping(struct process_maps *p, size_t at, struct mapping mapping)
{
	(void)VEC_ADD(p->mapping, p->count, p->cap);
	memmove(&p->mapping[at + 1], &p->mapping[at],
	    (p->count - 1 - at) * sizeof(*p->mapping));
	p->mapping[at] = mapping;
}

/*
 * Removes a range from the mappings, whose beginning and an end may remain. Returns
 * the index at which a mapping of the range belongs.
 */
static size_t remove_range(struct process_maps *p, uint64_t start, uint64_t end)
{
	size_t at = first_ending_after(p, start), last;

	if (at < p->count && p->mapping[at].start < start) {
		struct mapping tail = p->mapping[at];

		p->mapping[at++].end = start;
		if (tail.end > end) {
			tail.offset += end - tail.start;
			tail.start = end;
			insert_mapping(p, at, tail);
			return at;
		}
	}
	for (last = at; last < p->count && p->mapping[last].end <= end;)
		last++;
	if (last > at)
		memmove(&p->mapping[at], &p->mapping[last],
		    (p->count - last) * sizeof(*p->mapping));
	p->count -= last - at;
	if (at < p->count && p->mapping[at].start < end) {
		p->mapping[at].offset += end - p->mapping[at].start;
		p->mapping[at].start = end;
	}
	return at;
}

void maps_map(struct maps *m, uint32_t pid, const struct perf_map *map, uint64_t now_ns)
{
	struct process_maps *p = process_of(m, pid);
	struct mapping mapping = { map->start, map->start + map->size, map->offset,
		maps_object_number(m, pid, map->path, map->identity) };

	if (mapping.end <= mapping.start)
		return;
	while (m->mapped_count < m->objects.count)
		*VEC_ADD(m->mapped_ns, m->mapped_count, m->mapped_cap) = now_ns;
	insert_mapping(p, remove_range(p, mapping.start, mapping.end), mapping);
}

uint32_t maps_comm(struct maps *m, uint32_t pid)
{
	return process_of(m, pid)->comm;
}

struct text maps_comm_text(const struct maps *m, uint32_t number)
{
	return intern_text(&m->comms, number);
}

uint32_t maps_find(struct maps *m, uint32_t pid, uint64_t address, uint64_t *where)
{
	struct process_maps *p = process_of(m, pid);
	size_t at = first_ending_after(p, address);
	const struct mapping *mapping = &p->mapping[at];

	*where = address;
	if (at == p->count || mapping->start > address)
		return OBJECT_UNKNOWN;
	p->fresh = false;
	if (maps_object(m, mapping->object).kind != OBJECT_IS_JIT)
		*where = address - mapping->start + mapping->offset;
	return mapping->object;
}

bool maps_begun(struct maps *m, uint32_t pid)
{
	return !process_of(m, pid)->fresh;
}

/* Returns the inode in the identity of a file, or 0 if it is not one of the kernel. */
static uint64_t inode_of(struct text identity)
{
	enum { IDENTITY_BYTES = 24, INODE_AT = 8 };
	uint64_t inode = 0;

	if (identity.len == IDENTITY_BYTES)
		memcpy(&inode, identity.ptr + INODE_AT, sizeof(inode));
	return inode;
}

size_t maps_objects(const struct maps *m)
{
	return OBJECTS_FIXED + m->objects.count;
}

struct object maps_object(const struct maps *m, uint32_t number)
{
	static const enum object_kind fixed[OBJECTS_FIXED] = {
		[OBJECT_UNKNOWN] = OBJECT_IS_UNKNOWN,
		[OBJECT_KERNEL] = OBJECT_IS_KERNEL,
		[OBJECT_EARLIER] = OBJECT_IS_EARLIER,
	};
	struct text name;

	if (number < OBJECTS_FIXED)
		return (struct object){ .kind = fixed[number] };
	name = intern_text(&m->objects, number - OBJECTS_FIXED);
	if (*name.ptr == 'v')
		return (struct object){ .kind = OBJECT_IS_VDSO };
	if (*name.ptr == 'f') {
		size_t file = number - OBJECTS_FIXED;
		struct text path = text_of(name.ptr + 1);

		return (struct object){ .kind = OBJECT_IS_FILE,
			.path = path,
			.mapped_ns = file < m->mapped_count ? m->mapped_ns[file] : 0,
			.inode = inode_of((struct text){
			    path.ptr + path.len + 1, name.len - path.len - 2 }) };
	}
	struct object jit = { .kind = OBJECT_IS_JIT };
	for (size_t i = 1; i < name.len; i++)
		jit.pid = jit.pid * 10 + (uint32_t)(name.ptr[i] - '0');
	return jit;
}

void maps_close(struct maps *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->processes; i++)
		if (m->process[i]) {
			free(m->process[i]->mapping);
			free(m->process[i]);
		}
	free(m->process);
	intern_free(&m->pids);
	free(m->mapped_ns);
	intern_free(&m->objects);
	intern_free(&m->comms);
	free(m);
}
