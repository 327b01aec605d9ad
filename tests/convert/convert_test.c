/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of other programs, whole and broken: each is changed many times at random, always
 * in the same way. Whatever comes, it is either refused with one line and nothing written,
 * or what is written can be read again.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/convert.h"
#include "convert/row_builder.h"
#include "tests/lib/tap.h"

static const char folder[] = "tests/fixtures/data/convert";
static uint64_t state = 20261122;

static uint64_t next_random(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* What is put where something else stood. */
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
			len = out->len - at; /* cut off */
		if (next_random(10) == 0)
			len = next_random(out->len + 1);
		if (len > out->len - at)
			len = out->len - at;
		buf_put(&rest, out->ptr + at + len, out->len - at - len);
		if (next_random(8) == 0) /* twice */
			buf_put(&rest, out->ptr + at, len);
		out->len = at;
		buf_str(out, piece);
		buf_put(out, rest.ptr ? rest.ptr : "", rest.len);
		buf_free(&rest);
	}
}

/* 0, or -1 when the text was refused; *fine is false when that was not in order. */
static int convert_one(const char *to, struct text t, struct buf *out, bool *fine)
{
	struct convert c = { .to = to, .render = RENDER_CSV };
	struct buf notes = { 0 };
	struct fault f = { .text = "" };
	char *text = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&text, &len);
	int status = convert_text(&c, "a file", t, stream, &notes, &f);

	fclose(stream);
	out->len = 0;
	buf_put(out, text, len);
	if (status < 0)
		*fine = f.text[0] && !strchr(f.text, '\n') && len == 0;
	else
		*fine = len > 0;
	if (!*fine)
		printf(
		    "# %s, %zu bytes: %s\n", status < 0 ? "refused" : "taken", len, f.text);
	free(text);
	buf_free(&notes);
	return status;
}

/* Whether a changed file is refused in order, or what is made of it can be read again. */
static bool survives(struct text t, const char *to, bool reads)
{
	struct buf first = { 0 }, second = { 0 };
	bool fine;

	if (convert_one(to, t, &first, &fine) == 0 && fine && reads) {
		struct text again = { first.ptr, first.len };

		if (convert_one(NULL, again, &second, &fine) < 0) {
			printf("# %s that was written cannot be read\n", to);
			fine = false;
		}
	}
	buf_free(&first);
	buf_free(&second);
	return fine;
}

static void fuzz(const char *name)
{
	enum { TIMES = 1000 };
	char *path = str_format("%s/%s", folder, name);
	struct buf whole = { 0 }, changed = { 0 };
	struct fault f;
	size_t bad = 0;

	if (file_read(path, &whole, &f) < 0)
		bad = TIMES;
	for (size_t i = 0; bad == 0 && i < TIMES; i++) {
		const struct format *to = formats_known[next_random(formats_count)];

		mutate(&whole, &changed);
		if (!to->writer && !to->write)
			to = formats_known[0];
		if (!survives((struct text){ changed.ptr, changed.len }, to->name,
		        to->read && to->writer && strcmp(to->name, "go") != 0)) {
			printf("# to %s, from:\n", to->name);
			bad++;
		}
	}
	tap_ok(bad == 0, "%s", name);
	free(path);
	buf_free(&whole);
	buf_free(&changed);
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
		    "a decimal number is shifted");
	tap_ok(isnan(decimal_shift(1e308, 9)), "what gets too large is no number");
	tap_ok(isnan(decimal_shift(NAN, 9)), "nor is what was none");
}

int main(void)
{
	struct dirent **entry;
	int count = scandir(folder, &entry, NULL, alphasort), files = 0;

	shifts();
	for (int i = 0; i < count; i++) {
		if (entry[i]->d_name[0] != '.' && strcmp(entry[i]->d_name, "README") != 0) {
			fuzz(entry[i]->d_name);
			files++;
		}
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
	tap_ok(files >= 20, "the files were there");
	return tap_end();
}
