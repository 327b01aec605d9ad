/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and quantities against strtod, printf and tables of cases.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "tests/lib/tap.h"
#include "text/units.h"

enum { ROUNDS = 400000 };

static double random_double(struct rng *r)
{
	double x;
	uint64_t bits;

	do {
		bits = rng_next(r);
		memcpy(&x, &bits, sizeof(x));
	} while (!isfinite(x));
	return x;
}

/* Some way of writing a number that is not the shortest. */
static int random_text(struct rng *r, char *out, size_t size)
{
	double x = random_double(r);

	switch (rng_below(r, 4)) {
	case 0:
		return snprintf(out, size, "%.*e", (int)rng_below(r, 25), x);
	case 1:
		return snprintf(out, size, "%.*f", (int)rng_below(r, 12), fmod(x, 1e12));
	case 2:
		return snprintf(out, size, "%lld", (long long)rng_next(r));
	default:
		return snprintf(out, size, "%+.3f", (double)(int32_t)rng_next(r) / 1000);
	}
}

static void test_parse(struct rng *r)
{
	int wrong = 0;
	char text[400];

	for (int i = 0; i < ROUNDS; i++) {
		int len = random_text(r, text, sizeof(text));
		double got = 0, want = strtod(text, NULL);

		if (number_parse((struct text){ text, (size_t)len }, &got) !=
		        (isfinite(want) != 0) ||
		    (isfinite(want) && memcmp(&got, &want, sizeof(got)) != 0))
			wrong += !printf("# %s: %.17g, not %.17g\n", text, got, want) + 1;
	}
	tap_ok(wrong == 0, "number_parse reads %d numbers as strtod does", ROUNDS);
	static const char *const refused[] = { "", "-", "+", ".", "e5", "1e", "1e+", "1x",
		" 1", "1 ", "nan", "inf", "0x10", "1e999", "--1", "1.2.3", "1,5", "-nan",
		"infinity", "1_0" };
	for (size_t i = 0; i < COUNT(refused); i++) {
		double x;

		tap_ok(!number_parse(text_of(refused[i]), &x), "number_parse rejects '%s'",
		    refused[i]);
	}
}

static void check_print(double x, int *wrong)
{
	char out[NUMBER_TEXT_MAX], shortest[64];
	size_t len = number_print(out, x);
	double back;
	int digits = 0, found = 1;

	if (!number_parse((struct text){ out, len }, &back) ||
	    memcmp(&back, &x, sizeof(x)) != 0)
		*wrong += printf("# %.17g is printed %s\n", x, out) > 0;
	while (snprintf(shortest, sizeof(shortest), "%.*e", found - 1, x) > 0 &&
	       strtod(shortest, NULL) != x)
		found++;
	for (const char *p = out, *first = NULL; *p && *p != 'e'; p++) {
		first = first ? first : *p >= '1' && *p <= '9' ? p : NULL;
		digits += first && *p >= '0' && *p <= '9';
	}
	/* An integer may end in zeros that a mantissa leaves out. */
	if (digits > found && strpbrk(out, ".e"))
		*wrong += printf("# %s has %d digits, not %d\n", out, digits, found) > 0;
}

static void test_print(struct rng *r)
{
	static const double odd[] = { 0, -0.0, 1, -1, 0.1, 0.1 + 0.2, 1e22, 1e23, 5e-324,
		DBL_MIN, DBL_MAX, 1e15, 1e-5, 123456.789, 4503599627370497.5,
		9007199254740992.0, 1e-310 };
	int wrong = 0;

	for (size_t i = 0; i < COUNT(odd); i++)
		check_print(odd[i], &wrong);
	for (int i = 0; i < ROUNDS / 10; i++) {
		check_print(random_double(r), &wrong);
		check_print((double)(int64_t)rng_next(r) / 1000, &wrong);
		check_print((double)(int32_t)rng_next(r) / 100, &wrong);
		check_print((double)rng_below(r, 1u << 30), &wrong);
	}
	tap_ok(wrong == 0,
	    "number_print writes the shortest text that parses to the same number");
}

