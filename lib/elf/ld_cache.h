/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads /etc/ld.so.cache, the list of libraries that ldconfig(8) of glibc writes.
 */
#ifndef ELF_LD_CACHE_H
#define ELF_LD_CACHE_H

#include <stddef.h>

/*
 * Returns the path of the first library with this name at or after the position *from, and
 * moves *from past it. Returns NULL if there are no more, or if the list does not exist.
 * The path is never freed.
 */
const char *ld_cache_find(const char *name, size_t *from);

#endif
