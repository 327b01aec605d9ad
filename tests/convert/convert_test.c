/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts files of other programs, intact and broken: each is changed many times with the
 * same pseudorandom numbers. A changed file must be rejected with one line and no output,
 * or its output must be readable.
 */
#include <dirent.h>
#include <math.h>

#include "record/row_builder.h"
#include "tests/convert/convert_one.h"
#include "tests/lib/tap.h"

static const char directory[] = "tests/fixtures/data/convert";
static uint64_t state = 20261122;

static uint64_t next_random(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* Texts that replace parts of a file. */
static const char *const pieces[] = { "", "0", "-1", "1e999", "1e308", "1e-400", "nan",
	"NaN", "null", "[]", "{}", "\"\"", "\"", ",", ";", "\n", "\r\n", " ", "%", "true",
	"[[[[[[", "\xff", "\xc3", "\xed\xa0\x80", "\\u0000", "<not counted>",
	"9999999999999999999999", "-0.0", "\\", "Benchmark", "1e", "0x10", "Infinity", ":",
	"=", "/" };

static void mutate(const struct buf *from, struct buf *out)
{
	size_t changes = 1 + next_random(4);

	out->len = 0;
	buf_put(out, from->ptr, from->len);
	while (changes--) {
		size_t at = next_random(out->len + 1), len = next_random(8);
		const char *piece = pieces[next_random(COUNT(pieces))];
		struct buf rest = { 0 };

		if (next_random(20) == 0)
			len = out->len - at; /* truncate */
		if (next_random(10) == 0)
			len = next_random(out->len + 1);
		if (len > out->len - at)
			len = out->len - at;
		buf_put(&rest, out->ptr + at + len, out->len - at - len);
		if (next_random(8) == 0) /* duplicate a part */
			buf_put(&rest, out->ptr + at, len);
		out->len = at;
		buf_str(out, piece);
		buf_put(out, rest.ptr ? rest.ptr : "", rest.len);
		buf_free(&rest);
	}
}

/* Converts a text as convert_one() does, and prints the rule that is broken. */
static int convert(const char *to, struct text t, struct conversion *r)
{
	const struct convert c = { .to = to };
	int status = convert_one(&c, t, r);

	if (r->broken)
		printf("# to %s: %s: %s\n", to, r->broken, r->message.text);
	return status;
}

static struct text output_of(const struct conversion *r)
{
	return text_in(&r->out);
}

/* Returns whether a changed file is correctly rejected, or its output can be read again. */
static bool survives(struct text t, const char *to, bool reads)
{
	struct conversion first = { 0 }, second = { 0 };
	bool fine;

	if (convert(to, t, &first) == 0 && !first.broken && reads &&
	    convert(NULL, output_of(&first), &second) < 0)
		second.broken = "what was written cannot be read";
	fine = !first.broken && !second.broken;
	if (!fine)
		printf("# to %s: %s\n", to, second.message.text);
	conversion_free(&first);
	conversion_free(&second);
	return fine;
}

static void fuzz(const char *name)
{
	enum { TIMES = TAP_SANITIZED ? 400 : 1000 }; /* make fuzz tries many more */
	char *path = str_format("%s/%s", directory, name);
	struct buf whole = { 0 }, changed = { 0 };
	struct fault f;
	size_t bad = 0;

	if (file_read(path, &whole, &f) < 0)
		bad = TIMES;
	for (size_t i = 0; bad == 0 && i < TIMES; i++) {
		const struct format *to = formats_known[next_random(formats_count)];

		mutate(&whole, &changed);
		if (!format_writes(to))
			to = formats_known[0];
		if (!survives(text_in(&changed), to->name,
		        to->read && to->writer && strcmp(to->name, "go") != 0)) {
			printf("# to %s, from:\n", to->name);
			bad++;
		}
	}
	tap_ok(bad == 0, "bench-convert rejects or converts %s with random changes", name);
	free(path);
	buf_free(&whole);
	buf_free(&changed);
}

/* Checks that CSV is unchanged after conversion to JSON and back. */
static bool keeps_rows(struct text t)
{
	struct conversion before = { 0 }, json = { 0 }, after = { 0 };
	bool kept = true;

	if (convert("csv", t, &before) == 0) {
		kept = convert("json", output_of(&before), &json) == 0 &&
		       convert("csv", output_of(&json), &after) == 0 &&
		       text_equal(output_of(&before), output_of(&after));
		if (!kept)
			printf("# before: %.900s\n# after: %.900s\n", before.out.ptr,
			    after.out.ptr ? after.out.ptr : "(nothing)");
	}
	conversion_free(&before);
	conversion_free(&json);
	conversion_free(&after);
	return kept;
}

/* Appends a CSV field with bytes that are special in CSV or JSON. */
static void put_random_text(struct buf *out, size_t pieces_max)
{
	static const char *const piece[] = { "a", "metric", "value", "\"\"", ",", "\n",
		"\r\n", "\\", "\\u0000", "/", "[", "{", "]", ":", "\t", "\x01", "\x7f",
		"\u00e9", "\u202e", "\U0001f600", "null", "1.50", " " };

	buf_byte(out, '"');
	for (size_t n = next_random(pieces_max + 1); n; n--)
		buf_str(out, piece[next_random(COUNT(piece))]);
	buf_byte(out, '"');
}

static void put_random_field(struct buf *out, const char *column)
{
	static const char *const number[] = { "", "0", "-0", "0.1", "1e300", "-2.5e-310",
		"9007199254740993", "9223372036854775807", "1e15", "100", "5e-324" };
	static const char *const integer[] = { "", "0", "-1", "7", "9007199254740993",
		"9223372036854775807", "-9223372036854775807", "1000000000000000" };

	if (strcmp(column, "value") == 0 || strcmp(column, "running_pct") == 0)
		buf_str(out, number[next_random(COUNT(number))]);
	else if (strcmp(column, "sample") == 0 || strcmp(column, "process") == 0 ||
	         strcmp(column, "t") == 0 || strcmp(column, "iterations") == 0)
		buf_str(out, integer[next_random(COUNT(integer))]);
	else
		put_random_text(out, 3);
}

static void put_random_table(struct buf *out)
{
	static const char *const known[] = { "metric", "value", "unit", "run", "time",
		"host", "env", "commit", "kind", "bench", "process", "sample", "t",
		"iterations", "status", "running_pct" };
	bool has[COUNT(known)];
	size_t factors = next_random(4), rows = 1 + next_random(5);

	for (size_t i = 0; i < COUNT(known); i++) {
		has[i] = i < 2 || next_random(2);
		if (has[i])
			buf_printf(out, "%s%s", i ? "," : "", known[i]);
	}
	for (size_t i = 0; i < factors; i++) {
		buf_printf(out, ",");
		put_random_text(out, 2);
		out->len--; /* names differ by their last byte */
		buf_printf(out, "%zu\"", i);
	}
	buf_byte(out, '\n');
	while (rows--) {
		for (size_t i = 0; i < COUNT(known); i++)
			if (has[i]) {
				buf_str(out, i ? "," : "");
				put_random_field(out, known[i]);
			}
		for (size_t i = 0; i < factors; i++) {
			buf_byte(out, ',');
			put_random_text(out, 3);
		}
		buf_byte(out, '\n');
	}
}

static void keeps_random_rows(void)
{
	enum { TABLES = TAP_ROUNDS(3000) };
	struct conversion csv = { 0 };
	struct buf table = { 0 };
	size_t lost = 0, taken = 0;

	for (size_t i = 0; i < TABLES && !lost; i++) {
		struct text t;

		table.len = 0;
		put_random_table(&table);
		t = text_in(&table);
		taken += convert("csv", t, &csv) == 0;
		lost += !keeps_rows(t);
	}
	tap_ok(taken > TABLES / 2 && !lost,
	    "random rows are unchanged after conversion to JSON and back (%zu tables of "
	    "%d)",
	    taken, TABLES);
	buf_free(&table);
	conversion_free(&csv);
}

/* Appends a number of all orders of magnitude, with up to 17 digits. */
static void put_random_number(struct buf *out)
{
	uint64_t bits = next_random(UINT64_MAX);
	double x;

	memcpy(&x, &bits, sizeof(x));
	if (isfinite(x))
		buf_printf(out, "%.17g", x);
}

static void keeps_many_rows(void)
{
	enum { ROWS = TAP_ROUNDS(100000) };
	static const char *const columns[] = { "run", "bench", "n", "who", "sample",
		"iterations", "metric", "unit", "value", "status" };
	struct buf table = { 0 };

	for (size_t i = 0; i < COUNT(columns); i++)
		buf_printf(&table, "%s%s", i ? "," : "", columns[i]);
	for (size_t row = 0; row < ROWS; row++)
		for (size_t i = 0; i < COUNT(columns); i++) {
			buf_byte(&table, i ? ',' : '\n');
			if (strcmp(columns[i], "value") == 0)
				put_random_number(&table);
			else
				put_random_field(&table, columns[i]);
		}
	tap_ok(keeps_rows(text_in(&table)),
	    "%d random rows are unchanged after conversion to JSON and back", ROWS);
	buf_free(&table);
}

static void keeps_fixture(const char *name)
{
	char *path = str_format("%s/%s", directory, name);
	struct buf whole = { 0 };
	struct fault f;

	tap_ok(file_read(path, &whole, &f) == 0 &&
	           keeps_rows(text_in(&whole)),
	    "the rows of %s are unchanged after conversion to JSON and back", name);
	free(path);
	buf_free(&whole);
}

static void shifts(void)
{
	static const struct {
		double x;
		int exponent;
		double want;
	} cases[] = { { 0.1, 6, 100000 }, { 0.0003, 9, 300000 }, { 1e-7, 9, 100 },
		{ 1.1e22, -9, 1.1e13 }, { -2.5, 3, -2500 }, { 0, 9, 0 },
		{ 0.07, 9, 70000000 }, { 123456789.123, -9, 0.123456789123 } };

	for (size_t i = 0; i < COUNT(cases); i++)
		if (decimal_shift(cases[i].x, cases[i].exponent) != cases[i].want)
			printf("# %g by %d\n", cases[i].x, cases[i].exponent);
	for (size_t i = 0; i < COUNT(cases); i++)
		tap_ok(decimal_shift(cases[i].x, cases[i].exponent) == cases[i].want,
		    "decimal_shift(%g, %d) is exact", cases[i].x, cases[i].exponent);
	tap_ok(isnan(decimal_shift(1e308, 9)),
	    "decimal_shift returns NAN if the result is too large");
	tap_ok(isnan(decimal_shift(NAN, 9)), "decimal_shift returns NAN for NAN");
}

int main(void)
{
	struct dirent **entry;
	int count = scandir(directory, &entry, NULL, alphasort), files = 0;

	shifts();
	keeps_random_rows();
	keeps_many_rows();
	for (int i = 0; i < count; i++) {
		if (entry[i]->d_name[0] != '.' && strcmp(entry[i]->d_name, "README") != 0) {
			fuzz(entry[i]->d_name);
			keeps_fixture(entry[i]->d_name);
			files++;
		}
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
	tap_ok(files >= 20, "there are at least 20 files to convert");
	return tap_end();
}
