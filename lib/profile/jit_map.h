/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of code made at run time, which a just-in-time compiler writes into a file. Anybody
 * may make files in /tmp, so that only files of the right users are read.
 */
#ifndef PROFILE_JIT_MAP_H
#define PROFILE_JIT_MAP_H

#include <sys/types.h>

#include "base/base.h"

/*
 * Reads /tmp/perf-PID.map into out. The file must be a regular one that belongs to root or
 * to the owner and that not everybody can write. Returns 0, also when there is no file, or
 * -1 and why it is not read.
 */
int jit_map_read(uint32_t pid, uid_t owner, struct buf *out, struct fault *f);

#endif
