/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts places in objects (see maps.h) to names of functions and source lines. The
 * symbols of an object are read when they are first needed.
 */
#ifndef PROFILE_SYMBOLIZER_H
#define PROFILE_SYMBOLIZER_H

#include <sys/types.h>

#include "profile/maps.h"

struct symbolizer;
/*
 * Opens a symbolizer. If lines is set, names are followed by their source lines: "strtod
 * (strtod.c:40)". owner is the user whose maps of just-in-time compilers are read, see
 * jit_map.h.
 */
struct symbolizer *symbolizer_open(const struct maps *maps, bool lines, uid_t owner);
/*
 * Returns the function at a place: "strtod"; "[libfoo.so]" if the object has no name for
 * it;
 * "[unknown]" if there is no object. Valid until symbolizer_close.
 */
struct text symbolizer_name(struct symbolizer *s, uint32_t object, uint64_t where);
/* Returns the name of an object: "libc.so.6", "[kernel]", "[vdso]", "[jit]", "[unknown]".
 */
struct text symbolizer_object(struct symbolizer *s, uint32_t object);
/* Appends a line for each map of a just-in-time compiler that was rejected. */
void symbolizer_explain(const struct symbolizer *s, struct buf *out);
void symbolizer_close(struct symbolizer *s);

#endif
