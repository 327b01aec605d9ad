/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of code generated at run time, which a just-in-time compiler writes to a file. Any
 * user may create files in /tmp, so only files of root and the owner are read.
 */
#ifndef PROFILE_JIT_MAP_H
#define PROFILE_JIT_MAP_H

#include <sys/types.h>

#include "base/base.h"

/*
 * Reads /tmp/perf-PID.map into out. The file must be a regular file that belongs to root or
 * to the owner and is not writable by everybody. Returns 0, also when there is no file, or
 * -1 and why it is not read.
 */
int jit_map_read(uint32_t pid, uid_t owner, struct buf *out, struct fault *f);

#endif
