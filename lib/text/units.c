/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses and prints numbers and quantities; see units.h. Numbers take the fast exact path
 * of W. Clinger ("How to read floating point numbers accurately", PLDI 1990): up to 53
 * bits of digits and a power of ten up to 22 need one correctly rounded operation. All
 * others are parsed by strtod(), which is also exact in the C locale.
 */
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/shortest.h"
#include "text/units_priv.h"

static const double power_of_ten[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
enum { EXACT_POWER = 22 };
#define EXACT_INTEGER ((uint64_t)1 << 53)

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The slow path: the syntax was checked, so strtod reads exactly these bytes. */
static bool number_slow(struct text t, double *out)
{
	char small[64], *copy = t.len < sizeof(small) ? small : mem_text(t.ptr, t.len);

	if (copy == small) {
		memcpy(small, t.ptr, t.len);
		small[t.len] = '\0';
	}
	*out = strtod(copy, NULL);
	if (copy != small)
		free(copy);
	return isfinite(*out);
}

/* Parses digits, with at most one point among them, if they are few enough for an
 * exact result. Most numbers are of this form. */
static bool number_plain(struct text t, double *out)
{
	const char *p = t.ptr, *end = p + t.len, *point = end;
	uint64_t mantissa = 0;

	if (t.len > 18)
		return false;
	while (p < end && is_digit(*p))
		mantissa = mantissa * 10 + (uint64_t)(*p++ - '0');
	if (p < end && *p == '.')
		for (point = p++; p < end && is_digit(*p);)
			mantissa = mantissa * 10 + (uint64_t)(*p++ - '0');
	if (p < end || mantissa > EXACT_INTEGER || t.len == (point < end))
		return false;
	*out = point < end ? (double)mantissa / power_of_ten[end - point - 1]
	                   : (double)mantissa;
	return true;
}

/* A decimal number while it is read: mantissa * 10^exponent. */
struct decimal {
	uint64_t mantissa; /* of the first 19 significant digits */
	int digits, significant, exponent;
};

/* Appends the digits at p to the mantissa. Returns their end. */
static const char *take_mantissa(const char *p, const char *end, struct decimal *d)
{
	for (; p < end && is_digit(*p); p++, d->digits++) {
		if (d->significant < 19)
			d->mantissa = d->mantissa * 10 + (uint64_t)(*p - '0');
		d->significant += d->significant || *p != '0';
	}
	return p;
}

/* Adds the exponent that follows an "e". Returns its end, or NULL if it has no digits. */
static const char *take_exponent(const char *p, const char *end, struct decimal *d)
{
	bool negative = false;
	const char *first;
	int exponent = 0;

	if (p < end && (*p == '-' || *p == '+'))
		negative = *p++ == '-';
	for (first = p; p < end && is_digit(*p); p++)
		if (exponent < 100000)
			exponent = exponent * 10 + (*p - '0');
	d->exponent += negative ? -exponent : exponent;
	return p == first ? NULL : p;
}

bool number_parse(struct text t, double *out)
{
	const char *p = t.ptr, *end = t.ptr + t.len;
	struct decimal d = { 0 };
	bool negative = false;
	double x;

	if (number_plain(t, out))
		return true;
	if (p < end && (*p == '-' || *p == '+'))
		negative = *p++ == '-';
	p = take_mantissa(p, end, &d);
	if (p < end && *p == '.') {
		const int before = d.digits;

		p = take_mantissa(p + 1, end, &d);
		d.exponent = before - d.digits;
	}
	if (!d.digits)
		return false;
	if (p < end && (*p == 'e' || *p == 'E'))
		p = take_exponent(p + 1, end, &d);
	if (p != end)
		return false;
	if (d.significant > 19 || d.mantissa > EXACT_INTEGER || d.exponent > EXACT_POWER ||
	    d.exponent < -EXACT_POWER)
		return number_slow(t, out);
	x = (double)d.mantissa;
	x = d.exponent < 0 ? x / power_of_ten[-d.exponent] : x * power_of_ten[d.exponent];
	*out = negative ? -x : x;
	return true;
}

bool integer_parse(struct text t, int64_t *out)
{
	const char *p = t.ptr, *end = t.ptr + t.len;
	bool negative = false;
	uint64_t n = 0;

	if (p < end && (*p == '-' || *p == '+'))
		negative = *p++ == '-';
	if (p == end)
		return false;
	for (; p < end; p++) {
		if (!is_digit(*p) || n > (uint64_t)INT64_MAX / 10)
			return false;
		n = n * 10 + (uint64_t)(*p - '0');
		if (n > INT64_MAX)
			return false;
	}
	*out = negative ? -(int64_t)n : (int64_t)n;
	return true;
}

static bool digits_parse(struct text t, unsigned base, uint64_t *out)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t.len; i++) {
		int c = tolower((unsigned char)t.ptr[i]);
		unsigned value = is_digit((char)c) ? (unsigned)(c - '0')
		                 : c >= 'a'        ? (unsigned)(c - 'a') + 10
		                                   : base;

		if (value >= base || n > (UINT64_MAX - value) / base)
			return false;
		n = n * base + value;
	}
	*out = n;
	return t.len > 0;
}

