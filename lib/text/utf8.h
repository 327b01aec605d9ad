/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters in UTF-8. Pure. */
#ifndef TEXT_UTF8_H
#define TEXT_UTF8_H

#include "base/base.h"

/* The byte order mark, with which some programs begin a string. */
#define UTF8_MARK "\xef\xbb\xbf"

/*
 * Returns the length of the character at p, at least one byte of which is readable. Returns
 * 0 for an incomplete sequence, an overlong one, a surrogate, or a character beyond
 * U+10FFFF (RFC 3629).
 */
size_t utf8_length(const char *p, size_t len);
/* Writes a character, which is no surrogate and at most U+10FFFF. Returns its length. */
size_t utf8_encode(char out[4], unsigned character);
/* Returns a string without a byte order mark at its beginning. */
struct text utf8_skip_mark(struct text t);

#endif
