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
#include <stdlib.h>
#include <sys/mman.h>
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

static uint64_t value_of(
    const struct heap_file *file, const struct heap_stack *s, unsigned k)
{
	/* The peak may be at the end of the program. */
	if (k == HEAP_PEAK && atomic_load(&file->live) >= atomic_load(&file->peak))
		k = HEAP_LIVE;
	return atomic_load(&s->value[k]);
}

static uint32_t object_of(
    struct profile *p, const struct heap_file *file, const struct heap_frame *frame)
{
	char path[HEAP_PATH];

	if (frame->module >= HEAP_MODULES)
		return OBJECT_UNKNOWN;
	memcpy(path, file->module[frame->module], sizeof(path));
	path[sizeof(path) - 1] = '\0';
	if (*path && *path != '/')
		return maps_object_number(p->maps, file->pid, "[vdso]", (struct text){ 0 });
	return maps_object_number(
	    p->maps, file->pid, *path ? path : "//anon", (struct text){ 0 });
}

static void add_stacks(struct profile *p, const struct heap_file *file)
{
	uint32_t stacks = atomic_load(&file->stacks);
	char comm[sizeof(file->comm) + 1] = { 0 };

	memcpy(comm, file->comm, sizeof(file->comm));
	maps_name(p->maps, file->pid, text_of(comm));
	for (uint32_t i = 1; i < stacks && i < HEAP_STACKS; i++) {
		const struct heap_stack *s = &file->stack[i];
		uint32_t node = stacks_push(&p->stacks, STACK_ROOT,
		    (struct frame){ OBJECT_COMM, maps_comm(p->maps, file->pid) });

		if (s->depth > HEAP_DEPTH || s->first > HEAP_FRAMES - HEAP_DEPTH)
			continue;
		for (uint32_t k = s->depth; k > 0; k--) {
			const struct heap_frame *frame = &file->frame[s->first + k - 1];

			node = stacks_push(&p->stacks, node,
			    (struct frame){ object_of(p, file, frame), frame->where });
		}
		for (unsigned k = 0; k < HEAP_VALUES; k++)
			stacks_count(&p->stacks, node, k, value_of(file, s, k));
		p->samples += atomic_load(&s->value[HEAP_CALLS]);
	}
}

static void read_file(int dir, const char *name, struct profile *p)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	const struct heap_file *file = MAP_FAILED;
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size >= sizeof(*file))
		file = mmap(NULL, sizeof(*file), PROT_READ, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (file == MAP_FAILED)
		return;
	if (atomic_load(&file->magic) == HEAP_MAGIC) {
		add_stacks(p, file);
		p->lost += atomic_load(&file->dropped);
	}
	munmap((void *)file, sizeof(*file));
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
