/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checksum of a run: the sum of the hashes of its rows, which depends neither on the
 * order of the rows nor on the number of additions. A run without a name is named after its
 * checksum, and bench-store check uses the checksum to find lost and changed rows. Pure.
 *
 * The hash of a series is text_hash, once with each seed, of the strings host, env, commit,
 * kind, bench, metric and unit, each followed by a NUL, and the factors as factors_write
 * writes them. The hash of a row has the hash of the series as its seed, and covers 56
 * bytes, in 8-byte little-endian words: process, sample, t and iterations as signed
 * integers (INT64_MIN for an empty field), value and running_pct as doubles (0 for -0 and
 * for an empty field), and a word that is 2 if there is a value plus 1 if there is a
 * running_pct. That hash is the seed of a hash of the text of the time, if there is one,
 * and the result is the seed of a hash of the text of the status. This definition may never
 * change; base.h lists all frozen hashes.
 */
#ifndef STORE_CHECKSUM_H
#define STORE_CHECKSUM_H

#include "store/pack.h"

enum { CHECKSUM_LANES = 2, CHECKSUM_HEX = 32 };

struct checksum {
	uint64_t lane[CHECKSUM_LANES];
};

/* Returns the hash of a series. cell: by the ids of the columns before the factors. scratch
 * is overwritten; the caller frees it. */
struct checksum checksum_series(
    const struct text *cell, struct text factors, struct buf *scratch);
/* Adds the hash of a row of a series to sum. */
void checksum_row(struct checksum *sum, const struct checksum *series,
    const struct pack_row *row, struct text time, struct text status);
/* Adds the hash of a string, once with each seed. */
void checksum_add_text(struct checksum *sum, struct text t);
void checksum_add(struct checksum *sum, const struct checksum *more);
void checksum_subtract(struct checksum *sum, const struct checksum *less);
bool checksum_equal(const struct checksum *a, const struct checksum *b);
/* Writes 32 hexadecimal digits and a NUL. */
void checksum_print(char out[CHECKSUM_HEX + 1], const struct checksum *sum);
/* Parses 32 hexadecimal digits. Returns false for any other text. */
bool checksum_parse(struct text t, struct checksum *out);

#endif
