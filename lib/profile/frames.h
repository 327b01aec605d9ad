/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of unwinding for places in objects, read from the objects' files once and kept.
 */
#ifndef PROFILE_FRAMES_H
#define PROFILE_FRAMES_H

#include "elf/unwind.h"
#include "profile/maps.h"

struct frames;
struct frames *frames_open(const struct maps *maps);
/* Returns the row for a place, which lives as long as the frames; NULL where there is none.
 */
const struct unwind_row *frames_row(struct frames *f, uint32_t object, uint64_t where);
void frames_close(struct frames *f);

#endif
