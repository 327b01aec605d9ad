/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV; see csv_reader.h. Lines of plain fields are split by csv_lines.h, and libcsv parses
 * all others, and lines whose parts are in two pieces of the file. libcsv calls back for
 * each field with a buffer that it reuses, so the fields are collected in a batch. It
 * strips spaces around unquoted fields unless no character counts as a space. It drops
 * blank lines, which are detected here to count lines.
 */
#include <stdlib.h>
#include <string.h>

#include <csv.h>

#include "io/csv_batch.h"
#include "io/csv_lines.h"
#include "io/csv_reader.h"
#include "io/file_kind.h"
#include "io/json_rows.h"
#include "text/utf8.h"

enum { BUFFER_BLOCK = 4096, SHORT_FIELD = 16 };

struct csv_reader {
	csv_reader_record *record;
	void *ctx;
	struct text *field; /* of the record that is delivered */
	size_t field_cap;
	enum record_form form;
	const unsigned char *types;

	/* of the parser, which may be ahead */
	struct csv_parser csv;
	const char *name;
	struct csv_batch *out; /* of the current call */
	struct csv_batch rest; /* the beginning of an incomplete record */
	struct csv_batch own;  /* for csv_reader_feed */
	size_t first;          /* the first field of the current record in out */
	uint64_t newlines;     /* newlines before the current record */
	uint64_t inside;       /* newlines in the current record */
	bool within;           /* libcsv has the beginning of a record */
	size_t mark; /* how many bytes of the byte order mark matched; more than all when
	                that is decided */
	enum { LANGUAGE_UNKNOWN, LANGUAGE_CSV, LANGUAGE_JSON } language;
	struct buf start; /* the beginning of the file until the language is known */
	struct json_rows *json;
	bool began;  /* the file has a byte */
	bool quotes; /* whether the file had a quote so far; without one no field contains a
	                newline */
};

static int never_space(unsigned char c)
{
	(void)c;
	return 0;
}

struct csv_reader *csv_reader_open(csv_reader_record *record, void *ctx)
{
	struct csv_reader *s = mem_zero(1, sizeof(*s));

	s->record = record;
	s->ctx = ctx;
	return s;
}

