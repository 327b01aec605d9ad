/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Similar names; see near_name.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "text/display_width.h"
#include "text/near_name.h"

enum {
	NAME_MOST = 100,
	PART_LEAST = 3,
	NAME_COLUMNS = 40,
	LINE_COLUMNS = 150,
	LIST_COLUMNS = 40
};

/* A name in lower case, without pattern characters. */
struct plain_name {
	char letter[NAME_MOST];
	size_t len;
};

void known_names_add(struct known_names *k, struct text name)
{
	*VEC_ADD(k->name, k->count, k->cap) = name;
}

bool known_names_have(const struct known_names *k, struct text name)
{
	for (size_t i = 0; i < k->count; i++)
		if (text_equal(k->name[i], name))
			return true;
	return false;
}

void known_names_add_once(struct known_names *k, struct text name)
{
	if (!known_names_have(k, name))
		known_names_add(k, name);
}

void known_names_add_all(
    struct known_names *k, const void *table, size_t size, size_t count)
{
	for (size_t i = 0; i < count; i++)
		known_names_add(
		    k, text_of(*(const char *const *)((const char *)table + i * size)));
}

void known_names_free(struct known_names *k)
{
	for (size_t i = 0; k->owns && i < k->count; i++)
		free((char *)k->name[i].ptr);
	free(k->name);
	*k = (struct known_names){ 0 };
}

/* Makes the plain name of a string; the empty one if it is too long. */
static void plain_name_set(struct plain_name *p, struct text t)
{
	p->len = 0;
	for (size_t i = 0; i < t.len && t.len <= NAME_MOST; i++)
		if (t.ptr[i] && !strchr("*?[]!\\", t.ptr[i]))
			p->letter[p->len++] = (char)tolower((unsigned char)t.ptr[i]);
}

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the number of letters to insert, delete, replace or swap with the next one (F. J.
 * Damerau, 1964) to turn b, or the part of b that needs fewest (P. H. Sellers, 1980), into
 * a. No letter is changed twice.
 */
static size_t letters_apart(
    const struct plain_name *a, const struct plain_name *b, bool of_part)
{
	size_t rows[3][NAME_MOST + 1], *row = rows[0], *before = rows[1], *first = rows[2],
	                               apart;

	for (size_t k = 0; k <= b->len; k++)
		row[k] = of_part ? 0 : k;
	for (size_t i = 1; i <= a->len; i++) {
		size_t *next = first;

		first = before, before = row, row = next;
		row[0] = i;
		for (size_t k = 1; k <= b->len; k++) {
			char x = a->letter[i - 1], y = b->letter[k - 1];

			row[k] = least_of(
			    before[k - 1] + (x != y), least_of(row[k - 1], before[k]) + 1);
			if (i > 1 && k > 1 && x == b->letter[k - 2] &&
			    y == a->letter[i - 2])
				row[k] = least_of(row[k], first[k - 2] + 1);
		}
	}
	apart = row[b->len];
	for (size_t k = 0; of_part && k < b->len; k++)
		apart = least_of(apart, row[k]);
	return apart;
}

/* Returns how far two names are apart, where parts are farther than whole names; SIZE_MAX
 * if they are not near. */
static size_t names_apart(const struct plain_name *typed, const struct plain_name *name)
{
	size_t apart;

	if (!typed->len || !name->len)
		return SIZE_MAX;
	apart = letters_apart(typed, name, false);
	if (apart <= (typed->len > name->len ? typed->len : name->len) / 3)
		return apart;
	const struct plain_name *part = typed->len < name->len ? typed : name,
	                        *whole = part == typed ? name : typed;
	apart = letters_apart(part, whole, true);
	return part->len >= PART_LEAST && apart <= part->len / 4 ? NAME_MOST + apart
	                                                         : SIZE_MAX;
}

size_t near_names(
    struct text typed, const struct known_names *k, size_t near[NEAR_NAMES_MOST])
{
	struct plain_name a, b;
	size_t count = 0, least = SIZE_MAX;

	plain_name_set(&a, typed);
	for (size_t i = 0; i < k->count; i++) {
		size_t apart;

		plain_name_set(&b, k->name[i]);
		apart = names_apart(&a, &b);
		if (apart == SIZE_MAX || apart > least)
			continue;
		if (apart < least)
			count = 0;
		least = apart;
		if (count < NEAR_NAMES_MOST)
			near[count++] = i;
	}
	return count;
}

/* Appends a name, shortened, between quotes where a shell would need them. */
static void put_name(struct buf *b, struct text name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789_-+=.:/@%";
	bool quoted = !name.len;
	size_t most = display_prefix(name, NAME_COLUMNS);

	for (size_t i = 0; i < name.len && !quoted; i++)
		quoted = !name.ptr[i] || !strchr(plain, name.ptr[i]);
	buf_str(b, quoted ? "'" : "");
	buf_text(b, (struct text){ name.ptr, most });
	buf_str(b, most < name.len ? "..." : "");
	buf_str(b, quoted ? "'" : "");
}

static const char *alias_of(const struct known_names *k, struct text typed)
{
	for (size_t i = 0; i < k->aliases; i++)
		if (strlen(k->alias[i].foreign) == typed.len &&
		    strncasecmp(k->alias[i].foreign, typed.ptr, typed.len) == 0)
			return k->alias[i].name;
	return NULL;
}

void near_names_ask(struct buf *b, struct text typed, const struct known_names *k)
{
	const char *alias = alias_of(k, typed);
	size_t near[NEAR_NAMES_MOST], count = alias ? 0 : near_names(typed, k, near);

	if (alias)
		buf_printf(b, "; did you mean %s?", alias);
	for (size_t i = 0; i < count; i++) {
		buf_str(b, i == 0 ? "; did you mean " : i + 1 < count ? ", " : " or ");
		put_name(b, k->name[near[i]]);
	}
	buf_str(b, count ? "?" : "");
}

/* Appends the names that fit on the line, at least LIST_COLUMNS of them, and the number of
 * the others. */
static void put_names(struct buf *b, const struct known_names *k)
{
	size_t used = display_width(text_in(b)), columns = 0, i;
	size_t most =
	    used + LIST_COLUMNS < LINE_COLUMNS ? LINE_COLUMNS - used : LIST_COLUMNS;
	struct buf one = { 0 };

	for (i = 0; i < k->count; i++) {
		one.len = 0;
		put_name(&one, k->name[i]);
		columns += display_width(text_in(&one)) + 2;
		if (i && columns > most && i + 1 < k->count)
			break;
		buf_str(b, i ? ", " : "");
		buf_text(b, text_in(&one));
	}
	buf_free(&one);
	if (i < k->count)
		buf_printf(b, " and %zu more", k->count - i);
}

int unknown_name(
    struct fault *f, const char *what, struct text typed, struct known_names *k)
{
	size_t most = display_prefix(typed, NAME_COLUMNS);
	struct buf b = { 0 };

	buf_printf(
	    &b, "%s '%.*s%s'", what, (int)most, typed.ptr, most < typed.len ? "..." : "");
	near_names_ask(&b, typed, k);
	buf_str(&b, " (there are: ");
	put_names(&b, k);
	buf_printf(&b, "%s%s%s)", k->count ? "" : "none", k->advice ? "; " : "",
	    k->advice ? k->advice : "");
	fault_set(f, "%s", b.ptr);
	buf_free(&b);
	known_names_free(k);
	return -1;
}
