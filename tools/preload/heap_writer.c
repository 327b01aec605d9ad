/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the heap file; see heap_writer.h. A hash of its return addresses identifies a
 * stack. When a stack occurs for the first time, its addresses are converted to offsets in
 * files.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "heap_writer.h"
#include "lock.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { SLOTS = 4 * HEAP_STACKS, FILES_MAX = 1 << 16 }; /* SLOTS: a power of two */
/* The tables of the file that grow. The first begins with the head. */
enum table { MODULES, STACKS, FRAMES, TABLES };
enum { RESERVED_AT_ONCE = 1 << 14 }; /* bytes; a power of two */

struct slot {
	_Atomic uint64_t hash; /* 0 if the slot is free */
	_Atomic uint32_t stack;
};

struct heap_file *heap_writer_file;
static char *reserved[TABLES]; /* the first byte of each that may be in a hole */
static struct slot *slots;
static struct lock insertion, peak;

/* Creates a file for this program, or for a child of a fork. Returns its descriptor, or -1.
 */
static int create_file(const char *directory)
{
	char path[HEAP_PATH + 64];
	int fd = -1;

	errno = EEXIST;
	for (int i = 0; fd < 0 && errno == EEXIST && i < FILES_MAX; i++) {
		snprintf(path, sizeof(path), "%s/%d.%d", directory, (int)getpid(), i);
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	}
	return fd;
}

/* Maps the file, which has holes. Returns NULL if that is impossible. */
static struct heap_file *map_file(int fd)
{
	struct rlimit limit;
	struct heap_file *made = MAP_FAILED;

	/* A signal would end the program if the file exceeded the limit. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < sizeof(*made))
		return NULL;
	if (ftruncate(fd, sizeof(*made)) == 0)
		made = mmap(NULL, sizeof(*made), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return made == MAP_FAILED ? NULL : made;
}

/*
 * Fills the holes of a table up to an address. Returns false if the disk has no space.
 * Kernels before 5.14 do not support this.
 */
static bool reserve(enum table table, const void *end)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);

	if (size < RESERVED_AT_ONCE)
		size = RESERVED_AT_ONCE;
	while (reserved[table] < (const char *)end) {
		size_t left = (size_t)((char *)(heap_writer_file + 1) - reserved[table]);

		if (left < size)
			size = left;
		if (madvise(reserved[table], size, MADV_POPULATE_WRITE) < 0 &&
		    errno != EINVAL)
			return false;
		reserved[table] += size;
	}
	return true;
}

static char *page_of(void *at)
{
	return (char *)at - (uintptr_t)at % (uintptr_t)sysconf(_SC_PAGESIZE);
}

/* Fills the first holes of the mapped file, and writes its beginning. */
static bool begin_file(void)
{
	struct heap_head *head = &heap_writer_file->head;

	reserved[MODULES] = (char *)heap_writer_file;
	reserved[STACKS] = page_of(heap_writer_file->stack);
	reserved[FRAMES] = page_of(heap_writer_file->frame);
	if (!reserve(MODULES, head->module[1]))
		return false;
	head->pid = (uint32_t)getpid();
	prctl(PR_GET_NAME, head->comm);
	atomic_store(&head->modules, 1);
	atomic_store(&head->stacks, 1);
	atomic_store(&head->magic, HEAP_MAGIC);
	return true;
}

/* A file that remains empty is one that bench-prof counts as missing. */
bool heap_writer_open(const char *directory)
{
	int fd = create_file(directory);

	slots = fd < 0 ? NULL : memory_map(SLOTS * sizeof(*slots));
	heap_writer_file = slots ? map_file(fd) : NULL;
	if (fd >= 0)
		close(fd);
	if (heap_writer_file && begin_file())
		return true;
	heap_writer_close();
	return false;
}

void heap_writer_abandon(void)
{
	atomic_store(&heap_writer_file->head.magic, 0);
	heap_writer_close();
}

void heap_writer_close(void)
{
	if (heap_writer_file)
		munmap(heap_writer_file, sizeof(*heap_writer_file));
	if (slots)
		munmap(slots, SLOTS * sizeof(*slots));
	heap_writer_file = NULL;
	slots = NULL;
}

void heap_writer_hold(void)
{
	lock_take(&peak);
	lock_take(&insertion);
}

void heap_writer_release(void)
{
	lock_give(&insertion);
	lock_give(&peak);
}

/* Finds the file of an address and the offset in it, from the dynamic linker. */
struct place {
	uintptr_t pc;
	uint64_t where;
	const char *name; /* NULL if there is none, "" for the program */
};

static int on_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct place *p = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *head = &info->dlpi_phdr[i];
		uintptr_t at = p->pc - info->dlpi_addr - head->p_vaddr;

		if (head->p_type != PT_LOAD || at >= head->p_memsz)
			continue;
		p->where = at + head->p_offset;
		p->name = info->dlpi_name;
		return 1;
	}
	return 0;
}

/* Returns the number of a module; 0, for no file, if there is no room for it. The caller
 * holds the lock. */
