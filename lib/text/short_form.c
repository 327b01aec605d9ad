/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short forms; see short_form.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "text/short_form.h"
#include "text/stamp.h"

enum { SHA1_DIGITS = 40, SHA256_DIGITS = 64, COMMIT_SHORT = 10, UUID_CHARS = 36 };
enum { UUID_SHORT = 8, TIME_LEAST = 17, STAMP_DIGITS = 9 };
/* Characters of a time to the minute, second, millisecond and microsecond. */
static const int time_chars[] = { 16, 19, 23, 26 };

/* Returns the number of hexadecimal digits that the text begins with. */
static size_t hex_start(struct text t)
{
	size_t n = 0;

	while (n < t.len && isxdigit((unsigned char)t.ptr[n]))
		n++;
	return n;
}

/* Returns the digits of a commit, which other characters may follow; 0 if it is none. */
static size_t commit_digits(struct text t)
{
	size_t n = hex_start(t);

	if (n != SHA1_DIGITS && n != SHA256_DIGITS)
		return 0;
	return n == t.len || !isalnum((unsigned char)t.ptr[n]) ? n : 0;
}

/* Returns the characters of a UUID, or 0 if the text is none. */
static size_t uuid_chars(struct text t)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (t.len != UUID_CHARS)
		return 0;
	for (size_t i = 0; i < UUID_CHARS; i++)
		if (form[i] == '-' ? t.ptr[i] != '-' : !isxdigit((unsigned char)t.ptr[i]))
			return 0;
	return UUID_CHARS;
}

/* A string whose first characters, at most id of them, can identify it. */
struct identified {
	struct text text;
	size_t number, id;
};

static int compare_ids(const void *a, const void *b)
{
	const struct identified *x = a, *y = b;
	int order = memcmp(x->text.ptr, y->text.ptr, x->id < y->id ? x->id : y->id);

	return order ? order : (x->id > y->id) - (x->id < y->id);
}

/* Returns the characters that two different ids have in common at their starts. */
static size_t common_chars(const struct identified *a, const struct identified *b)
{
	size_t n = 0;

	while (n < a->id && n < b->id && a->text.ptr[n] == b->text.ptr[n])
		n++;
	return n;
}

/* Shortens the strings with ids to as many characters as distinguish them all. */
static void shorten_ids(
    const struct intern *texts, size_t (*id_of)(struct text), size_t least, char **shorter)
{
	struct identified *list = mem_zero(texts->count + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < texts->count; i++) {
		struct identified one = { intern_text(texts, i), i, 0 };

		one.id = id_of(one.text);
		if (one.id)
			list[count++] = one;
	}
	qsort(list, count, sizeof(*list), compare_ids);
	for (size_t i = 1; i < count; i++)
		if (compare_ids(&list[i - 1], &list[i]) != 0) {
			size_t same = common_chars(&list[i - 1], &list[i]);

			least = same >= least ? same + 1 : least;
		}
	for (size_t i = 0; i < count; i++) {
		struct text t = list[i].text;
		size_t kept = least < list[i].id ? least : list[i].id;

		shorter[list[i].number] = str_format("%.*s%.*s", (int)kept, t.ptr,
		    (int)(t.len - list[i].id), t.ptr + list[i].id);
	}
	free(list);
}

/* Returns the first characters of a time in UTC, marked as UTC. */
static char *time_start(int64_t ns, int chars)
{
	char stamp[STAMP_MAX];

	stamp_print(stamp, ns, STAMP_DIGITS);
	return str_format("%.10s %.*sZ", stamp, chars - 11, stamp + 11);
}

/* Shortens the times to this number of characters. Returns false if times would become
 * equal. */
static bool shorten_times(const struct intern *texts, int chars, char **shorter)
{
	struct intern made = { 0 };
	size_t times = 0;

	for (size_t i = 0; i < texts->count; i++) {
		struct text t = intern_text(texts, i);
		int64_t ns;
		int digits;

		if (t.len < TIME_LEAST || !isdigit((unsigned char)t.ptr[0]) ||
		    !stamp_parse(t, &ns, &digits))
			continue;
		free(shorter[i]);
		shorter[i] = time_start(ns, chars);
		intern_add(&made, text_of(shorter[i]));
		times++;
	}
	bool differ = made.count == times;

	intern_free(&made);
	return differ;
}

char **short_forms(const struct intern *texts)
{
	char **shorter = mem_zero(texts->count + 1, sizeof(*shorter));

	bool differ = false;

	for (size_t i = 0; i < COUNT(time_chars) && !differ; i++)
		differ = shorten_times(texts, time_chars[i], shorter);
	for (size_t i = 0; i < texts->count && !differ; i++) {
		free(shorter[i]);
		shorter[i] = NULL;
	}
	shorten_ids(texts, commit_digits, COMMIT_SHORT, shorter);
	shorten_ids(texts, uuid_chars, UUID_SHORT, shorter);
	return shorter;
}
