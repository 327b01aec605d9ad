/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Says what a file is that is not text.
 */
#ifndef CONVERT_NOT_TEXT_H
#define CONVERT_NOT_TEXT_H

#include "base/base.h"

/* Returns what a file with a NUL byte is, and what to do about it. Returns NULL if it has
 * no NUL byte. */
const char *not_text_reason(struct text t);

#endif
