/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library as the dynamic linker sees it: what it needs, what it exports, and where one of
 * a name is found, which ld.so(8) tells.
 */
#ifndef ELF_LIBRARY_H
#define ELF_LIBRARY_H

#include "base/intern.h"
#include "elf/elf_file.h"

struct names {
	const char **item;
	size_t count, cap;
};

/* A library, or the object itself. The names are its own copies. */
struct library {
	struct elf_head head;
	char *path, *directory;         /* the latter is $ORIGIN */
	char *soname, *rpath, *runpath; /* or NULL */
	struct names needed;
	struct intern exported, versions;
	struct names undefined; /* what others are to export; not the weak ones */
	struct names wanted;    /* pairs: the library, and the version that it is to have */
};

struct library *library_of(const struct elf_file *e);
void library_free(struct library *l);
/*
 * Returns the library of a name, as chain[from] needs it, which chain[parent[from]] needs
 * itself, and so on up to chain[0], its own parent. It is like the head in machine, word
 * size and byte order, and lives as long as the program. NULL: there is none.
 */
struct library *library_seek(struct library *const *chain, size_t from,
    const size_t *parent, const char *name, const struct elf_head *like);
/* The C library of this program, which is there whatever an object needs; or NULL. */
struct library *library_of_c(const struct elf_head *like);

#endif
