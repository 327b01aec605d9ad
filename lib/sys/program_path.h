/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds programs in PATH.
 */
#ifndef SYS_PROGRAM_PATH_H
#define SYS_PROGRAM_PATH_H

#include "base/base.h"

/*
 * Returns the path of the file that execvp(3) would execute for this name, allocated.
 * Returns NULL and the message if there is none or it is not executable.
 */
char *program_path(const char *name, struct fault *f);

#endif
