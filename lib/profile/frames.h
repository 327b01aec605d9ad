/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unwinding rules for places in objects, read from the files of the objects and cached.
 */
#ifndef PROFILE_FRAMES_H
#define PROFILE_FRAMES_H

#include "elf/unwind.h"
#include "profile/maps.h"

struct frames;
/* Opens a cache of rules for the objects of the maps, which must not be closed before it.
 */
struct frames *frames_open(const struct maps *maps);
/* Returns the rules for a place, valid until frames_close, or NULL if there are none. */
const struct unwind_row *frames_row(struct frames *f, uint32_t object, uint64_t where);
void frames_close(struct frames *f);

#endif
