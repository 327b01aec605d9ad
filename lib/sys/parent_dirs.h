/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Creates the directories in which a file will be.
 */
#ifndef SYS_PARENT_DIRS_H
#define SYS_PARENT_DIRS_H

#include <sys/types.h>

#include "base/base.h"

/*
 * Creates the directories of a path up to its last slash, as far as they are missing, with
 * these permissions. Returns 0, or -1 and the message.
 */
int parent_dirs_make(const char *path, mode_t mode, struct fault *f);

#endif
