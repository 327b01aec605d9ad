/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the dynamic linker would find all that an object needs: its libraries are sought
 * where ld.so(8) seeks them, and its undefined symbols among what those export. Nothing of
 * them is run, as it would be by dlopen or ldd.
 */
#ifndef ELF_LINKAGE_H
#define ELF_LINKAGE_H

#include "elf/elf_file.h"

/* Returns why the object cannot be loaded, allocated; NULL when it can. */
char *linkage_fault(const struct elf_file *e);

#endif
