/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The content of a record of the results of a site: numbers, strings with their lengths,
 * and arrays, all of which begin at multiples of 8 bytes.
 */
#ifndef SITE_SITE_RECORD_PRIV_H
#define SITE_SITE_RECORD_PRIV_H

#include "base/base.h"

/* The beginning of a record. */
struct site_record_head {
	uint64_t kind, bytes, hash;
};

/* Returns the bytes that a string of this length takes, with its padding. */
size_t site_record_padded(size_t bytes);
/* Appends zeros up to a multiple of 8 bytes. */
void site_record_pad(struct buf *b);
/* Append a number; a string. */
void site_record_put_length(struct buf *b, size_t n);
void site_record_put_name(struct buf *b, struct text t);

/* Reads what was appended. */
struct site_record_reader {
	const char *p, *end;
	bool damaged; /* a number or string exceeded the end */
};

/* Begins to read the content of a record. */
struct site_record_reader site_record_read(struct text content);
/* Return the next number or string; 0 or "" beyond the end. */
size_t site_record_take_length(struct site_record_reader *r);
struct text site_record_take_name(struct site_record_reader *r);

/* Returns whether a string consists of the names of a series, and its factors of pairs. */
bool site_record_names_series(struct text key);
/* Returns whether a record continues with visits alone, and all their results belong to the
 * first `series` series. */
bool site_record_has_visits(struct site_record_reader r, size_t series);

#endif
