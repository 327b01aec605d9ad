/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Says what a file is that is not text.
 */
#ifndef CONVERT_NOT_TEXT_H
#define CONVERT_NOT_TEXT_H

#include "base/base.h"

/* Returns whether the contents of a file, decompressed if they were compressed with gzip,
 * have a NUL byte. Appends what the file is, and what to do about it. */
bool not_text_explain(struct text t, struct buf *b);

#endif
