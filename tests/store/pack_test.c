/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of packed samples: rows are decoded bit for bit, typical columns are small, and
 * damaged bytes are refused without reading past their end.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/factors.h"
#include "store/pack.h"

static int tests, failures;

static void check(bool good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
	failures += !good;
}

static uint64_t state = 1;

/* A linear congruential generator, which returns the same numbers in every run. */
static uint64_t draw(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 11;
}

static struct intern texts;

static uint32_t number_of(const char *s)
{
	return (uint32_t)intern_add(&texts, text_of(s));
}

static struct pack_row plain(int64_t sample, double value)
{
	return (struct pack_row){ ROW_NONE, sample, ROW_NONE, ROW_NONE, 0, value, NAN,
		number_of("ok"), PACK_TIME_NONE };
}

/* Encodes and decodes rows. Returns the number of bytes, or 0 if a row changed. */
static size_t round_trip(const struct pack_row *rows, size_t count)
{
	struct buf bytes = { 0 };
	struct pack_rows back = { 0 };
	struct fault f;
	size_t size = 0;

	pack_encode(rows, count, &texts, &bytes);
	if (pack_decode(text_in(&bytes), &texts, &back, &f) == 0 &&
	    back.count == count)
		size = bytes.len;
	for (size_t i = 0; i < count && size; i++)
		if (pack_compare(&rows[i], &back.row[i]) != 0 ||
		    signbit(rows[i].value) != signbit(back.row[i].value))
			size = 0;
	buf_free(&bytes);
	free(back.row);
	return size;
}

static struct pack_row awkward(void)
{
	static const int64_t ends[] = { ROW_NONE, INT64_MIN + 1, -1, 0, 1, INT64_MAX };
	static const double values[] = { NAN, 0, -0.0, 0.1, -1, DBL_MAX, -DBL_MAX, DBL_MIN,
		4.9406564584124654e-324, 0x1p53, 0x1p53 - 1, -0x1p53, 1e15 + 0.5 };
	static const char *const status[] = { "", "ok", "failed:exit=1", "a\nb",
		"timeout" };
	static const char *const times[] = { "", "2026-01-31T12:00:00.123456789Z",
		"2026-01-31T12:00:00Z", "yesterday", "2026-01-31T12:00:00+02:00",
		"1969-12-31T23:59:59.9Z", "2026-02-30T00:00:00Z" };
	struct pack_row row = { ends[draw() % COUNT(ends)], ends[draw() % COUNT(ends)],
		ends[draw() % COUNT(ends)], ends[draw() % COUNT(ends)], 0,
		values[draw() % COUNT(values)], values[draw() % COUNT(values)],
		number_of(status[draw() % COUNT(status)]), PACK_TIME_NONE };

	pack_time(&row, text_of(times[draw() % COUNT(times)]), &texts);
	return row;
}

static void test_round_trips(void)
{
	static struct pack_row rows[PACK_ROWS];
	bool good = true;

	for (size_t count = 1; count <= PACK_ROWS; count = count * 3 + 1) {
		for (size_t i = 0; i < count; i++)
			rows[i] = awkward();
		good = good && round_trip(rows, count);
	}
	for (size_t i = 0; i < PACK_ROWS; i++)
		rows[i] = awkward();
	check(good && round_trip(rows, PACK_ROWS),
	    "rows with extreme values are decoded unchanged");
	for (int i = 0; i < 2000 && good; i++) {
		rows[0] = awkward();
		good = round_trip(rows, 1);
	}
	check(good, "each row with extreme values alone is decoded unchanged");

	for (int i = 0; i < PACK_ROWS; i++) {
		rows[i] = plain(i, 12345678 + (double)(draw() % 4096));
		rows[i].time = INT64_C(1700000000000000000) + i * INT64_C(12345678);
		rows[i].time_form = 9;
		rows[i].iterations = 1;
	}
	size_t size = round_trip(rows, PACK_ROWS);
	check(size > 0 && size < PACK_ROWS * 7,
	    "a usual series takes less than 7 bytes per row");
	for (int i = 0; i < PACK_ROWS; i++)
		rows[i] = plain(i, (double)i / 7);
	size = round_trip(rows, PACK_ROWS);
	check(size > 0 && size < PACK_ROWS * 8 + 64, "doubles take 8 bytes per row");
	for (int i = 0; i < PACK_ROWS; i++)
		rows[i] = plain(i, 42);
	size = round_trip(rows, PACK_ROWS);
	check(size > 0 && size < 64, "a constant column takes almost no bytes");
}

