/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Says why a file cannot be read.
 */
#ifndef BASE_FILE_CHECK_H
#define BASE_FILE_CHECK_H

#include "base/base.h"

/* Checks that a path is that of a regular file that may be read. Returns 0, or -1 and the
 * message. */
int file_check(const char *path, struct fault *f);

#endif
