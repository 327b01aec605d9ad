/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A checksum of a run: a sum over its rows of a hash of what each says, so that neither the
 * order of rows nor how they came in matters. A run without a name is named after it, and
 * bench-store check finds with it what was lost or changed. Pure.
 *
 * The hash of a series is text_hash, once with each seed, of the texts host, env, commit,
 * kind, bench, metric and unit, each with a NUL behind it, and the factors as factors_write
 * has them. The hash of a row begins with that, and goes on with 56 bytes: process, sample,
 * t and iterations, signed (the least there is for an empty field), value and running_pct
 * as doubles (0 for -0 and for an empty field), and a word with 2 for a value and 1 for a
 * running_pct, each of 8 bytes, the least first; then with the text of the time, if there
 * is one, then with that of the status. None of it may ever change; base.h lists all hashes
 * that are frozen.
 */
#ifndef STORE_CHECKSUM_H
#define STORE_CHECKSUM_H

#include "store/pack.h"

enum { CHECKSUM_LANES = 2, CHECKSUM_HEX = 32 };

struct checksum {
	uint64_t lane[CHECKSUM_LANES];
};

/* What rows of one series have in common; cell by column id, of those before the factors.
 */
struct checksum checksum_series(const struct text *cell, struct text factors);
/* Take in a row of such a series. */
void checksum_row(struct checksum *sum, const struct checksum *series,
    const struct pack_row *row, struct text time, struct text status);
/* Adds the hash of a text alone, once with each seed. */
void checksum_add_text(struct checksum *sum, struct text t);
void checksum_add(struct checksum *sum, const struct checksum *more);
void checksum_subtract(struct checksum *sum, const struct checksum *less);
bool checksum_equal(const struct checksum *a, const struct checksum *b);
/* 32 hexadecimal digits and a NUL. */
void checksum_print(char out[CHECKSUM_HEX + 1], const struct checksum *sum);
/* False when the text is not such a number. */
bool checksum_parse(struct text t, struct checksum *out);

#endif
