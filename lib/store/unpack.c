/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unpacks chunks; pack.h describes the bytes. The bytes may be damaged or malicious: the
 * code reads nothing past their end, and they do not determine how much memory is
 * allocated.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/pack_priv.h"

/* A reader that never passes the end, and records errors in bad. */
struct unpack_reader {
	const unsigned char *p, *end;
	bool bad;
};

static uint64_t take_varint(struct unpack_reader *r)
{
	uint64_t n = 0;

	for (int shift = 0; r->p < r->end && shift < 64; shift += 7) {
		unsigned char c = *r->p++;

		n |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80)
			return n;
	}
	r->bad = true;
	return 0;
}

static uint64_t unfolded(uint64_t n)
{
	return n >> 1 ^ -(n & 1);
}

static const unsigned char *take_bytes(struct unpack_reader *r, uint64_t len)
{
	const unsigned char *at = r->p;

	if (len > (uint64_t)(r->end - r->p)) {
		r->bad = true;
		return NULL;
	}
	r->p += len;
	return at;
}

static void take_integers(
    struct unpack_reader *r, unsigned encoding, int64_t *out, size_t count)
{
	uint64_t n = encoding == STEP ? unfolded(take_varint(r)) : 0;
	uint64_t step = encoding == STEP ? unfolded(take_varint(r)) : 0;

	for (size_t i = 0; i < count && !r->bad; i++) {
		if (encoding == DELTA)
			n += unfolded(take_varint(r));
		else if (i)
			n += step;
		out[i] = (int64_t)n;
	}
}

static void take_doubles(struct unpack_reader *r, double *out, size_t count)
{
	const unsigned char *p = take_bytes(r, (uint64_t)count * 8);

	for (size_t i = 0; p && i < count; i++, p += 8) {
		uint64_t bits = 0;

		for (int b = 0; b < 8; b++)
			bits |= (uint64_t)p[b] << 8 * b;
		memcpy(&out[i], &bits, sizeof(bits));
		r->bad |= !isfinite(out[i]);
	}
}

static void take_gaps(struct unpack_reader *r, bool gaps, struct pack_data *c, size_t rows)
{
	const unsigned char *p = gaps ? take_bytes(r, (rows + 7) / 8) : NULL;

	c->count = gaps ? 0 : rows;
	memset(c->present, 0xff, (rows + 7) / 8);
	if (!p)
		return;
	memcpy(c->present, p, (rows + 7) / 8);
	for (size_t i = 0; i < rows; i++)
		c->count += pack_present(c, i);
}

/* Reads a column of strings; integer gets the number of each row's text in the intern. */
static void take_texts(
    struct unpack_reader *r, struct pack_data *c, size_t rows, struct intern *texts)
{
	uint64_t distinct = take_varint(r);
	uint32_t only = 0, *number = &only;

	if (r->bad || distinct == 0 || distinct > rows) {
		r->bad = true;
		return;
	}
	if (distinct > 1)
		number = mem_zero(distinct, sizeof(*number));
	for (size_t i = 0; i < distinct && !r->bad; i++) {
		uint64_t len = take_varint(r);
		const unsigned char *p = take_bytes(r, len);

		if (p)
			number[i] = (uint32_t)intern_add(
			    texts, (struct text){ (const char *)p, (size_t)len });
	}
	for (size_t i = 0; i < rows && !r->bad; i++) {
		uint64_t which = distinct > 1 ? take_varint(r) : 0;

		if (which >= distinct)
			r->bad = true;
		else
			c->integer[i] = number[which];
	}
	if (number != &only)
		free(number);
}

static void take_time(struct unpack_reader *r, unsigned encoding, struct pack_data *c,
    struct pack_row *rows, size_t count, struct intern *texts)
{
	int form;

	if (encoding == EMPTY)
		return;
	if (encoding == TEXTS) {
		take_texts(r, c, count, texts);
		for (size_t i = 0; i < count && !r->bad; i++)
			pack_time(
			    &rows[i], intern_text(texts, (size_t)c->integer[i]), texts);
		return;
	}
	take_gaps(r, encoding & GAPS, c, count);
	const unsigned char *digits = take_bytes(r, 1);
	form = digits ? *digits : 0;
	r->bad |= (encoding & ~(unsigned)GAPS) != STAMPS || form > 9;
	take_integers(r, DELTA, c->integer, c->count);
	for (size_t i = 0, at = 0; i < count && !r->bad; i++)
		if (pack_present(c, i)) {
			rows[i].time = c->integer[at++];
			rows[i].time_form = form;
		}
}

