/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks whether the dynamic linker would find all libraries and symbols that an object
 * needs. Libraries are searched as ld.so(8) does, and undefined symbols in the libraries.
 * No code is run, unlike with dlopen or ldd.
 */
#ifndef ELF_LINKAGE_H
#define ELF_LINKAGE_H

#include "elf/elf_file.h"

/* Returns the reason why the object cannot be loaded, allocated, or NULL if it can. */
char *linkage_fault(const struct elf_file *e);

#endif