void csv_reader_begin(struct csv_reader *s, const char *name)
{
	csv_free(&s->csv);
	csv_init(&s->csv, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
	csv_set_blk_size(&s->csv, BUFFER_BLOCK);
	s->name = name;
	csv_batch_clear(&s->rest);
	s->mark = 0;
	s->newlines = s->inside = 0;
	s->began = s->quotes = s->within = false;
	s->language = LANGUAGE_UNKNOWN;
	s->start.len = 0;
}

static uint64_t count_newlines(const char *p, size_t len)
{
	const char *end = p + len;
	uint64_t n = 0;

	while ((p = memchr(p, '\n', (size_t)(end - p)))) {
		n++;
		p++;
	}
	return n;
}

/* Stops delivering records of this file. */
static void stop_reading(struct csv_reader *s, uint64_t line, const char *why)
{
	if (s->out->failed)
		return;
	s->out->failed = true;
	fault_set(&s->out->fault, "%s:%llu: %s", s->name, (unsigned long long)line, why);
}

/* Appends a field. Most are short, and are copied by a move of fixed size. */
static void on_field(void *bytes, size_t len, void *ctx)
{
	struct csv_reader *s = ctx;
	struct csv_batch *b = s->out;
	size_t used = b->bytes.len, n = b->fields;

	if (n == b->field_cap || b->bytes.cap - used <= len + SHORT_FIELD)
		csv_batch_room(b, len, SHORT_FIELD);
	if (len > SHORT_FIELD)
		memcpy(b->bytes.ptr + used, bytes, len);
	else if (len) /* libcsv's buffer is BUFFER_BLOCK long */
		memcpy(b->bytes.ptr + used, bytes, SHORT_FIELD);
	b->field[n] = (struct csv_batch_field){ used, len };
	b->fields = n + 1;
	b->bytes.len = used + len;
	if (s->quotes)
		s->inside += count_newlines(bytes, len);
	if (n - s->first >= CSV_FIELDS_MAX)
		stop_reading(s, s->newlines + 1, "more than 65536 columns");
}

static void on_record(int terminator, void *ctx)
{
	struct csv_reader *s = ctx;
	struct csv_batch *b = s->out;

	if (b->failed)
		return;
	s->newlines += s->inside;
	s->inside = 0;
	s->within = false;
	if (b->fields > s->first) {
		*VEC_ADD(b->record, b->records, b->record_cap) =
		    (struct csv_batch_record){ b->fields, s->newlines + 1, RECORD_OF_CSV };
		s->first = b->fields;
	}
	s->newlines += terminator == '\n';
}

/* Lets libcsv parse text. Returns 0, or -1 after an error. */
static int parse_by_libcsv(struct csv_reader *s, const char *p, size_t len)
{
	s->within = true;
	if (csv_parse(&s->csv, p, len, on_field, on_record, s) == len)
		return 0;
	if (csv_error(&s->csv) != CSV_EPARSE)
		stop_reading(s, s->newlines + 1, csv_strerror(csv_error(&s->csv)));
	else
		stop_reading(s, s->newlines + 1,
		    "a quote inside a field (RFC 4180: quote the whole field and double "
		    "its quotes)");
	return -1;
}

static void parse_csv(struct csv_reader *s, const char *p, size_t len)
{
	/* libcsv calls these functions for each byte, so they are set only if needed. */
	bool blanks = memchr(p, ' ', len) || memchr(p, '\t', len);
	bool plain = !memchr(p, '\r', len);

	csv_set_space_func(&s->csv, blanks ? never_space : NULL);
	for (const char *end = p + len, *newline; p < end && !s->out->failed;) {
		if (plain && !s->within)
			p += csv_lines_split(
			    s->out, (struct text){ p, (size_t)(end - p) }, &s->newlines);
		s->first = s->within ? s->first : s->out->fields;
		newline = plain ? memchr(p, '\n', (size_t)(end - p)) : NULL;
		len = (size_t)((newline ? newline + 1 : end) - p);
		if (len && parse_by_libcsv(s, p, len) < 0)
			return;
		p += len;
		/* After a carriage return, the end of the text may be the end of a record,
		 * but it may also be within quotes. */
		s->within |= !plain;
	}
}

static void parse_json(struct csv_reader *s, struct text t)
{
	const char *why = s->out->failed ? NULL : json_rows_parse(s->json, t, s->out);

	if (why)
		stop_reading(s, json_rows_line(s->json), why);
}

/* Parses a piece, once it is known what the file is. */
static void parse_piece(struct csv_reader *s, struct text t, bool whole)
{
	int json;

	if (s->language == LANGUAGE_UNKNOWN) {
		buf_text(&s->start, t);
		t = text_in(&s->start);
		json = json_rows_detect(t, whole);
		if (json < 0)
			return;
		s->language = json ? LANGUAGE_JSON : LANGUAGE_CSV;
		if (json && !s->json)
			s->json = json_rows_open();
		if (json)
			json_rows_begin(s->json);
		s->start.len = 0;
	}
	if (s->language == LANGUAGE_JSON)
		parse_json(s, t);
	else if (t.len)
		parse_csv(s, t.ptr, t.len);
}

/* Skips the byte order mark. Returns where the text begins. */
static const char *skip_mark(struct csv_reader *s, const char *p, const char *end)
{
	while (s->mark < sizeof(UTF8_MARK) - 1 && p < end) {
		if (*p != UTF8_MARK[s->mark]) {
			size_t matched = s->mark;

			s->mark = sizeof(UTF8_MARK) - 1;
			buf_put(&s->start, UTF8_MARK, matched);
			break;
		}
		s->mark++;
		p++;
	}
	return p;
}

/* Stops at the beginning of a file that is of a known kind, but not text. */
static void check_kind(struct csv_reader *s, struct text t)
{
	struct buf why = { 0 };

	if (!s->began && file_kind_explain(t, &why))
		stop_reading(s, 1, why.ptr);
	s->began = s->began || t.len;
	buf_free(&why);
}

void csv_reader_parse(
    struct csv_reader *s, const void *bytes, size_t len, struct csv_batch *out)
{
	const char *end = (const char *)bytes + len, *p, *nul;

	csv_batch_clear(out);
	csv_batch_move_rest(&s->rest, out);
	s->out = out;
	s->first = 0;
	check_kind(s, (struct text){ bytes, len });
	if (out->failed)
		return;
	p = skip_mark(s, bytes, end);
	s->quotes = s->quotes || memchr(p, '"', (size_t)(end - p));
	nul = memchr(p, '\0', (size_t)(end - p));
	parse_piece(s, (struct text){ p, (size_t)((nul ? nul : end) - p) }, nul != NULL);
	if (nul)
		stop_reading(s,
		    s->language == LANGUAGE_JSON ? json_rows_line(s->json)
		                                 : s->newlines + 1,
		    "a NUL byte: this is not a text file");
	csv_batch_clear(&s->rest);
	csv_batch_move_rest(out, &s->rest);
}

void csv_reader_finish(struct csv_reader *s, struct csv_batch *out)
{
	const char *why;

	csv_batch_clear(out);
	csv_batch_move_rest(&s->rest, out);
	out->last = true;
	s->out = out;
	s->first = 0;
	if (s->language == LANGUAGE_UNKNOWN)
		parse_piece(s, (struct text){ "", 0 }, true);
	why = s->language == LANGUAGE_JSON ? json_rows_finish(s->json) : NULL;
	if (why)
		stop_reading(s, json_rows_line(s->json), why);
	else if (csv_fini(&s->csv, on_field, on_record, s) != 0)
		stop_reading(s, s->newlines + 1, "the file ends inside a quoted field");
}

int csv_reader_deliver(struct csv_reader *s, const struct csv_batch *b, struct fault *f)
{
	const char *bytes = b->bytes.ptr;
	size_t field = 0;

	for (size_t i = 0; i < b->records; i++) {
		size_t count = b->record[i].fields - field;

		if (count > s->field_cap) {
			s->field_cap = 2 * count;
			s->field = mem_resize(s->field, s->field_cap, sizeof(*s->field));
		}
		for (size_t k = 0; k < count; k++)
			s->field[k] = (struct text){ bytes + b->field[field + k].start,
				b->field[field + k].len };
		s->form = b->record[i].form;
		s->types = s->form == RECORD_OF_CSV ? NULL : b->type + field;
		field += count;
		if (s->record(s->ctx, s->field, count, b->record[i].line, f) < 0)
			return -1;
	}
	if (b->failed)
		*f = b->fault;
	return b->failed ? -1 : 0;
}

enum record_form csv_reader_form(const struct csv_reader *s)
{
	return s->form;
}

const unsigned char *csv_reader_types(const struct csv_reader *s)
{
	return s->types;
}

int csv_reader_feed(struct csv_reader *s, const void *bytes, size_t len, struct fault *f)
{
	csv_reader_parse(s, bytes, len, &s->own);
	return csv_reader_deliver(s, &s->own, f);
}

int csv_reader_end(struct csv_reader *s, struct fault *f)
{
	csv_reader_finish(s, &s->own);
	return csv_reader_deliver(s, &s->own, f);
}

int csv_reader_text(struct csv_reader *s, const char *name, struct text t, struct fault *f)
{
	enum { PIECE = 1 << 16 };

	csv_reader_begin(s, name);
	while (t.len) {
		size_t len = t.len < PIECE ? t.len : PIECE;

		if (csv_reader_feed(s, t.ptr, len, f) < 0)
			return -1;
		t = text_after(t, len);
	}
	return csv_reader_end(s, f);
}

void csv_reader_close(struct csv_reader *s)
{
	if (!s)
		return;
	csv_free(&s->csv);
	csv_batch_free(&s->rest);
	csv_batch_free(&s->own);
	json_rows_close(s->json);
	buf_free(&s->start);
	free(s->field);
	free(s);
}

struct first_record {
	csv_reader_record *record;
	void *ctx;
	int result;
	bool found;
};

static int on_first(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct first_record *first = ctx;

	first->found = true;
	first->result = first->record(first->ctx, field, count, line, f);
	return -1;
}

int csv_reader_first(struct text t, csv_reader_record *record, void *ctx, struct fault *f)
{
	struct first_record first = { .record = record, .ctx = ctx };
	struct csv_reader *s = csv_reader_open(on_first, &first);
	int status = csv_reader_text(s, "text", t, f);

	csv_reader_close(s);
	return first.found ? first.result : status;
}

/* Long strings, such as stacks, are searched by words. For short ones the calls would
 * take longer. */
static bool has_marks(struct text t)
{
	static const char marks[] = ",\"\n\r";
	bool found = false;

	if (t.len > 32) {
		for (size_t k = 0; marks[k] && !found; k++)
			found = memchr(t.ptr, marks[k], t.len) != NULL;
		return found;
	}
	for (size_t i = 0; i < t.len && !found; i++)
		found = t.ptr[i] == ',' || t.ptr[i] == '"' || t.ptr[i] == '\n' ||
		        t.ptr[i] == '\r';
	return found;
}

void csv_reader_put_field(struct buf *b, struct text t)
{
	if (!has_marks(t) && !json_rows_detect(t, true) && !file_kind_detect(t)) {
		buf_text(b, t);
		return;
	}
	buf_room(b, 2 * t.len + 2);
	b->len += csv_write(b->ptr + b->len, b->cap - b->len, t.ptr, t.len);
	b->ptr[b->len] = '\0';
}
