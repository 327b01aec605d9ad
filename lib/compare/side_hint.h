/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The message to users who name only one file, where two are compared.
 */
#ifndef COMPARE_SIDE_HINT_H
#define COMPARE_SIDE_HINT_H

#include "base/base.h"

/*
 * Sets the message that a file is one side, where two are needed, with the columns whose
 * values differ within the file, so that -b can compare them. A file that cannot be read
 * has a message of its own. Returns -1.
 */
int side_hint(const char *path, const char *const *melt, size_t melts, struct fault *f);

#endif