static void test_order(void)
{
	struct pack_row a = plain(1, 2), b = a, none = plain(ROW_NONE, NAN);

	check(pack_compare(&a, &b) == 0, "pack_compare finds equal rows equal");
	b.value = 3;
	check(pack_order(&a, &b) == 0 && pack_compare(&a, &b) < 0,
	    "a row with another value has the same identity");
	check(pack_order(&none, &a) < 0 && pack_compare(&none, &none) == 0,
	    "an empty field sorts first and equals itself");
	check(pack_numbered(&a) && !pack_numbered(&none),
	    "a sample number distinguishes rows");
	none.t = 0;
	check(pack_numbered(&none), "an offset t distinguishes rows");
}

static bool refused(const char *bytes, size_t len)
{
	char *exact = mem_text(bytes,
	    len); /* an exact allocation, so that a sanitizer detects reads past the end */
	struct pack_rows back = { 0 };
	struct intern none = { 0 };
	struct fault f;
	bool bad;

	exact = mem_resize(exact, len, 1);
	bad = pack_decode((struct text){ exact, len }, &none, &back, &f) < 0;
	free(exact);
	free(back.row);
	intern_free(&none);
	return bad;
}

/* Sets the correct hash of the bytes, so that the rest is decoded. */
static void sign(struct buf *b)
{
	uint32_t h = 0x811c9dc5;

	for (size_t i = 0; i + 4 < b->len; i++)
		h = (h ^ (unsigned char)b->ptr[i]) * 0x01000193;
	for (size_t i = 0; i < 4; i++)
		b->ptr[b->len - 4 + i] = (char)(h >> 8 * i);
}

static void test_damage(void)
{
	struct pack_row rows[40];
	struct buf bytes = { 0 };
	bool good = true;

	for (size_t i = 0; i < COUNT(rows); i++)
		rows[i] = awkward();
	pack_encode(rows, COUNT(rows), &texts, &bytes);
	for (size_t len = 0; len < bytes.len; len++)
		good = good && refused(bytes.ptr, len);
	check(good, "a truncated chunk is refused");
	good = true;
	for (size_t i = 0; i < bytes.len * 8; i++) {
		bytes.ptr[i / 8] ^= (char)(1 << i % 8);
		good = good && refused(bytes.ptr, bytes.len);
		bytes.ptr[i / 8] ^= (char)(1 << i % 8);
	}
	check(good && !refused(bytes.ptr, bytes.len),
	    "a chunk with any inverted bit is refused");
	for (int i = 0; i < 20000; i++) {
		size_t at = draw() % (bytes.len - 4);
		char was = bytes.ptr[at];

		bytes.ptr[at] = (char)draw();
		sign(&bytes);
		refused(bytes.ptr, bytes.len);
		bytes.ptr[at] = was;
	}
	sign(&bytes);
	check(!refused(bytes.ptr, bytes.len),
	    "random bytes with a valid hash are decoded or refused");
	buf_free(&bytes);
}

static void put_factor(void *ctx, struct factor f)
{
	struct buf *b = ctx;

	buf_text(b, f.name);
	buf_byte(b, '=');
	buf_text(b, f.value);
	buf_byte(b, ';');
}

static bool factors_are(struct text json, const char *want)
{
	struct buf got = { 0 };
	bool same = factors_read(json, put_factor, &got) &&
	            text_is(text_in(&got), want);

	buf_free(&got);
	return same;
}

