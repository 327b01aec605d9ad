/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of CSV that are split without a parser, and the same lines in pieces, which libcsv
 * parses.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/rng.h"
#include "io/csv_lines.h"
#include "io/csv_reader.h"
#include "tests/lib/tap.h"

/* Prints each record as "LINE:field|field|;", and then how many bytes were taken. */
static void split(struct text csv, struct buf *out)
{
	struct csv_batch b = { 0 };
	uint64_t newlines = 0;
	size_t taken = csv_lines_split(&b, csv, &newlines), field = 0;

	for (size_t i = 0; i < b.records; i++) {
		buf_printf(out, "%" PRIu64 ":", b.record[i].line);
		for (; field < b.record[i].fields; field++)
			buf_printf(out, "%.*s|", (int)b.field[field].len,
			    b.bytes.ptr + b.field[field].start);
		buf_byte(out, ';');
	}
	buf_printf(out, " %zu", taken);
	if (field != b.fields)
		buf_str(out, " and a part of a record");
	csv_batch_free(&b);
}

static void test_lines(void)
{
	static const struct {
		struct text csv;
		const char *want, *what;
	} cases[] = {
		{ TEXT("a,b\n1,2\n"), "1:a|b|;2:1|2|; 8", "csv_lines_split splits lines" },
		{ TEXT("a,b\n1,2"), "1:a|b|; 4",
		    "csv_lines_split leaves a line without a newline" },
		{ TEXT("a long field,another long field\n,,\n"),
		    "1:a long field|another long field|;2:|||; 35",
		    "csv_lines_split splits long and empty fields" },
		{ TEXT("a\n\n\nb\n"), "1:a|;4:b|; 6",
		    "csv_lines_split counts blank lines, which are no records" },
		{ TEXT("\"a,b\",\"\",c\n\"\"\n"), "1:a,b||c|;2:|; 14",
		    "csv_lines_split splits quoted fields" },
		{ TEXT("a\nb,\"c\"\"d\"\n"), "1:a|; 2",
		    "csv_lines_split leaves a line with a doubled quote" },
		{ TEXT("a\nb,\"c\nd\"\n"), "1:a|; 2",
		    "csv_lines_split leaves a line that ends within quotes" },
		{ TEXT("a\nb,c\"\n"), "1:a|; 2",
		    "csv_lines_split leaves a line with a quote inside a field" },
		{ TEXT("a\nb,\"c\"d\n"), "1:a|; 2",
		    "csv_lines_split leaves a line with text after a quoted field" },
		{ TEXT(""), " 0", "csv_lines_split takes nothing of an empty text" },
		{ TEXT("\"\n"), " 0", "csv_lines_split leaves a single quote" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf out = { 0 };

		split(cases[i].csv, &out);
		tap_text(out.ptr, cases[i].want, cases[i].what);
		buf_free(&out);
	}
}

static int append(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct buf *b = ctx;

	(void)f;
	buf_printf(b, "%" PRIu64 ":", line);
	for (size_t i = 0; i < count; i++) {
		buf_text(b, field[i]);
		buf_byte(b, '\x1f');
	}
	buf_byte(b, '\x1e');
	return 0;
}

/* Reads a file in pieces. Returns the records, and the message if it cannot be read. */
static char *read_in_pieces(struct text csv, size_t piece)
{
	struct buf out = { 0 };
	struct fault f;
	struct csv_reader *s = csv_reader_open(append, &out);
	int status = 0;

	csv_reader_begin(s, "file");
	for (size_t at = 0, len; at < csv.len && status == 0; at += len) {
		len = csv.len - at < piece ? csv.len - at : piece;
		status = csv_reader_feed(s, csv.ptr + at, len, &f);
	}
	if (status == 0)
		status = csv_reader_end(s, &f);
	csv_reader_close(s);
	if (status < 0)
		buf_str(&out, f.text);
	return out.len ? out.ptr : str_copy("");
}

/* Appends a random field, most often plain, seldom one that is an error. */
static void put_random_field(struct rng *r, struct buf *out)
{
	static const char *const rare[] = { "\"a,b\"", "\"a\"\"b\"", "\"a\n\nb\"", "\"\"",
		" ", "a\"", "\"a\" ", "\"a\r\"", "\r" };
	size_t kind = rng_below(r, 60), len = rng_below(r, 12);

	if (kind < COUNT(rare)) {
		buf_str(out, rare[kind]);
		return;
	}
	for (size_t i = 0; i < len; i++)
		buf_byte(out, (char)('a' + rng_below(r, 26)));
}

static void test_pieces(struct rng *r)
{
	enum { FILES = 5000 };
	int different = 0, failed = 0;

	for (int i = 0; i < FILES; i++) {
		struct buf csv = { 0 };
		struct text t;
		char *whole, *bytes, *some;

		for (size_t n = 1 + rng_below(r, 30); n > 0; n--) {
			put_random_field(r, &csv);
			buf_byte(&csv, ",,,\n"[rng_below(r, 4)]);
		}
		t = text_in(&csv);
		whole = read_in_pieces(t, t.len);
		bytes = read_in_pieces(t, 1);
		some = read_in_pieces(t, 1 + rng_below(r, 40));
		different += strcmp(whole, bytes) != 0 || strcmp(whole, some) != 0;
		failed += strstr(bytes, "file:") != NULL;
		free(whole);
		free(bytes);
		free(some);
		buf_free(&csv);
	}
	tap_ok(different == 0, "csv_reader reads whole lines as libcsv reads their bytes");
	tap_ok(failed > FILES / 20 && failed < FILES / 2,
	    "a part of the random files, %d of %d, are not CSV", failed, FILES);
}

static void test_most_fields(void)
{
	for (size_t fields = CSV_FIELDS_MAX; fields <= CSV_FIELDS_MAX + 1; fields++) {
		struct buf csv = { 0 };
		char *records;

		for (size_t i = 1; i < fields; i++)
			buf_byte(&csv, ',');
		buf_byte(&csv, '\n');
		records = read_in_pieces(text_in(&csv), csv.len);
		if (fields == CSV_FIELDS_MAX)
			tap_ok(strlen(records) == 2 + fields + 1,
			    "csv_reader reads 65536 columns");
		else
			tap_text(records, "file:1: more than 65536 columns",
			    "csv_reader refuses 65537 columns");
		free(records);
		buf_free(&csv);
	}
}

int main(void)
{
	struct rng r;

	rng_seed(&r, 1);
	test_lines();
	test_pieces(&r);
	test_most_fields();
	return tap_end();
}
