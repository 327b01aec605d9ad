/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places in objects (see maps.h) to names of functions and lines of source. An object's
 * symbols are read when they are first asked for.
 */
#ifndef PROFILE_SYMBOLIZER_H
#define PROFILE_SYMBOLIZER_H

#include <sys/types.h>

#include "profile/maps.h"

struct symbolizer;
/*
 * With lines, a name is followed by its source line: "strtod (strtod.c:40)". owner is the
 * user whose just-in-time compilers' maps are read, see jit_map.h.
 */
struct symbolizer *symbolizer_open(const struct maps *maps, bool lines, uid_t owner);
/*
 * Returns the function at a place: "strtod"; "[libfoo.so]" where the object has no name for
 * it;
 * "[unknown]" where there is no object. Lives as long as the symbolizer.
 */
struct text symbolizer_name(struct symbolizer *s, uint32_t object, uint64_t where);
/* "libc.so.6", "[kernel]", "[vdso]", "[jit]", "[unknown]" */
struct text symbolizer_object(struct symbolizer *s, uint32_t object);
/* Appends a line for each map that was refused. */
void symbolizer_explain(const struct symbolizer *s, struct buf *out);
void symbolizer_close(struct symbolizer *s);

#endif
