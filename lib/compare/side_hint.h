/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The message to users who name only one file, where two are compared.
 */
#ifndef COMPARE_SIDE_HINT_H
#define COMPARE_SIDE_HINT_H

#include "base/base.h"

/*
 * Sets the message that two files are needed. If there is one file, the message has the
 * columns whose values differ within it, so that -b can compare them, or says why the file
 * cannot be read. Returns -1.
 */
int side_hint(
    char *const *path, int files, const char *const *melt, size_t melts, struct fault *f);

#endif
