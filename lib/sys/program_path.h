/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding programs in PATH.
 */
#ifndef SYS_PROGRAM_PATH_H
#define SYS_PROGRAM_PATH_H

#include "base/base.h"

/*
 * Returns the file that running a program of this name would execute, allocated; NULL and a
 * message when there is none or it is not executable.
 */
char *program_path(const char *name, struct fault *f);

#endif
