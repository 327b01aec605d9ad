/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dynamic linker's list of libraries, /etc/ld.so.cache, as ldconfig(8) of glibc writes
 * it.
 */
#ifndef ELF_LD_CACHE_H
#define ELF_LD_CACHE_H

#include <stddef.h>

/*
 * Returns the path of a library by its name: the first one at or after place *from, which
 * is then moved past it; NULL when there are no more, or there is no such list. It lives
 * as long as the program.
 */
const char *ld_cache_find(const char *name, size_t *from);

#endif
