/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sorted table of symbols; see symbol.h.
 */
#include <ctype.h>
#include <stdlib.h>

#include "elf/symbol.h"

void symbols_add(struct symbols *s, uint64_t start, uint64_t size, enum symbol_rank rank,
    struct text name)
{
	*VEC_ADD(s->symbol, s->count, s->cap) =
	    (struct symbol){ start, size, s->names.len, rank };
	buf_text(&s->names, name);
	buf_byte(&s->names, '\0');
}

static int compare_starts(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/*
 * Returns whether b is the better name: with a size, with fewer underscores, global,
 * longer. (perf compares the binding first and therefore prints __GI___qsort_r for
 * qsort_r.)
 */
static bool is_better(
    const struct symbols *s, const struct symbol *a, const struct symbol *b)
{
	const char *left = s->names.ptr + a->name, *right = s->names.ptr + b->name;
	size_t lefts = strspn(left, "_"), rights = strspn(right, "_");

	if ((a->size == 0) != (b->size == 0))
		return b->size != 0;
	if (lefts != rights)
		return rights < lefts;
	if (a->rank != b->rank)
		return b->rank > a->rank;
	return strlen(right) > strlen(left);
}

void symbols_finish(struct symbols *s)
{
	size_t kept = 0;

	if (s->count)
		qsort(s->symbol, s->count, sizeof(*s->symbol), compare_starts);
	for (size_t i = 0; i < s->count; i++) {
		struct symbol *last = kept ? &s->symbol[kept - 1] : NULL;

		if (!last || last->start != s->symbol[i].start)
			s->symbol[kept++] = s->symbol[i];
		else if (is_better(s, last, &s->symbol[i]))
			*last = s->symbol[i];
	}
	s->count = kept;
}

const char *symbols_find(const struct symbols *s, uint64_t address)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->symbol[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	/* A small symbol may be inside a larger one. */
	for (size_t i = low; i > 0 && low - i < 8; i--) {
		const struct symbol *at = &s->symbol[i - 1];

		if (at->size == 0 || address - at->start < at->size)
			return s->names.ptr + at->name;
	}
	return NULL;
}

static bool parse_line(struct text *lines, struct text *line)
{
	const char *end;

	if (!lines->len)
		return false;
	end = memchr(lines->ptr, '\n', lines->len);
	line->ptr = lines->ptr;
	line->len = end ? (size_t)(end - lines->ptr) : lines->len;
	lines->ptr += line->len + (end != NULL);
	lines->len -= line->len + (end != NULL);
	return true;
}

/* Takes a hexadecimal number and the blank after it. */
static bool parse_hex(struct text *t, uint64_t *out)
{
	size_t i = 0;

	*out = 0;
	if (t->len > 2 && t->ptr[0] == '0' && t->ptr[1] == 'x')
		i = 2;
	for (size_t digits = i; i < t->len && isxdigit((unsigned char)t->ptr[i]); i++) {
		char c = (char)tolower((unsigned char)t->ptr[i]);

		if (i - digits == 16)
			return false;
		*out = *out << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	if (!i || i == t->len || t->ptr[i] != ' ')
		return false;
	t->ptr += i + 1;
	t->len -= i + 1;
	return true;
}

void symbols_add_kallsyms(struct symbols *s, struct text lines)
{
	struct text line;
	uint64_t start;

	while (parse_line(&lines, &line)) {
		const char *end;

		if (!parse_hex(&line, &start) || line.len < 3 || !strchr("tTwW", *line.ptr))
			continue;
		line.ptr += 2;
		line.len -= 2;
		end = memchr(line.ptr, '\t', line.len);
		if (end)
			line.len = (size_t)(end - line.ptr);
		if (start)
			symbols_add(s, start, 0, SYMBOL_GLOBAL, line);
	}
}

void symbols_add_map(struct symbols *s, struct text lines)
{
	struct text line;
	uint64_t start, size;

	while (parse_line(&lines, &line))
		if (parse_hex(&line, &start) && parse_hex(&line, &size) && line.len)
			symbols_add(s, start, size, SYMBOL_GLOBAL, line);
}

void symbols_free(struct symbols *s)
{
	free(s->symbol);
	buf_free(&s->names);
	*s = (struct symbols){ 0 };
}