bool hex_parse(struct text t, uint64_t *out)
{
	return digits_parse(t, 16, out);
}

bool bits_parse(struct text t, uint64_t *out)
{
	if (t.len > 2 && t.ptr[0] == '0' && (t.ptr[1] == 'x' || t.ptr[1] == 'X'))
		return hex_parse(text_after(t, 2), out);
	return digits_parse(t, 10, out);
}

/* Prints digits / 10^places. Returns the length. */
static size_t print_decimal(char *out, uint64_t digits, int places)
{
	char reversed[24];
	size_t len = 0, count = 0;

	for (; digits > 0; digits /= 10)
		reversed[count++] = (char)('0' + digits % 10);
	while (count < (size_t)places + 1)
		reversed[count++] = '0';
	while (count > 0) {
		out[len++] = reversed[--count];
		if (count > 0 && count == (size_t)places)
			out[len++] = '.';
	}
	out[len] = '\0';
	return len;
}

size_t number_print(char out[NUMBER_TEXT_MAX], double x)
{
	double magnitude = fabs(x);
	uint64_t decimal = 0;
	size_t len = 0;
	int places = 0;

	if (magnitude == 0 || shortest_decimal(magnitude, &decimal, &places)) {
		if (signbit(x))
			out[len++] = '-';
		return len + print_decimal(out + len, decimal, places);
	}
	/* A subnormal number has fewer significant digits than the 15 of all other
	 * doubles. */
	for (int digits = magnitude < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		double back;
		int n = snprintf(out, NUMBER_TEXT_MAX, "%.*g", digits, x);

		len = (size_t)n;
		if (digits == 17 ||
		    (number_parse((struct text){ out, len }, &back) && back == x))
			break;
	}
	return len;
}

bool leading_number(const char *s, double *out, const char **rest)
{
	const char *p = s;

	if (*p == '-' || *p == '+')
		p++;
	while (is_digit(*p) || *p == '.')
		p++;
	if ((*p == 'e' || *p == 'E') &&
	    (is_digit(p[1]) || ((p[1] == '-' || p[1] == '+') && is_digit(p[2]))))
		for (p += 2; is_digit(*p);)
			p++;
	*rest = p;
	return number_parse((struct text){ s, (size_t)(p - s) }, out);
}

struct suffix {
	const char *name;
	double factor;
};

