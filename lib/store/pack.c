/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packs rows into chunks; pack.h describes the bytes. Typical columns are small:
 * consecutive sample numbers, a constant status or an empty column take a few bytes per
 * chunk, a time about five bytes per row, and an integer number of nanoseconds two to
 * four. A general compressor would save little of the remaining noise, and would add a
 * dependency.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/pack_priv.h"

enum { VARINT_MAX = 10 };

const struct pack_field pack_fields[PACK_COLUMNS] = {
	{ PACK_INTEGER, offsetof(struct pack_row, process) },
	{ PACK_INTEGER, offsetof(struct pack_row, sample) },
	{ PACK_INTEGER, offsetof(struct pack_row, t) },
	{ PACK_INTEGER, offsetof(struct pack_row, iterations) },
	{ PACK_TIME, offsetof(struct pack_row, time) },
	{ PACK_NUMBER, offsetof(struct pack_row, value) },
	{ PACK_STATUS, offsetof(struct pack_row, status) },
	{ PACK_NUMBER, offsetof(struct pack_row, running_pct) },
};

void pack_data_open(struct pack_data *c, size_t rows)
{
	c->count = 0;
	c->allocated = NULL;
	c->integer = c->few.integer;
	c->number = c->few.number;
	c->present = c->few.present;
	if (rows <= PACK_FEW)
		return;
	c->allocated = mem_resize(
	    NULL, rows, sizeof(*c->integer) + sizeof(*c->number) + sizeof(*c->present));
	c->integer = c->allocated;
	c->number = (double *)(c->integer + rows);
	c->present = (unsigned char *)(c->number + rows);
}

void pack_data_close(struct pack_data *c)
{
	free(c->allocated);
}

uint32_t pack_check(const char *p, size_t len)
{
	uint32_t h = 0x811c9dc5;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)p[i]) * 0x01000193;
	return h;
}

static char *put_varint(char *p, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		*p++ = (char)(n | 0x80);
	*p++ = (char)n;
	return p;
}

static uint64_t folded(uint64_t n)
{
	return n << 1 ^ -(n >> 63);
}

static void add_varint(struct buf *out, uint64_t n)
{
	buf_room(out, VARINT_MAX);
	out->len = (size_t)(put_varint(out->ptr + out->len, n) - out->ptr);
}

/* Differences are modulo 2^64, so none overflows. */
static enum encoding put_deltas(struct buf *out, const int64_t *n, size_t count)
{
	uint64_t last = 0;
	char *p;

	buf_room(out, count * VARINT_MAX);
	p = out->ptr + out->len;
	for (size_t i = 0; i < count; i++) {
		p = put_varint(p, folded((uint64_t)n[i] - last));
		last = (uint64_t)n[i];
	}
	out->len = (size_t)(p - out->ptr);
	return DELTA;
}

static enum encoding put_integers(struct buf *out, const int64_t *n, size_t count)
{
	uint64_t step = count > 1 ? (uint64_t)n[1] - (uint64_t)n[0] : 0;

	for (size_t i = 2; i < count; i++)
		if ((uint64_t)n[i] - (uint64_t)n[i - 1] != step)
			return put_deltas(out, n, count);
	add_varint(out, folded((uint64_t)n[0]));
	add_varint(out, folded(step));
	return STEP;
}

static bool is_exact_integer(double x)
{
	return fabs(x) < 0x1p53 && x == (double)(int64_t)x && !(x == 0 && signbit(x));
}

static enum encoding put_numbers(struct buf *out, struct pack_data *c)
{
	size_t i;

	for (i = 0; i < c->count && is_exact_integer(c->number[i]); i++)
		c->integer[i] = (int64_t)c->number[i];
	if (i == c->count)
		return put_integers(out, c->integer, c->count);
	buf_room(out, c->count * 8);
	for (i = 0; i < c->count; i++) {
		uint64_t bits;

		memcpy(&bits, &c->number[i], sizeof(bits));
		for (int b = 0; b < 64; b += 8)
			out->ptr[out->len++] = (char)(bits >> b);
	}
	return DOUBLES;
}

static void put_gaps(struct buf *out, const struct pack_data *c, size_t rows)
{
	if (c->count < rows)
		buf_put(out, c->present, (rows + 7) / 8);
}

/* Extracts the present fields of a column to integer or number. */
static void extract_field(struct pack_data *c, const struct pack_field *field,
    const struct pack_row *rows, size_t count)
{
	c->count = 0;
	memset(c->present, 0, (count + 7) / 8);
	for (size_t i = 0; i < count; i++) {
		struct pack_row *row = (struct pack_row *)&rows[i];
		bool present;

		if (field->kind == PACK_NUMBER) {
			c->number[c->count] = *pack_number(row, field);
			present = !isnan(c->number[c->count]);
		} else {
			c->integer[c->count] = *pack_integer(row, field);
			present = field->kind == PACK_TIME
			              ? row->time_form != PACK_TIME_NONE
			              : c->integer[c->count] != ROW_NONE;
		}
		c->present[i / 8] |= (unsigned char)(present << i % 8);
		c->count += present;
	}
}

static unsigned put_present(
    struct buf *out, struct pack_data *c, const struct pack_field *field, size_t rows)
{
	unsigned gaps = c->count < rows ? GAPS : 0;

	if (!c->count)
		return EMPTY;
	put_gaps(out, c, rows);
	return gaps |
	       (field->kind == PACK_NUMBER ? put_numbers(out, c)
	                                   : put_integers(out, c->integer, c->count));
}

/* Writes a column of equal strings. */
static enum encoding put_one_text(struct buf *out, struct text t)
{
	if (!t.len)
		return EMPTY;
	add_varint(out, 1);
	add_varint(out, t.len);
	buf_text(out, t);
	return TEXTS;
}