static void take_status(struct unpack_reader *r, unsigned encoding, struct pack_data *c,
    struct pack_row *rows, size_t count, struct intern *texts)
{
	if (encoding == TEXTS)
		take_texts(r, c, count, texts);
	else if (encoding != EMPTY)
		r->bad = true;
	for (size_t i = 0; encoding == TEXTS && i < count && !r->bad; i++)
		rows[i].status = (uint32_t)c->integer[i];
}

static void take_field(struct unpack_reader *r, unsigned encoding, struct pack_data *c,
    const struct pack_field *field, struct pack_row *rows, size_t count)
{
	unsigned how = encoding & ~(unsigned)GAPS;

	if (encoding == EMPTY)
		return;
	take_gaps(r, encoding & GAPS, c, count);
	if (how == DOUBLES && field->kind == PACK_NUMBER)
		take_doubles(r, c->number, c->count);
	else if (how == STEP || how == DELTA)
		take_integers(r, how, c->integer, c->count);
	else
		r->bad = true;
	for (size_t i = 0, at = 0; i < count && !r->bad; i++) {
		if (!pack_present(c, i))
			continue;
		if (field->kind == PACK_INTEGER)
			*pack_integer(&rows[i], field) = c->integer[at];
		else
			*pack_number(&rows[i], field) =
			    how == DOUBLES ? c->number[at] : (double)c->integer[at];
		at++;
	}
}

int pack_decode(
    struct text bytes, struct intern *texts, struct pack_rows *out, struct fault *f)
{
	struct pack_data c;
	struct unpack_reader r;
	struct pack_row *rows;
	uint64_t count;
	uint32_t check = 0;

	if (bytes.len && *bytes.ptr > PACK_FORMAT)
		return fault_set(f,
		    "a chunk of samples has format %d, which is newer than this program",
		    *bytes.ptr);
	for (int b = 0; b < PACK_CHECK && bytes.len > PACK_HEAD + PACK_CHECK; b++)
		check |=
		    (uint32_t)(unsigned char)bytes.ptr[bytes.len - PACK_CHECK + (size_t)b]
		    << 8 * b;
	if (bytes.len <= PACK_HEAD + PACK_CHECK ||
	    check != pack_check(bytes.ptr, bytes.len - PACK_CHECK))
		return fault_set(f, "a chunk of samples is damaged");
	r = (struct unpack_reader){ (const unsigned char *)bytes.ptr + PACK_HEAD,
		(const unsigned char *)bytes.ptr + bytes.len - PACK_CHECK, false };
	count = take_varint(&r);
	if (r.bad || count == 0 || count > PACK_ROWS)
		return fault_set(f, "a chunk of samples is damaged");
	while (out->cap - out->count < count)
		out->row = mem_more(out->row, &out->cap, sizeof(*out->row));
	rows = out->row + out->count;
	uint32_t no_text = (uint32_t)intern_add(texts, (struct text){ "", 0 });
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct pack_row){ ROW_NONE, ROW_NONE, ROW_NONE, ROW_NONE, 0, NAN,
			NAN, no_text, PACK_TIME_NONE };
	pack_data_open(&c, count);
	for (size_t i = 0; i < PACK_COLUMNS && !r.bad; i++) {
		unsigned encoding = (unsigned char)bytes.ptr[1 + i];

		if (pack_fields[i].kind == PACK_TIME)
			take_time(&r, encoding, &c, rows, count, texts);
		else if (pack_fields[i].kind == PACK_STATUS)
			take_status(&r, encoding, &c, rows, count, texts);
		else
			take_field(&r, encoding, &c, &pack_fields[i], rows, count);
	}
	pack_data_close(&c);
	if (r.bad || r.p != r.end)
		return fault_set(f, "a chunk of samples is damaged");
	out->count += count;
	return 0;
}
