/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checksums of runs; checksum.h describes them.
 */
#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "store/checksum.h"
#include "text/units.h"

static const struct checksum seeds = { { 0x5bd1e9955bd1e995, 0x27d4eb2f165667c5 } };

struct checksum checksum_series(
    const struct text *cell, struct text factors, struct buf *scratch)
{
	static const enum column columns[] = { COL_HOST, COL_ENV, COL_COMMIT, COL_KIND,
		COL_BENCH, COL_METRIC, COL_UNIT };
	struct checksum series = { 0 };

	scratch->len = 0;
	for (size_t i = 0; i < COUNT(columns); i++) {
		buf_text(scratch, cell[columns[i]]);
		buf_byte(scratch, '\0');
	}
	buf_text(scratch, factors);
	checksum_add_text(&series, text_in(scratch));
	return series;
}

static char *put_word(char *p, uint64_t word)
{
	word = htole64(word);
	memcpy(p, &word, sizeof(word));
	return p + sizeof(word);
}

static char *put_number(char *p, double x)
{
	double shown = isnan(x) ? 0 : x + 0.0; /* -0 becomes 0 */
	uint64_t bits;

	memcpy(&bits, &shown, sizeof(bits));
	return put_word(p, bits);
}

void checksum_row(struct checksum *sum, const struct checksum *series,
    const struct pack_row *row, struct text time, struct text status)
{
	struct checksum hash = *series;
	char bytes[7 * 8], *p = bytes;

	p = put_word(p, (uint64_t)row->process);
	p = put_word(p, (uint64_t)row->sample);
	p = put_word(p, (uint64_t)row->t);
	p = put_word(p, (uint64_t)row->iterations);
	p = put_number(p, row->value);
	p = put_number(p, row->running_pct);
	put_word(p, (uint64_t)!isnan(row->value) << 1 | (uint64_t)!isnan(row->running_pct));
	text_hash_twice((struct text){ bytes, sizeof(bytes) }, hash.lane);
	if (time.len)
		text_hash_twice(time, hash.lane);
	text_hash_twice(status, hash.lane);
	checksum_add(sum, &hash);
}

void checksum_add_text(struct checksum *sum, struct text t)
{
	struct checksum hash = seeds;

	text_hash_twice(t, hash.lane);
	checksum_add(sum, &hash);
}

void checksum_add(struct checksum *sum, const struct checksum *more)
{
	for (size_t i = 0; i < CHECKSUM_LANES; i++)
		sum->lane[i] += more->lane[i];
}

void checksum_subtract(struct checksum *sum, const struct checksum *less)
{
	for (size_t i = 0; i < CHECKSUM_LANES; i++)
		sum->lane[i] -= less->lane[i];
}

bool checksum_equal(const struct checksum *a, const struct checksum *b)
{
	for (size_t i = 0; i < CHECKSUM_LANES; i++)
		if (a->lane[i] != b->lane[i])
			return false;
	return true;
}

void checksum_print(char out[CHECKSUM_HEX + 1], const struct checksum *sum)
{
	for (size_t i = 0; i < CHECKSUM_LANES; i++)
		snprintf(out + 16 * i, 17, "%016llx", (unsigned long long)sum->lane[i]);
}

bool checksum_parse(struct text t, struct checksum *out)
{
	return t.len == CHECKSUM_HEX &&
	       hex_parse((struct text){ t.ptr, 16 }, &out->lane[0]) &&
	       hex_parse((struct text){ t.ptr + 16, 16 }, &out->lane[1]);
}