/* Writes the distinct strings of a column, and the index of each row's text. */
static enum encoding put_texts(
    struct buf *out, const struct intern *distinct, const int64_t *which, size_t count)
{
	if (distinct->count == 1 && intern_text(distinct, 0).len == 0)
		return EMPTY;
	add_varint(out, distinct->count);
	for (size_t i = 0; i < distinct->count; i++) {
		struct text t = intern_text(distinct, i);

		add_varint(out, t.len);
		buf_text(out, t);
	}
	for (size_t i = 0; distinct->count > 1 && i < count; i++)
		add_varint(out, (uint64_t)which[i]);
	return TEXTS;
}

static unsigned put_time(struct buf *out, struct pack_data *c,
    const struct pack_field *field, const struct pack_row *rows, size_t count,
    const struct intern *texts)
{
	struct intern distinct = { 0 };
	int form = PACK_TIME_NONE;
	char small[STAMP_MAX];
	unsigned encoding;

	extract_field(c, field, rows, count);
	for (size_t i = 0; i < count && form != PACK_TIME_TEXT; i++)
		if (form == PACK_TIME_NONE)
			form = rows[i].time_form;
		else if (rows[i].time_form != PACK_TIME_NONE && rows[i].time_form != form)
			form = PACK_TIME_TEXT;
	if (form == PACK_TIME_NONE)
		return EMPTY;
	if (form != PACK_TIME_TEXT) {
		put_gaps(out, c, count);
		buf_byte(out, (char)form);
		put_deltas(out, c->integer, c->count);
		return STAMPS | (c->count < count ? GAPS : 0);
	}
	for (size_t i = 0; i < count; i++)
		c->integer[i] =
		    (int64_t)intern_add(&distinct, pack_time_text(&rows[i], texts, small));
	encoding = put_texts(out, &distinct, c->integer, count);
	intern_free(&distinct);
	return encoding;
}

static unsigned put_status(struct buf *out, struct pack_data *c,
    const struct pack_row *rows, size_t count, const struct intern *texts)
{
	struct intern distinct = { 0 };
	unsigned encoding;
	size_t same = 1;

	while (same < count && rows[same].status == rows[0].status)
		same++;
	if (same >= count)
		return put_one_text(out, intern_text(texts, rows[0].status));
	for (size_t i = 0; i < count; i++)
		c->integer[i] = i && rows[i].status == rows[i - 1].status
		                    ? c->integer[i - 1]
		                    : (int64_t)intern_add(
		                          &distinct, intern_text(texts, rows[i].status));
	encoding = put_texts(out, &distinct, c->integer, count);
	intern_free(&distinct);
	return encoding;
}

void pack_encode(
    const struct pack_row *rows, size_t count, const struct intern *texts, struct buf *out)
{
	struct pack_data c;
	size_t start = out->len;
	uint32_t check;

	pack_data_open(&c, count);
	buf_room(out, PACK_HEAD);
	out->ptr[start] = PACK_FORMAT;
	out->len += PACK_HEAD;
	add_varint(out, count);
	for (size_t i = 0; i < PACK_COLUMNS; i++) {
		unsigned encoding;

		if (pack_fields[i].kind == PACK_TIME) {
			encoding = put_time(out, &c, &pack_fields[i], rows, count, texts);
		} else if (pack_fields[i].kind == PACK_STATUS) {
			encoding = put_status(out, &c, rows, count, texts);
		} else {
			extract_field(&c, &pack_fields[i], rows, count);
			encoding = put_present(out, &c, &pack_fields[i], count);
		}
		out->ptr[start + 1 + i] = (char)encoding;
	}
	check = pack_check(out->ptr + start, out->len - start);
	for (int b = 0; b < 32; b += 8)
		buf_byte(out, (char)(check >> b));
	pack_data_close(&c);
}

void pack_time(struct pack_row *row, struct text time, struct intern *texts)
{
	int digits;

	row->time = 0;
	row->time_form = PACK_TIME_NONE;
	if (!time.len)
		return;
	if (stamp_parse(time, &row->time, &digits) && digits != STAMP_FOREIGN) {
		row->time_form = digits;
		return;
	}
	row->time = (int64_t)intern_add(texts, time);
	row->time_form = PACK_TIME_TEXT;
}

struct text pack_time_text(
    const struct pack_row *row, const struct intern *texts, char small[STAMP_MAX])
{
	if (row->time_form == PACK_TIME_NONE)
		return (struct text){ "", 0 };
	if (row->time_form == PACK_TIME_TEXT)
		return intern_text(texts, (size_t)row->time);
	return (struct text){ small, stamp_print(small, row->time, row->time_form) };
}

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* NAN, an empty field, comes first. */
static int order_of_numbers(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(b) - isnan(a);
	return (a > b) - (a < b);
}

int pack_order(const struct pack_row *a, const struct pack_row *b)
{
	int order = order_of(a->process, b->process);

	order = order ? order : order_of(a->sample, b->sample);
	return order ? order : order_of(a->t, b->t);
}

int pack_compare(const struct pack_row *a, const struct pack_row *b)
{
	int order = pack_order(a, b);

	order = order ? order : order_of_numbers(a->value, b->value);
	order = order ? order : order_of(a->status, b->status);
	order = order ? order : order_of(a->iterations, b->iterations);
	order = order ? order : order_of_numbers(a->running_pct, b->running_pct);
	order = order ? order : order_of(a->time_form, b->time_form);
	return order ? order : order_of(a->time, b->time);
}

bool pack_numbered(const struct pack_row *row)
{
	return row->sample != ROW_NONE || row->t != ROW_NONE;
}
