/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The address spaces of processes over time: which file is mapped where, as the records of
 * the kernel tell it in their order. fork copies a space, exec clears it, a new mapping
 * covers what was there. Pure.
 */
#ifndef PROFILE_MAPS_H
#define PROFILE_MAPS_H

#include "base/intern.h"

/* What code lives in. Numbers are given in the order of appearance, from OBJECTS_FIXED on.
 */
enum { OBJECT_UNKNOWN, OBJECT_KERNEL, OBJECTS_FIXED };

enum object_kind {
	OBJECT_IS_UNKNOWN,
	OBJECT_IS_KERNEL,
	OBJECT_IS_FILE,
	OBJECT_IS_VDSO,
	OBJECT_IS_JIT, /* memory without a file: code made at run time */
};

struct object {
	enum object_kind kind;
	uint32_t pid;       /* OBJECT_IS_JIT */
	struct text path;   /* OBJECT_IS_FILE; lives until the next map */
	uint64_t mapped_ns; /* when it was first; 0: not known */
};

struct maps;
struct maps *maps_open(void);
/* A thread came to be: of a new process (parent is another) or of the same. */
void maps_fork(struct maps *m, uint32_t parent, uint32_t pid);
void maps_exit(struct maps *m, uint32_t pid); /* of one thread */
void maps_exec(struct maps *m, uint32_t pid);
void maps_name(struct maps *m, uint32_t pid, struct text comm);
/*
 * Something executable was mapped. Files of one path are told apart by their identity, any
 * bytes.
 */
void maps_map(struct maps *m, uint32_t pid, uint64_t start, uint64_t size, uint64_t offset,
    const char *path, struct text identity, uint64_t now_ns);

/* The number of what is mapped under a path, as seen by a process. */
uint32_t maps_object_number(
    struct maps *m, uint32_t pid, const char *path, struct text identity);
/* Returns the number of the process's name, an index for maps_comm_text. */
uint32_t maps_comm(struct maps *m, uint32_t pid);
struct text maps_comm_text(const struct maps *m, uint32_t number);
/*
 * Returns which object a user address of a process lies in, and where: the offset in the
 * file, or the address itself for code that is in none.
 */
uint32_t maps_find(struct maps *m, uint32_t pid, uint64_t address, uint64_t *where);
/* Returns whether an address of the process was found since its exec. */
bool maps_begun(struct maps *m, uint32_t pid);
size_t maps_objects(const struct maps *m);
struct object maps_object(const struct maps *m, uint32_t number);
void maps_close(struct maps *m);

#endif
