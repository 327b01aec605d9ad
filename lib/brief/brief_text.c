/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes numbers and lines for people; see brief_text.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "brief/brief_text.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/units.h"

enum { VALUE_MAX = 64 };

/* Prints a value with its unit. Returns its length. */
static size_t print_value(char out[VALUE_MAX], double value, struct text unit)
{
	char *name = mem_text(unit.ptr, unit.len);
	size_t len = units_print(out, VALUE_MAX, value, name);

	free(name);
	return len;
}

/* Appends a printed value; without utf8, u replaces the micro sign. */
static void put_printed(struct buf *b, const char *text, bool utf8)
{
	const char *micro = utf8 ? NULL : strstr(text, "µ");
	struct buf clean = { 0 };

	if (micro)
		buf_printf(
		    &clean, "%.*su%s", (int)(micro - text), text, micro + strlen("µ"));
	else
		buf_str(&clean, text);
	display_text_label(b, text_in(&clean), utf8);
	buf_free(&clean);
}

void brief_put_value(struct buf *b, double value, struct text unit, bool utf8)
{
	char text[VALUE_MAX];

	print_value(text, value, unit);
	put_printed(b, text, utf8);
}

/* Returns the digits after the point of a printed number. */
static int decimals_of(const char *number)
{
	size_t whole = strspn(number, "-0123456789");

	return number[whole] == '.' ? (int)strspn(number + whole + 1, "0123456789") : 0;
}

void brief_put_half(struct buf *b, double value, double half, struct text unit, bool utf8)
{
	char text[VALUE_MAX], scaled_text[VALUE_MAX + 32];
	const char *rest;
	double scaled;
	int decimals;

	print_value(text, value, unit);
	rest = text + strspn(text, "-+.e0123456789");
	decimals = decimals_of(text);
	scaled = value != 0 ? half * (strtod(text, NULL) / value) : half;
	if (scaled > 0 && scaled < pow(10, -decimals))
		snprintf(scaled_text, sizeof(scaled_text), "%.1g%s", scaled, rest);
	else
		snprintf(
		    scaled_text, sizeof(scaled_text), "%.*f%s", decimals, scaled, rest);
	put_printed(b, text, utf8);
	buf_str(b, utf8 ? " ± " : " +- ");
	put_printed(b, scaled_text, utf8);
}

void brief_put_percent(struct buf *b, double fraction)
{
	buf_printf(b, "%.3g%%", fraction * 100);
}

char *brief_fit(const char *text, size_t width, bool utf8)
{
	char *copy = str_copy(text);

	if (display_width(text_of(text)) > width)
		display_text_fit(&copy, 1, width < 8 ? 8 : width, utf8);
	return copy;
}

/* Returns whether a line may end before the blank at this place: not between a number and
 * its unit. */
static bool may_break(struct text t, size_t at)
{
	return t.ptr[at] == ' ' && at && (t.ptr[at - 1] < '0' || t.ptr[at - 1] > '9');
}

/* Returns the bytes of the next line of a string: up to the last suitable blank, if there
 * is one. */
static size_t line_of(struct text t, size_t columns)
{
	size_t fits = display_prefix(t, columns), end = fits;

	if (fits == t.len)
		return fits;
	while (end && !may_break(t, end))
		end--;
	for (size_t i = fits; !end && i; i--)
		end = t.ptr[i] == ' ' ? i : 0;
	return end ? end : fits ? fits : display_char(t).bytes;
}

void brief_wrap(struct buf *b, const char *text, size_t width, size_t used, size_t indent)
{
	struct text rest = text_of(text);
	size_t margin = used;

	do {
		size_t len = line_of(rest, width > margin ? width - margin : 1);

		buf_put(b, rest.ptr, len);
		buf_byte(b, '\n');
		rest.ptr += len;
		rest.len -= len;
		while (rest.len && *rest.ptr == ' ') {
			rest.ptr++;
			rest.len--;
		}
		margin = indent;
		if (rest.len)
			buf_printf(b, "%*s", (int)indent, "");
	} while (rest.len);
}
