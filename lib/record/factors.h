/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The factors of a subject as one string: a JSON object of strings, sorted by name, so that
 * equal factors give equal bytes, regardless of the order of their columns. Pure.
 */
#ifndef RECORD_FACTORS_H
#define RECORD_FACTORS_H

#include "base/base.h"

struct factor {
	struct text name, value;
};

/* Sorts the factors by name and appends them as an object. */
void factors_write(struct buf *out, struct factor *factors, size_t count);
/*
 * Reads such an object, even with a space after each : and , as PostgreSQL writes it. Calls
 * the function for each factor, whose strings live until the function returns. Returns
 * false if the text is not such an object.
 */
bool factors_read(struct text json, void (*each)(void *ctx, struct factor f), void *ctx);

#endif
