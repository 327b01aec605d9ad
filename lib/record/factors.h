/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The factors of a subject as one text: a JSON object of texts, sorted by name, so that
 * equal factors are equal bytes whatever order their columns came in. Pure.
 */
#ifndef RECORD_FACTORS_H
#define RECORD_FACTORS_H

#include "base/base.h"

struct factor {
	struct text name, value;
};

/* Append the object; sorts the factors by name. */
void factors_write(struct buf *out, struct factor *factors, size_t count);
/*
 * Read such an object, or one as PostgreSQL writes it (a space behind : and ,): each factor
 * is handed to the function, whose texts live until it returns. False when the text is not
 * such an object.
 */
bool factors_read(struct text json, void (*each)(void *ctx, struct factor f), void *ctx);

#endif