static const struct suffix duration_suffixes[] = { { "", 1e9 }, { "ns", 1 }, { "us", 1e3 },
	{ "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "min", 60e9 },
	{ "h", 3600e9 }, { "d", 86400e9 }, { "w", 7 * 86400e9 }, { NULL, 0 } };
static const struct suffix size_suffixes[] = { { "", 1 }, { "B", 1 }, { "K", 1024 },
	{ "k", 1024 }, { "M", 0x1p20 }, { "G", 0x1p30 }, { "T", 0x1p40 }, { "KiB", 1024 },
	{ "MiB", 0x1p20 }, { "GiB", 0x1p30 }, { "TiB", 0x1p40 }, { "kB", 1e3 },
	{ "KB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { "TB", 1e12 }, { NULL, 0 } };
static const struct suffix count_suffixes[] = { { "", 1 }, { "k", 1e3 }, { "K", 1e3 },
	{ "M", 1e6 }, { "G", 1e9 }, { NULL, 0 } };
static const struct suffix percent_suffixes[] = { { "", 0.01 }, { "%", 0.01 },
	{ NULL, 0 } };

/* 100 years, so that a duration and a time of the clock can be added as 64-bit integers. */
static const double duration_max_ns = 100 * 365.25 * 86400e9;

static int quantity_parse(const char *s, const struct suffix *suffixes, const char *what,
    const char *example, double *out, struct fault *f)
{
	const char *rest;
	double x;

	if (leading_number(s, &x, &rest) && x >= 0)
		for (; suffixes->name; suffixes++)
			if (strcmp(rest, suffixes->name) == 0 &&
			    isfinite(x * suffixes->factor)) {
				*out = x * suffixes->factor;
				return 0;
			}
	return fault_set(f, "'%s' is not %s (for example %s)", s, what, example);
}

int units_count(const char *s, uint64_t *out, struct fault *f)
{
	double x = 0;

	if (quantity_parse(s, count_suffixes, "a count", "20 or 10k", &x, f) < 0)
		return -1;
	if (x != floor(x) || x > 0x1p53)
		return fault_set(f, "'%s' is not a whole number below 2^53", s);
	*out = (uint64_t)x;
	return 0;
}

int units_number(const char *s, double *out, struct fault *f)
{
	uint64_t count;

	if (number_parse(text_of(s), out))
		return 0;
	if (units_count(s, &count, f) < 0)
		return -1;
	*out = (double)count;
	return 0;
}

int units_duration_ns(const char *s, double *out, struct fault *f)
{
	if (quantity_parse(
	        s, duration_suffixes, "a duration", "500ms, 3s or 2min", out, f) < 0)
		return -1;
	if (*out > duration_max_ns)
		return fault_set(f, "'%s' is longer than 100 years", s);
	return 0;
}

int units_size_bytes(const char *s, double *out, struct fault *f)
{
	return quantity_parse(s, size_suffixes, "a size", "64K or 1.5GiB", out, f);
}

int units_percent(const char *s, double *out, struct fault *f)
{
	return quantity_parse(s, percent_suffixes, "a percentage", "5%", out, f);
}

bool units_percent_is_doubtful(const char *s)
{
	double percent;

	return number_parse(text_of(s), &percent) && percent > 0 && percent < 1;
}

/* A scale is used from its own size up, and the last one also for all smaller values. */
struct scale {
	double size;
	const char *prefix;
};

static const struct scale time_scales[] = { { 60e9, "min" }, { 1e9, "s" }, { 1e6, "ms" },
	{ 1e3, "µs" }, { 1, "ns" }, { 0, NULL } };
static const struct scale si_scales[] = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" },
	{ 1e3, "k" }, { 1, "" }, { 1e-3, "m" }, { 1e-6, "µ" }, { 1e-9, "n" }, { 0, NULL } };
static const struct scale byte_scales[] = { { 0x1p40, "TiB" }, { 0x1p30, "GiB" },
	{ 0x1p20, "MiB" }, { 1024, "KiB" }, { 1, "B" }, { 0, NULL } };

/* Returns the length that snprintf() really wrote, for its result. */
static size_t printed_length(int len, size_t size)
{
	return (size_t)len < size ? (size_t)len : size - 1;
}

static size_t print_scaled(
    char *out, size_t size, double value, const struct scale *scale, const char *unit)
{
	while (fabs(value) < scale->size && scale[1].prefix)
		scale++;
	double shown = value / scale->size, magnitude = fabs(shown);
	int decimals = magnitude >= 1000  ? 0
	               : magnitude >= 100 ? 1
	               : magnitude >= 10  ? 2
	                                  : 3;
	if (scale->size == 1 && value == floor(value))
		decimals = 0;
	if (magnitude >= 1e15)
		return printed_length(
		    snprintf(out, size, "%.4g %s%s", shown, scale->prefix, unit), size);
	return printed_length(
	    snprintf(out, size, "%.*f %s%s", decimals, shown, scale->prefix, unit), size);
}

/* Counts from here on have a prefix. */
enum { COUNT_PLAIN = 1000000 };

/* Prints a number without a unit, or with a percent sign. */
static size_t print_count(char *out, size_t size, double value, const char *percent)
{
	if (fabs(value) < COUNT_PLAIN && value == floor(value))
		return (size_t)snprintf(out, size, "%.0f%s", value, percent);
	if (fabs(value) >= 1e4 && !*percent)
		return print_scaled(out, size, value, si_scales, "");
	return (size_t)snprintf(out, size, "%.4g%s", value, percent);
}

size_t units_print(char *out, size_t size, double value, const char *unit)
{
	if (strcmp(unit, "ns") == 0)
		return print_scaled(out, size, value, time_scales, "");
	if (strcmp(unit, "B") == 0)
		return print_scaled(out, size, value, byte_scales, "");
	if (!unit[0] || strcmp(unit, "1") == 0)
		return print_count(out, size, value, "");
	if (strcmp(unit, "%") == 0)
		return print_count(out, size, value, "%");
	if (strncmp(unit, "1/", 2) == 0) {
		unit++;
		/* A prefix cannot be put before a digit: 18.5 M/s, not 18.5 M1/s. */
		return fabs(value) < 1
		           ? printed_length(
		                 snprintf(out, size, "%.4g %s", value, unit), size)
			   : print_scaled(out, size, value, si_scales, unit);
	}
	if (value == 0)
		return printed_length(snprintf(out, size, "0 %s", unit), size);
	return print_scaled(out, size, value, si_scales, unit);
}

void units_put_change(struct buf *b, double change)
{
	if (fabs(change) < 1e6)
		buf_printf(b, "%+.1f%%", 100 * change);
	else /* 100 times the largest double is no double */
		buf_printf(b, "%+.3Lg%%", 100.0L * change);
}