static void test_factors(void)
{
	struct factor f[] = { { TEXT("size"), TEXT("1") },
		{ TEXT("a\"b"), TEXT("\\ \n\x1b \xff") }, { TEXT("siz"), TEXT("") } };
	struct buf b = { 0 };
	static const char *const broken[] = { "", "{", "{}x", "[]", "{\"a\"}", "{\"a\":1}",
		"{\"a\":\"b\",}", "{\"a\":\"b\"\"c\":\"d\"}", "{\"a\":\"b",
		"{\"a\":\"\\u00\"}", "{\"a\":\"\\u0041\"}", "{\"a\":\"b\\" };
	bool good = true;

	factors_write(&b, f, COUNT(f));
	check(text_is(text_in(&b),
	          "{\"a\\\"b\":\"\\\\ \\u000a\\u001b \xff\",\"siz\":\"\",\"size\":\"1\"}"),
	    "factors are a JSON object sorted by name");
	check(
	    factors_are(text_in(&b), "a\"b=\\ \n\x1b \xff;siz=;size=1;"),
	    "factors are read back unchanged");
	check(factors_are(TEXT("{}"), ""), "an empty object has no factors");
	for (size_t i = 0; i < COUNT(broken); i++)
		good = good && !factors_are(text_of(broken[i]), "");
	check(good, "JSON that is not an object of texts is refused");
	buf_free(&b);
}

static void test_stamps(void)
{
	static const struct {
		const char *text;
		int64_t ns;
		int digits;
	} good[] = {
		{ "1970-01-01T00:00:00Z", 0, 0 },
		{ "1970-01-01", 0, STAMP_FOREIGN },
		{ "1969-12-31T23:59:59.999999999Z", -1, 9 },
		{ "2000-02-29T12:34:56.5Z", INT64_C(951827696500000000), 1 },
		{ "2026-01-31T12:00:00+02:00", INT64_C(1769853600000000000),
		    STAMP_FOREIGN },
		{ "2026-01-01T00:00:60Z", INT64_C(1767225660000000000), STAMP_FOREIGN },
		{ "2026-01-01t00:00:00.1234567899z", INT64_C(1767225600123456789),
		    STAMP_FOREIGN },
		{ "2026-01-31 10:00", INT64_C(1769853600000000000), STAMP_FOREIGN },
		{ "2261-12-31T23:59:59.999999999Z", INT64_C(9214646399999999999), 9 },
		{ "1678-01-01T00:00:00Z", INT64_C(-9214560000000000000), 0 },
	};
	static const char *const bad[] = { "", "2026", "2026-13-01", "2026-02-29",
		"2026-01-01T", "2026-01-01T24:00Z", "2026-01-01T00:00:61Z",
		"2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.12345678900x",
		"2026-01-01T00:00:00Zx", "2026-01-01Z", "1677-12-31", "2262-01-01" };
	bool fine = true;
	int64_t ns;
	int digits;

	for (size_t i = 0; i < COUNT(good); i++) {
		char back[STAMP_MAX];
		bool same = stamp_parse(text_of(good[i].text), &ns, &digits) &&
		            ns == good[i].ns && digits == good[i].digits;

		if (same && digits != STAMP_FOREIGN) {
			stamp_print(back, ns, digits);
			same = strcmp(back, good[i].text) == 0;
		}
		check(same, good[i].text);
	}
	for (size_t i = 0; i < COUNT(bad); i++)
		fine = fine && !stamp_parse(text_of(bad[i]), &ns, &digits);
	check(fine, "a text that is not a time is refused");
	for (int i = 0; i < 100000 && fine; i++) {
		char text[STAMP_MAX];
		int64_t want = (int64_t)(draw() << 11) / 1000 * (i % 2 ? 1 : -1);

		size_t len = stamp_print(text, want, 9);
		fine = stamp_parse((struct text){ text, len }, &ns, &digits) && ns == want;
	}
	check(fine, "printed times are parsed to the same time");
}

int main(void)
{
	test_round_trips();
	test_order();
	test_damage();
	test_factors();
	test_stamps();
	intern_free(&texts);
	printf("1..%d\n", tests);
	return failures != 0;
}
