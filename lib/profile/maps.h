/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracks the address spaces of processes: which file is mapped at which address, from the
 * records of the kernel in their order. fork copies an address space, exec clears it, and a
 * new mapping replaces older ones that it covers. Pure.
 */
#ifndef PROFILE_MAPS_H
#define PROFILE_MAPS_H

#include "base/intern.h"
#include "profile/perf_record.h"

/*
 * Numbers of objects, which contain code. OBJECT_EARLIER is the code that made a thread
 * wait before the profile began. Other objects are numbered from OBJECTS_FIXED on in
 * the order of their first mapping.
 */
enum { OBJECT_UNKNOWN, OBJECT_KERNEL, OBJECT_EARLIER, OBJECTS_FIXED };

enum object_kind {
	OBJECT_IS_UNKNOWN,
	OBJECT_IS_KERNEL,
	OBJECT_IS_EARLIER,
	OBJECT_IS_FILE,
	OBJECT_IS_VDSO,
	OBJECT_IS_JIT, /* memory without a file: generated code */
};

struct object {
	enum object_kind kind;
	uint32_t pid;       /* OBJECT_IS_JIT */
	struct text path;   /* OBJECT_IS_FILE; valid until the next maps_map */
	uint64_t mapped_ns; /* time of the first mapping; 0: unknown */
	uint64_t inode;     /* of the file; 0: unknown */
};

struct maps;
/* Returns empty maps. Never NULL. */
struct maps *maps_open(void);
/* Records a new thread: of a new process, or of the same if parent equals pid. */
void maps_fork(struct maps *m, uint32_t parent, uint32_t pid);
/* Records the end of one thread of a process. */
void maps_exit(struct maps *m, uint32_t pid);
/* Records an exec, which clears the address space. */
void maps_exec(struct maps *m, uint32_t pid);
/* Records the name of a process. */
void maps_name(struct maps *m, uint32_t pid, struct text comm);
/* Records an executable mapping. */
void maps_map(struct maps *m, uint32_t pid, const struct perf_map *map, uint64_t now_ns);

/* Returns the number of the object with a path and identity that a process maps. */
uint32_t maps_object_number(
    struct maps *m, uint32_t pid, const char *path, struct text identity);
/* Returns the number of the name of a process, for maps_comm_text. */
uint32_t maps_comm(struct maps *m, uint32_t pid);
/* Returns the name with this number. */
struct text maps_comm_text(const struct maps *m, uint32_t number);
/*
 * Returns the object that contains a user address of a process, and the place in the
 * object: the offset in the file, or the address if the object has no file.
 */
uint32_t maps_find(struct maps *m, uint32_t pid, uint64_t address, uint64_t *where);
/* Returns whether maps_find has found an address of the process since its exec. */
bool maps_begun(struct maps *m, uint32_t pid);
/* Returns the number of objects. */
size_t maps_objects(const struct maps *m);
/* Returns the object with this number. */
struct object maps_object(const struct maps *m, uint32_t number);
void maps_close(struct maps *m);

#endif