static uint32_t module_number(const char *name)
{
	uint32_t count = atomic_load(&heap_writer_file->head.modules);
	char self[HEAP_PATH] = { 0 };
	size_t len;

	if (!name)
		return 0;
	if (!*name && readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
		name = self;
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(heap_writer_file->head.module[i], name) == 0)
			return i;
	len = strlen(name);
	if (count == HEAP_MODULES || len >= HEAP_PATH ||
	    !reserve(MODULES, heap_writer_file->head.module[count] + HEAP_PATH))
		return 0;
	memcpy(heap_writer_file->head.module[count], name, len + 1);
	atomic_store(&heap_writer_file->head.modules, count + 1);
	return count;
}

/* Adds a stack and returns its number; 0 if there is no room for it. The caller holds the
 * lock. */
static uint32_t add_stack(const struct place *places, uint32_t depth)
{
	uint32_t number = atomic_load(&heap_writer_file->head.stacks),
	         first = atomic_load(&heap_writer_file->head.frames);

	if (number == HEAP_STACKS || first + depth > HEAP_FRAMES ||
	    !reserve(STACKS, &heap_writer_file->stack[number + 1]) ||
	    !reserve(FRAMES, &heap_writer_file->frame[first + depth]))
		return 0;
	for (uint32_t i = 0; i < depth; i++)
		heap_writer_file->frame[first + i] =
		    (struct heap_frame){ .where = places[i].where,
			    .module = module_number(places[i].name) };
	heap_writer_file->stack[number].first = first;
	heap_writer_file->stack[number].depth = depth;
	atomic_store(&heap_writer_file->head.frames, first + depth);
	atomic_store(&heap_writer_file->head.stacks, number + 1);
	return number;
}

static struct slot *slot_of(uint64_t hash)
{
	size_t at = hash & (SLOTS - 1);
	uint64_t there;

	while ((there = atomic_load_explicit(&slots[at].hash, memory_order_acquire)) &&
	       there != hash)
		at = (at + 1) & (SLOTS - 1);
	return &slots[at];
}

uint32_t heap_writer_stack(const struct trace *t)
{
	struct place places[HEAP_DEPTH];
	uint64_t hash = trace_hash(t);
	struct slot *slot = slot_of(hash);
	uint32_t number;

	if (atomic_load_explicit(&slot->hash, memory_order_acquire))
		return atomic_load(&slot->stack);
	/* Done before the lock is taken, because the dynamic linker has locks of its own.
	 */
	for (uint32_t i = 0; i < t->depth; i++) {
		/* The call is before its return address. */
		places[i] = (struct place){ .pc = t->pc[i] - 1, .where = t->pc[i] - 1 };
		dl_iterate_phdr(on_module, &places[i]);
	}
	lock_take(&insertion);
	slot = slot_of(hash); /* another thread may have added it */
	if (atomic_load(&slot->hash))
		number = atomic_load(&slot->stack);
	else if ((number = add_stack(places, t->depth))) {
		atomic_store(&slot->stack, number);
		atomic_store_explicit(&slot->hash, hash, memory_order_release);
	}
	lock_give(&insertion);
	return number;
}

static void count_value(uint32_t stack, enum heap_value value, uint64_t more)
{
	atomic_fetch_add_explicit(
	    &heap_writer_file->stack[stack].value[value], more, memory_order_relaxed);
}

/*
 * Records the live bytes of each stack when they begin to decrease from a peak, instead of
 * at each new maximum, and only if the peak is a hundredth above the last one.
 */
static void note_peak(void)
{
	uint64_t live =
	    atomic_load_explicit(&heap_writer_file->head.live, memory_order_relaxed);
	uint64_t last =
	    atomic_load_explicit(&heap_writer_file->head.peak, memory_order_relaxed);
	uint32_t stacks;

	if (live <= last + last / 100 || !lock_try(&peak))
		return;
	stacks = atomic_load(&heap_writer_file->head.stacks);
	for (uint32_t i = 1; i < stacks; i++)
		atomic_store_explicit(&heap_writer_file->stack[i].value[HEAP_PEAK],
		    atomic_load_explicit(
		        &heap_writer_file->stack[i].value[HEAP_LIVE], memory_order_relaxed),
		    memory_order_relaxed);
	atomic_store(&heap_writer_file->head.peak, live);
	lock_give(&peak);
}

void heap_writer_back(uint32_t stack, uint64_t bytes)
{
	count_value(stack, HEAP_LIVE, bytes);
	atomic_fetch_add_explicit(
	    &heap_writer_file->head.live, bytes, memory_order_relaxed);
}

void heap_writer_alloc(uint32_t stack, uint64_t bytes)
{
	count_value(stack, HEAP_BYTES, bytes);
	count_value(stack, HEAP_CALLS, 1);
	heap_writer_back(stack, bytes);
}

void heap_writer_free(uint32_t stack, uint64_t bytes)
{
	note_peak();
	count_value(stack, HEAP_LIVE, -bytes);
	atomic_fetch_sub_explicit(
	    &heap_writer_file->head.live, bytes, memory_order_relaxed);
}

void heap_writer_drop(void)
{
	atomic_fetch_add(&heap_writer_file->head.dropped, 1);
}
