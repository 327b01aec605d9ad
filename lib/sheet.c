/*
 * RFC 4180 on libcsv. libcsv hands out one field at a time in a buffer that it uses again,
 * so the fields of a record are gathered here; it strips spaces around unquoted fields
 * unless told that nothing is a space; it drops blank lines, which are reported here to
 * count lines.
 */
#include <stdlib.h>
#include <string.h>

#include <csv.h>

#include "sheet.h"

enum { FIELDS_MAX = 65536, BUFFER_BLOCK = 4096, SHORT_FIELD = 16 };
static const char byte_order_mark[] = "\xef\xbb\xbf";

struct sheet {
	struct csv_parser csv;
	sheet_record *record;
	void *ctx;
	const char *name;
	struct fault *fault; /* of the call under way */
	struct buf bytes;    /* of the record under way */
	struct text *field;  /* slices of them */
	size_t count, cap;
	uint64_t newlines; /* seen before the record under way */
	uint64_t inside;   /* newlines inside the record under way */
	size_t mark; /* how much of the byte order mark has matched; past it when done */
	bool quotes; /* whether the file had a quote yet: else no field has a newline */
	bool stopped;
};

static int never_space(unsigned char c)
{
	(void)c;
	return 0;
}

struct sheet *sheet_open(sheet_record *record, void *ctx)
{
	struct sheet *s = mem_zero(1, sizeof(*s));

	s->record = record;
	s->ctx = ctx;
	return s;
}

void sheet_begin(struct sheet *s, const char *name)
{
	csv_free(&s->csv);
	csv_init(&s->csv, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
	csv_set_blk_size(&s->csv, BUFFER_BLOCK);
	s->name = name;
	s->bytes.len = s->count = s->mark = 0;
	s->newlines = s->inside = 0;
	s->quotes = s->stopped = false;
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

static int stop(struct sheet *s, uint64_t line, const char *why)
{
	s->stopped = true;
	return fault_set(s->fault, "%s:%llu: %s", s->name, (unsigned long long)line, why);
}

/*
 * Make room for one more field of len bytes; as the bytes may move, the slices follow.
 * False when the file is of no use, or no more fields are taken.
 */
static bool make_room(struct sheet *s, size_t len)
{
	size_t at = 0;

	if (s->stopped)
		return false;
	if (s->count == FIELDS_MAX) {
		stop(s, s->newlines + 1, "more than 65536 columns");
		return false;
	}
	if (s->count == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 16;
		s->field = mem_resize(s->field, s->cap, sizeof(*s->field));
	}
	buf_room(&s->bytes, len + SHORT_FIELD);
	for (size_t i = 0; i < s->count; at += s->field[i++].len)
		s->field[i].ptr = s->bytes.ptr + at;
	return true;
}

/* Called for every field of every file: most are short, and copied by a move of fixed size.
 */
static void on_field(void *bytes, size_t len, void *ctx)
{
	struct sheet *s = ctx;
	size_t used = s->bytes.len, n = s->count;

	if ((n >= s->cap || s->bytes.cap - used <= len + SHORT_FIELD) &&
	    !make_room(s, len))
		return;
	char *to = s->bytes.ptr + used;
	if (len > SHORT_FIELD)
		memcpy(to, bytes, len);
	else if (len)
		memcpy(to, bytes, SHORT_FIELD); /* libcsv's buffer is BUFFER_BLOCK long */
	s->field[n] = (struct text){ to, len };
	s->count = n + 1;
	s->bytes.len = used + len;
	if (s->quotes)
		s->inside += count_newlines(bytes, len);
}

static void on_record(int terminator, void *ctx)
{
	struct sheet *s = ctx;

	if (s->stopped)
		return;
	s->newlines += s->inside;
	s->inside = 0;
	if (s->count) {
		if (s->record(s->ctx, s->field, s->count, s->newlines + 1, s->fault) < 0)
			s->stopped = true;
		s->count = s->bytes.len = 0;
	}
	s->newlines += terminator == '\n';
}

static int parse(struct sheet *s, const char *p, size_t len)
{
	/* libcsv asks for each byte, which is only worth it where there is something to
	 * ask. */
	bool blanks = memchr(p, ' ', len) || memchr(p, '\t', len);

	csv_set_space_func(&s->csv, blanks ? never_space : NULL);
	size_t done = csv_parse(&s->csv, p, len, on_field, on_record, s);

	if (s->stopped)
		return -1;
	if (done == len)
		return 0;
	if (csv_error(&s->csv) != CSV_EPARSE)
		return stop(s, s->newlines + 1, csv_strerror(csv_error(&s->csv)));
	return stop(s, s->newlines + 1,
	    "a quote inside a field (RFC 4180: quote the whole field and double its "
	    "quotes)");
}

int sheet_feed(struct sheet *s, const void *bytes, size_t len, struct fault *f)
{
	const char *p = bytes, *end = p + len, *nul;

	s->fault = f;
	while (s->mark < sizeof(byte_order_mark) - 1 && p < end) {
		if (*p != byte_order_mark[s->mark]) {
			size_t matched = s->mark;

			s->mark = sizeof(byte_order_mark) - 1;
			if (parse(s, byte_order_mark, matched) < 0)
				return -1;
			break;
		}
		s->mark++;
		p++;
	}
	if (!s->quotes && memchr(p, '"', (size_t)(end - p)))
		s->quotes = true;
	nul = memchr(p, '\0', (size_t)(end - p));
	if (parse(s, p, (size_t)((nul ? nul : end) - p)) < 0)
		return -1;
	return nul ? stop(s, s->newlines + 1, "a NUL byte: this is not a text file") : 0;
}

int sheet_end(struct sheet *s, struct fault *f)
{
	s->fault = f;
	if (csv_fini(&s->csv, on_field, on_record, s) != 0 && !s->stopped)
		return stop(s, s->newlines + 1, "the file ends inside a quoted field");
	return s->stopped ? -1 : 0;
}

void sheet_close(struct sheet *s)
{
	if (!s)
		return;
	csv_free(&s->csv);
	buf_free(&s->bytes);
	free(s->field);
	free(s);
}

void sheet_field(struct buf *b, struct text t)
{
	bool quote = false;

	for (size_t i = 0; i < t.len && !quote; i++)
		quote = t.ptr[i] == ',' || t.ptr[i] == '"' || t.ptr[i] == '\n' ||
		        t.ptr[i] == '\r';
	if (!quote) {
		buf_text(b, t);
		return;
	}
	buf_room(b, 2 * t.len + 2);
	b->len += csv_write(b->ptr + b->len, b->cap - b->len, t.ptr, t.len);
	b->ptr[b->len] = '\0';
}
