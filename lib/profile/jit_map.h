/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the names of generated code, which a just-in-time compiler writes to a file. Any
 * user can create files in /tmp, so only files of root and of the owner are read.
 */
#ifndef PROFILE_JIT_MAP_H
#define PROFILE_JIT_MAP_H

#include <sys/types.h>

#include "base/base.h"

/*
 * Reads /tmp/perf-PID.map into out. The file must be a regular file that belongs to root or
 * to the owner and is not writable by everybody. Returns 0, even if there is no file, or -1
 * with the reason why the file is not read.
 */
int jit_map_read(uint32_t pid, uid_t owner, struct buf *out, struct fault *f);

#endif