static void test_integers(void)
{
	static const struct {
		const char *text;
		bool fine;
		int64_t value;
	} cases[] = { { "0", true, 0 }, { "-12", true, -12 }, { "+7", true, 7 },
		{ "9223372036854775807", true, INT64_MAX },
		{ "9223372036854775808", false, 0 }, { "99999999999999999999", false, 0 },
		{ "", false, 0 }, { "-", false, 0 }, { "1.0", false, 0 },
		{ "1e3", false, 0 }, { " 1", false, 0 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		int64_t got = 0;
		bool fine = integer_parse(text_of(cases[i].text), &got);

		tap_ok(fine == cases[i].fine && (!fine || got == cases[i].value),
		    "integer_parse %s '%s'", cases[i].fine ? "reads" : "rejects",
		    cases[i].text);
	}
}

typedef int parser(const char *s, double *out, struct fault *f);

static void test_quantities(void)
{
	static const struct {
		parser *parse;
		const char *text;
		double want; /* NAN: refused */
	} cases[] = { { units_duration_ns, "10ms", 1e7 }, { units_duration_ns, "3", 3e9 },
		{ units_duration_ns, "1.5h", 5400e9 },
		{ units_duration_ns, "250us", 250e3 }, { units_duration_ns, "2min", 120e9 },
		{ units_duration_ns, "7d", 604800e9 }, { units_duration_ns, "-1s", NAN },
		{ units_duration_ns, "10 ms", NAN }, { units_duration_ns, "ms", NAN },
		{ units_duration_ns, "1e400s", NAN },
		{ units_duration_ns, "36525d", 100 * 365.25 * 86400e9 },
		{ units_duration_ns, "36526d", NAN },
		{ units_duration_ns, "9223372036854775808", NAN },
		{ units_size_bytes, "4096", 4096 },
		{ units_size_bytes, "1.5G", 1.5 * 0x1p30 },
		{ units_size_bytes, "2MB", 2e6 }, { units_size_bytes, "64KiB", 65536 },
		{ units_size_bytes, "1X", NAN }, { units_percent, "5%", 0.05 },
		{ units_percent, "2.5", 0.025 }, { units_percent, "%", NAN } };
	struct fault f;

	for (size_t i = 0; i < COUNT(cases); i++) {
		double got = NAN;
		int status = cases[i].parse(cases[i].text, &got, &f);

		tap_ok(isnan(cases[i].want)
		           ? status < 0
			   : status == 0 && fabs(got - cases[i].want) <= 1e-12 * got,
		    "a parser of quantities %s '%s'",
		    isnan(cases[i].want) ? "rejects" : "reads", cases[i].text);
	}
	uint64_t n = 0;
	tap_ok(units_count("2k", &n, &f) == 0 && n == 2000, "units_count reads 2k as 2000");
	tap_ok(units_count("1.5", &n, &f) < 0, "units_count rejects a fraction");
}

static void test_lists(void)
{
	static const struct {
		const char *text, *want; /* joined by spaces; NULL: refused */
	} cases[] = { { "1,2,4", "1 2 4" }, { "a,,b", "a  b" }, { "1..4", "1 2 3 4" },
		{ "1..1024*4", "1 4 16 64 256 1024" }, { "0..1+0.25", "0 0.25 0.5 0.75 1" },
		{ "x,8..10", "x 8 9 10" }, { "a..b", "a..b" }, { "../dir", "../dir" },
		{ "5..1", NULL }, { "1..9*1", NULL }, { "0..9*2", NULL },
		{ "1..9+0", NULL }, { "0..1e9", NULL } };
	struct fault f;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf b = { 0 };
		char **list;
		size_t count;
		int status = units_list(cases[i].text, &list, &count, &f);

		for (size_t k = 0; status == 0 && k < count; k++)
			buf_printf(&b, "%s%s", k ? " " : "", list[k]);
		tap_ok(cases[i].want ? status == 0 && strcmp(b.ptr, cases[i].want) == 0
		                     : status < 0,
		    "units_list %s '%s'", cases[i].want ? "expands" : "rejects",
		    cases[i].text);
		if (status == 0)
			units_list_free(list, count);
		buf_free(&b);
	}
}

static void test_people(void)
{
	static const struct {
		double value;
		const char *unit, *want;
	} cases[] = { { 12345678, "ns", "12.35 ms" }, { 0, "ns", "0 ns" },
		{ 950, "ns", "950 ns" }, { 90e9, "ns", "1.500 min" },
		{ 1536, "B", "1.500 KiB" }, { 100, "B", "100 B" },
		{ 219e9, "flop/s", "219.0 Gflop/s" }, { 1234, "1", "1234" },
		{ 0.0125, "1/s", "0.0125 /s" }, { 1234.5, "1/s", "1.234 k/s" },
		{ 18.5e6, "1/s", "18.50 M/s" }, { 0, "1/s", "0 /s" },
		{ 250, "1/s", "250 /s" }, { 999999, "1", "999999" },
		{ 12345678, "1", "12.35 M" }, { -3e9, "1", "-3.000 G" },
		{ 54321.5, "1", "54.32 k" }, { 1.5e-7, "1", "1.5e-07" },
		{ 0.25, "1", "0.25" }, { 99.5, "%", "99.5%" },
		{ -12345678, "ns", "-12.35 ms" } };
	char out[64];

	for (size_t i = 0; i < COUNT(cases); i++) {
		units_print(out, sizeof(out), cases[i].value, cases[i].unit);
		tap_ok(strcmp(out, cases[i].want) == 0, "units_print writes %s: %s",
		    cases[i].want, out);
	}
}

static void test_changes(void)
{
	static const struct {
		double change;
		const char *want;
	} cases[] = { { 0.1234, "+12.3%" }, { -1, "-100.0%" }, { 0, "+0.0%" },
		{ 999999, "+99999900.0%" }, { 1.5e6, "+1.5e+08%" },
		{ 1.7976931348623157e308, "+1.8e+310%" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf b = { 0 };

		units_put_change(&b, cases[i].change);
		tap_ok(strcmp(b.ptr, cases[i].want) == 0,
		    "units_put_change writes the percentage %s: %s", cases[i].want, b.ptr);
		buf_free(&b);
	}
}

int main(void)
{
	struct rng r;

	rng_seed(&r, 1);
	test_parse(&r);
	test_print(&r);
	test_integers();
	test_quantities();
	test_lists();
	test_people();
	test_changes();
	return tap_end();
}
