/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes a library as the dynamic linker uses it: the libraries and symbols that it
 * needs and exports. Searches libraries by name as ld.so(8) describes.
 */
#ifndef ELF_LIBRARY_H
#define ELF_LIBRARY_H

#include "base/intern.h"
#include "elf/elf_file.h"

struct names {
	const char **item;
	size_t count, cap;
};

/* A library or an object. It owns its names. */
struct library {
	struct elf_head head;
	char *path, *directory;         /* directory: the value of $ORIGIN */
	char *soname, *rpath, *runpath; /* NULL if missing */
	struct names needed;
	struct intern exported, versions;
	struct names undefined; /* symbols that others must export, without weak ones */
	struct names wanted;    /* pairs of a library and the version that it must define */
};

/* Reads the description of an object. Free it with library_free. */
struct library *library_of(const struct elf_file *e);
void library_free(struct library *l);
/*
 * Searches the library with this name that chain[from] needs. chain[parent[from]] needs
 * chain[from], and so on up to chain[0], whose parent is itself. The library must have the
 * architecture, word size and byte order of like. Returns NULL if there is none. The result
 * is never freed.
 */
struct library *library_seek(struct library *const *chain, size_t from,
    const size_t *parent, const char *name, const struct elf_head *like);
/* Returns the C library of this program, which is always loaded, or NULL. */
struct library *library_of_c(const struct elf_head *like);

#endif
