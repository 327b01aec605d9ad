/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads sequences of tokens; see port_tokens.h.
 */
#include <stdlib.h>

#include "port/port_tokens.h"
#include "text/units.h"

/* Takes the text up to any of two characters, and that character, from a string. */
static struct text take_until(struct text *rest, char a, char b)
{
	struct text part = { rest->ptr, 0 };

	while (part.len < rest->len && part.ptr[part.len] != a && part.ptr[part.len] != b)
		part.len++;
	rest->ptr += part.len + (part.len < rest->len);
	rest->len -= part.len + (part.len < rest->len);
	return part;
}

/* Appends the ids of a line. */
static int add_line(
    struct port_tokens *t, struct text line, double below, double rows, struct fault *f)
{
	while (line.len) {
		const struct text word = take_until(&line, ' ', '\t');
		int64_t id;

		if (!word.len)
			continue;
		if (!integer_parse(word, &id) || id < 0)
			return fault_set(f, "'%.*s' is not the id of a token",
			    (int)(word.len < 40 ? word.len : 40), word.ptr);
		if (rows > 0 && (double)id >= rows)
			return fault_set(f,
			    "token %.*s is out of range: the table has %.17g rows",
			    (int)word.len, word.ptr, rows);
		if ((double)id >= below)
			return fault_set(f, "token %.*s is too large for the input",
			    (int)word.len, word.ptr);
		*VEC_ADD(t->id, t->ids, t->id_cap) = (double)id;
	}
	return 0;
}

int port_tokens_add(
    struct port_tokens *t, struct text text, double below, double rows, struct fault *f)
{
	struct fault why;

	for (size_t number = 1; text.len; number++) {
		const size_t before = t->ids;
		struct text line = take_until(&text, '\n', '\n');

		if (line.len && line.ptr[line.len - 1] == '\r')
			line.len--;
		if (add_line(t, line, below, rows, &why) < 0)
			return fault_set(f, "line %zu: %s", number, why.text);
		if (t->ids > before)
			*VEC_ADD(t->end, t->sequences, t->end_cap) = t->ids;
	}
	return 0;
}

void port_tokens_free(struct port_tokens *t)
{
	free(t->id);
	free(t->end);
	*t = (struct port_tokens){ 0 };
}

const double *port_tokens_of(const struct port_tokens *t, size_t sequence, size_t *count)
{
	const size_t begin = sequence ? t->end[sequence - 1] : 0;

	*count = t->end[sequence] - begin;
	return t->id + begin;
}
