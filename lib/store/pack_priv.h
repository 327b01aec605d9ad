/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Definitions that pack.c and unpack.c share: the encodings, and the order of the columns.
 */
#ifndef STORE_PACK_PRIV_H
#define STORE_PACK_PRIV_H

#include "store/pack.h"

enum {
	PACK_FORMAT = 1,
	PACK_COLUMNS = 8,
	PACK_HEAD = 1 + PACK_COLUMNS,
	PACK_CHECK = 4,
	PACK_FEW = 16
};
enum encoding { EMPTY, STEP, DELTA, DOUBLES, TEXTS, STAMPS, GAPS = 0x80 };
enum pack_kind { PACK_INTEGER, PACK_NUMBER, PACK_TIME, PACK_STATUS };

struct pack_field {
	enum pack_kind kind;
	size_t offset; /* in struct pack_row */
};

extern const struct pack_field pack_fields[PACK_COLUMNS];

/*
 * The fields of a column that are not empty, without gaps. Those of a few rows, which many
 * series have, are in the struct.
 */
struct pack_data {
	int64_t *integer;
	double *number;
	unsigned char *present; /* a bit per row: 1 if it is not empty */
	size_t count;

	void *allocated; /* the room of many rows, or NULL */
	struct {
		int64_t integer[PACK_FEW];
		double number[PACK_FEW];
		unsigned char present[PACK_FEW / 8];
	} few;
};

/* Makes room for the fields of rows; pack_data_close frees it. */
void pack_data_open(struct pack_data *c, size_t rows);
void pack_data_close(struct pack_data *c);

static inline bool pack_present(const struct pack_data *c, size_t row)
{
	return c->present[row / 8] >> row % 8 & 1;
}

static inline int64_t *pack_integer(struct pack_row *row, const struct pack_field *field)
{
	return (int64_t *)((char *)row + field->offset);
}

static inline double *pack_number(struct pack_row *row, const struct pack_field *field)
{
	return (double *)((char *)row + field->offset);
}

/* Returns the 32-bit FNV-1a hash; frozen, see text_hash in base.h. */
uint32_t pack_check(const char *p, size_t len);

#endif
