/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of values and ranges, such as 1,2,4 and 1..1024*2; see units.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/units_priv.h"

enum { LIST_MAX = 1000000 };

static int list_add(char ***list, size_t *count, size_t *cap, char *item, struct fault *f)
{
	*VEC_ADD(*list, *count, *cap) = item;
	if (*count > LIST_MAX)
		return fault_set(f, "a list has more than %d values", LIST_MAX);
	return 0;
}

/* The numbers from, from + step (or from * step) ... up to `to`. */
struct range {
	double from, to, step;
	bool multiplied;
};

/* Parses "a..b", "a..b+step" or "a..b*factor". Returns false if the text is no range. */
static bool range_parse(const char *item, struct range *r)
{
	const char *dots = strstr(item, ".."), *rest;

	*r = (struct range){ .step = 1 };
	if (!dots ||
	    !number_parse((struct text){ item, (size_t)(dots - item) }, &r->from) ||
	    !leading_number(dots + 2, &r->to, &rest))
		return false;
	r->multiplied = *rest == '*';
	return !*rest || ((*rest == '+' || *rest == '*') &&
	                     number_parse(text_of(rest + 1), &r->step));
}

/* Returns 0, or -1 and the message if a range has no end or no values. */
static int range_check(const struct range *r, const char *item, struct fault *f)
{
	const char *endless = NULL;

	if (r->multiplied)
		endless = r->step <= 1   ? "its factor must be above 1"
		          : r->from <= 0 ? "it must begin above 0"
		                         : NULL;
	else if (r->step <= 0)
		endless = "its step must be above 0";
	if (endless)
		return fault_set(f, "range '%s' never ends: %s", item, endless);
	return r->from > r->to ? fault_set(f, "range '%s' is empty", item) : 0;
}

/* Appends the numbers of a range as strings. Returns 0, or -1 and the message. */
static int range_expand(
    const struct range *r, char ***list, size_t *count, size_t *cap, struct fault *f)
{
	/* Steps are counted, so that rounding errors do not add up in 0..1+0.1. */
	for (double i = 0, x = r->from; x <= r->to * (1 + 1e-12);
	     i++, x = r->multiplied ? x * r->step : r->from + i * r->step) {
		char text[NUMBER_TEXT_MAX];
		size_t len =
		    number_print(text, r->multiplied ? x : nearbyint(x * 1e9) / 1e9);

		if (list_add(list, count, cap, mem_text(text, len), f) < 0)
			return -1;
	}
	return 0;
}

int units_list(const char *s, char ***out, size_t *count, struct fault *f)
{
	char **list = NULL;
	size_t n = 0, cap = 0;

	for (const char *p = s;; p++) {
		size_t len = strcspn(p, ",");
		char *item = mem_text(p, len);
		struct range range;
		int status;

		if (!range_parse(item, &range))
			status = list_add(&list, &n, &cap, str_copy(item), f);
		else if ((status = range_check(&range, item, f)) == 0)
			status = range_expand(&range, &list, &n, &cap, f);
		free(item);
		if (status < 0) {
			units_list_free(list, n);
			return -1;
		}
		p += len;
		if (!*p)
			break;
	}
	*out = list;
	*count = n;
	return 0;
}

void units_list_free(char **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i]);
	free(list);
}
