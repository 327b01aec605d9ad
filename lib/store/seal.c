/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Serializes rows for their hashes; see seal.h.
 */
#include <endian.h>
#include <math.h>
#include <string.h>

#include "store/seal.h"

const struct seal_columns seal_columns[SEAL_TABLES] = {
	[SEAL_RUN] = { "benchmark_runs", SEAL_RUN_COLUMNS, RUN_SEAL },
	[SEAL_SERIES] = { "benchmark_results", SEAL_SERIES_COLUMNS, SERIES_COLUMNS },
	[SEAL_CHUNK] = { "raw_benchmark_data", "raw_id, result_id, chunk, row_count, data",
	    5 },
	[SEAL_TAG] = { "run_tags", "tag, run_id", 2 },
	[SEAL_FACT] = { "hardware_info", "env, fact, value", 3 },
	[SEAL_FACT_SET] = { "fact_sets", "set_id, env", 2 },
	[SEAL_FACT_SET_VALUE] = { "fact_set_values", "set_id, fact, value", 3 },
	[SEAL_RUN_FACT_SET] = { "run_fact_sets", "run_id, set_id", 2 },
	[SEAL_RUN_FACT_CHANGE] = { "run_fact_changes", "run_id, set_id, fact, value", 4 },
	[SEAL_ANNOTATION] = { "annotations",
	    "annotation_id, run_id, at, host, bench, text, author, added", 8 },
};

void seal_row_begin(struct seal_row *r, enum seal_table table)
{
	r->bytes.len = 0;
	r->column = 0;
	buf_str(&r->bytes, seal_columns[table].table);
	buf_byte(&r->bytes, '\0');
}

void seal_row_null(struct seal_row *r)
{
	r->column++;
}

/* Appends the number of the column, the type and the word, in little-endian order. */
static void put_value(struct seal_row *r, char type, uint64_t word)
{
	struct buf *b = &r->bytes;
	char *p;

	buf_room(b, 2 + sizeof(word));
	p = b->ptr + b->len;
	p[0] = (char)++r->column;
	p[1] = type;
	word = htole64(word);
	memcpy(p + 2, &word, sizeof(word));
	b->len += 2 + sizeof(word);
}

void seal_row_integer(struct seal_row *r, int64_t n)
{
	put_value(r, 'i', (uint64_t)n);
}

void seal_row_number(struct seal_row *r, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	if (isnan(x))
		seal_row_null(r);
	else
		put_value(r, 'n', bits);
}

void seal_row_text(struct seal_row *r, struct text t)
{
	put_value(r, 't', t.len);
	buf_text(&r->bytes, t);
}

void seal_row_bytes(struct seal_row *r, struct text bytes)
{
	put_value(r, 'b', bytes.len);
	buf_text(&r->bytes, bytes);
}

struct checksum seal_row_hash(const struct seal_row *r)
{
	struct checksum hash = { 0 };

	checksum_add_text(&hash, text_in(&r->bytes));
	return hash;
}

void seal_row_free(struct seal_row *r)
{
	buf_free(&r->bytes);
}
