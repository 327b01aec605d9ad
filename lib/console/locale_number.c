/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers in the locale of the user; see locale_number.h.
 */
#include "console/locale_number.h"
#include "convert/from.h"

enum { PARTS_MAX = 16, GROUP_DIGITS = 3 };

/* The digits between separators, and the separators before them. */
struct number_parts {
	struct text digits[PARTS_MAX], separator[PARTS_MAX];
	size_t count;
};

/* Returns the length of a separator that a string begins with, or 0. */
static size_t separator_length(struct text t)
{
	static const char *const separators[] = { ",", ".", "'", "\u00a0", "\u202f",
		"\u2019" };

	for (size_t i = 0; i < COUNT(separators); i++)
		if (text_begins(t, separators[i]))
			return strlen(separators[i]);
	return 0;
}

/* Returns whether a string consists of digits and separators in turn. */
static bool split_number(struct text t, struct number_parts *p)
{
	struct text separator = { 0 };

	for (p->count = 0; p->count < PARTS_MAX; p->count++) {
		size_t len = 0;

		while (len < t.len && t.ptr[len] >= '0' && t.ptr[len] <= '9')
			len++;
		if (!len)
			return false;
		p->digits[p->count] = (struct text){ t.ptr, len };
		p->separator[p->count] = separator;
		t = text_after(t, len);
		if (!t.len) {
			p->count++;
			return true;
		}
		separator = (struct text){ t.ptr, separator_length(t) };
		if (!separator.len)
			return false;
		t = text_after(t, separator.len);
	}
	return false;
}

/* Returns whether the first parts are groups with the same separator. */
static bool are_groups(const struct number_parts *p, size_t count)
{
	if (count > 1 && p->digits[0].len > GROUP_DIGITS)
		return false;
	for (size_t i = 1; i < count; i++)
		if (p->digits[i].len != GROUP_DIGITS ||
		    !text_equal(p->separator[i], p->separator[1]))
			return false;
	return true;
}

bool locale_number(struct text t, bool groups, struct buf *out)
{
	struct number_parts p;
	struct text last;
	bool has_fraction;
	size_t count;

	if (!split_number(t, &p))
		return false;
	last = p.separator[p.count - 1];
	has_fraction = (text_is(last, ",") || text_is(last, ".")) &&
	               (!groups || p.digits[p.count - 1].len != GROUP_DIGITS);
	count = p.count - has_fraction;
	if ((!groups && count > 1) || !are_groups(&p, count) ||
	    (has_fraction && count > 1 && text_equal(last, p.separator[1])))
		return false;
	for (size_t i = 0; i < p.count; i++) {
		if (i == count)
			buf_byte(out, '.');
		buf_text(out, p.digits[i]);
	}
	return true;
}
