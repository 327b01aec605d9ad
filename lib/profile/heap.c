/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the files of the interposed allocator; see heap.h and heap_file.h. The command has
 * written them, so nothing in them is trusted.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"
#include "elf/elf_file.h"
#include "profile/heap.h"
#include "protocol/heap_file.h"
#include "sys/leftover.h"

static int check_program(const char *path, struct fault *f)
{
	struct elf_file *e = elf_file_open(path);
	bool fine =
	    !e || elf_file_is_dynamic(e); /* a script: its interpreter may be dynamic */

	elf_file_close(e);
	return fine ? 0
	            : fault_set(f,
	                  "%s: a static program, whose allocator cannot be replaced (link "
	                  "it dynamically for --heap)",
	                  path);
}

/* Creates the directory and registers it for removal, with signals blocked in between. */
static int make_folder(struct heap *h, struct fault *f)
{
	const char *tmp = getenv("TMPDIR");
	sigset_t all, before;
	int error;

	h->dir = str_format("%s/bench-heap.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	error = mkdtemp(h->dir) ? 0 : errno;
	if (error == 0)
		h->leftover = leftover_add_folder(h->dir);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error == 0)
		return 0;
	errno = error;
	fault_errno(f, "%s", h->dir);
	free(h->dir);
	return -1;
}

int heap_prepare(struct heap *h, const char *path, bool by_unwinder, struct fault *f)
{
	const char *preload = getenv("LD_PRELOAD");
	char *library = lib_path("heap.so"), *variable;

	*h = (struct heap){ 0 };
	if (check_program(path, f) < 0 ||
	    (access(library, R_OK) < 0 && fault_errno(f, "%s", library) < 0)) {
		free(library);
		return -1;
	}
	if (make_folder(h, f) < 0) {
		free(library);
		return -1;
	}
	h->preload = preload ? str_copy(preload) : NULL;
	variable =
	    str_format("%s%s%s", library, preload ? ":" : "", preload ? preload : "");
	setenv("LD_PRELOAD", variable, 1);
	free(variable);
	variable = str_format("%s:%s", by_unwinder ? "dwarf" : "fp", h->dir);
	setenv(HEAP_VARIABLE, variable, 1);
	free(variable);
	free(library);
	return 0;
}

/* The parts of a file that are in use. */
struct heap_tables {
	struct heap_head head;
	struct heap_stack *stack;
	struct heap_frame *frame;
	uint32_t stacks, frames;
};

static uint64_t value_of(
    const struct heap_tables *t, const struct heap_stack *s, unsigned k)
{
	/* The peak may be at the end of the program. */
	if (k == HEAP_PEAK && t->head.live >= t->head.peak)
		k = HEAP_LIVE;
	return s->value[k];
}

static uint32_t object_of(
    struct profile *p, const struct heap_head *head, const struct heap_frame *frame)
{
	char path[HEAP_PATH];

	if (frame->module >= HEAP_MODULES)
		return OBJECT_UNKNOWN;
	memcpy(path, head->module[frame->module], sizeof(path));
	path[sizeof(path) - 1] = '\0';
	if (*path && *path != '/')
		return maps_object_number(p->maps, head->pid, "[vdso]", (struct text){ 0 });
	return maps_object_number(
	    p->maps, head->pid, *path ? path : "//anon", (struct text){ 0 });
}

static void add_stacks(struct profile *p, const struct heap_tables *t)
{
	char comm[sizeof(t->head.comm) + 1] = { 0 };

	memcpy(comm, t->head.comm, sizeof(t->head.comm));
	maps_name(p->maps, t->head.pid, text_of(comm));
	for (uint32_t i = 1; i < t->stacks; i++) {
		const struct heap_stack *s = &t->stack[i];
		uint32_t node = stacks_push(&p->stacks, STACK_ROOT,
		    (struct frame){ OBJECT_COMM, maps_comm(p->maps, t->head.pid) });

		if (s->depth > HEAP_DEPTH || s->first > t->frames ||
		    s->depth > t->frames - s->first)
			continue;
		for (uint32_t k = s->depth; k > 0; k--) {
			const struct heap_frame *frame = &t->frame[s->first + k - 1];

			node = stacks_push(&p->stacks, node,
			    (struct frame){ object_of(p, &t->head, frame), frame->where });
		}
		for (unsigned k = 0; k < HEAP_VALUES; k++)
			stacks_count(&p->stacks, node, k, value_of(t, s, k));
		p->samples += s->value[HEAP_CALLS];
	}
}

static bool read_at(int fd, void *to, size_t bytes, size_t offset)
{
	size_t done = 0;

	while (done < bytes) {
		const ssize_t got =
		    pread(fd, (char *)to + done, bytes - done, (off_t)(offset + done));

		if (got <= 0 && !(got < 0 && errno == EINTR))
			return false;
		done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

/* Reads a file. Returns false if it is incomplete, as one for which there was no room. */
static bool read_tables(struct heap_tables *t, int fd)
{
	if (!read_at(fd, &t->head, sizeof(t->head), 0) || t->head.magic != HEAP_MAGIC)
		return false;
	t->stacks = t->head.stacks;
	t->frames = t->head.frames;
	if (t->stacks > HEAP_STACKS || t->frames > HEAP_FRAMES)
		return false;
	t->stack = mem_zero(t->stacks, sizeof(*t->stack));
	t->frame = mem_zero(t->frames, sizeof(*t->frame));
	return read_at(fd, t->stack, t->stacks * sizeof(*t->stack),
	           offsetof(struct heap_file, stack)) &&
	       read_at(fd, t->frame, t->frames * sizeof(*t->frame),
	           offsetof(struct heap_file, frame));
}

static void read_file(int dir, const char *name, struct profile *p)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct heap_tables *t;
	struct stat st;

	if (fd < 0)
		return;
	t = mem_zero(1, sizeof(*t));
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if (read_tables(t, fd)) {
			add_stacks(p, t);
			p->lost += t->head.dropped;
		} else
			p->unrecorded++;
	}
	close(fd);
	free(t->stack);
	free(t->frame);
	free(t);
}

int heap_collect(const struct heap *h, struct profile *out, struct fault *f)
{
	DIR *dir = opendir(h->dir);
	struct dirent *entry;

	if (!dir)
		return fault_errno(f, "%s", h->dir);
	*out = (struct profile){ .maps = maps_open(), .layout.chain = true };
	stacks_init(&out->stacks, HEAP_VALUES);
	while ((entry = readdir(dir)))
		read_file(dirfd(dir), entry->d_name, out);
	closedir(dir);
	return 0;
}

void heap_finish(struct heap *h)
{
	leftover_remove_folder(h->dir);
	leftover_drop(h->leftover);
	if (h->preload)
		setenv("LD_PRELOAD", h->preload, 1);
	else
		unsetenv("LD_PRELOAD");
	unsetenv(HEAP_VARIABLE);
	free(h->preload);
	free(h->dir);
}
