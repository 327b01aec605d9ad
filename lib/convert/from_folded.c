/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads folded stacks such as "main;parse;strtod 42", as stackcollapse programs and
 * bench-prof --folded write them. Equal stacks are added up. The stacks refer to the input
 * text. All rows have the same columns, so that the first pass needs only one. The lines of
 * difffolded.pl have two counts. A frame can also end in a number, so only a file in which
 * each line has two of them is refused.
 */
#include <stdlib.h>

#include "base/hash_map.h"
#include "convert/from.h"
#include "convert/to.h"
#include "text/units.h"

/* Splits a line "frames count" at its last space. */
static bool split_line(struct text line, struct text *stack, double *count)
{
	const char *space;

	line = text_trim(line);
	space = line.len ? memrchr(line.ptr, ' ', line.len) : NULL;
	if (!space || space == line.ptr)
		return false;
	*stack = (struct text){ line.ptr, (size_t)(space - line.ptr) };
	return number_parse((struct text){ space + 1, line.len - stack->len - 1 }, count) &&
	       *count >= 0;
}

static bool folded_recognize(const struct source *s)
{
	struct text rest = s->text, line, stack;
	double count;
	bool frames = false;

	if (s->doc)
		return false;
	for (int i = 0; i < 100 && line_next(&rest, &line); i++) {
		if (!text_trim(line).len)
			continue;
		if (!split_line(line, &stack, &count) || text_begins(line, "{\""))
			return false; /* JSON in one line, before stacks */
		frames |= memchr(stack.ptr, ';', stack.len) != NULL;
	}
	return frames;
}

struct folded_stack {
	struct text text;
	double count;
};

struct folded_stacks {
	struct folded_stack *stack;
	size_t count, cap;
	struct hash_map map;
};

/* A search for a stack. */
struct folded_search {
	const struct folded_stacks *s;
	struct text text;
};

static bool equal_stack(const void *ctx, size_t number)
{
	const struct folded_search *search = ctx;

	return text_equal(search->s->stack[number].text, search->text);
}

static void add_stack(struct folded_stacks *s, struct text text, double count)
{
	size_t number = hash_map_add(
	    &s->map, text_hash(text, 0), equal_stack, &(struct folded_search){ s, text });

	if (number < s->count)
		s->stack[number].count += count;
	else
		*VEC_ADD(s->stack, s->count, s->cap) = (struct folded_stack){ text, count };
}

static int folded_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line, stack, inner;
	struct folded_stacks t = { 0 };
	double count, other;
	bool single = false;
	int status = 0;
	size_t stack_column, number = 0;

	while (status == 0 && line_next(&rest, &line)) {
		number++;
		if (!text_trim(line).len)
			continue;
		if (!split_line(line, &stack, &count))
			status = fault_set(
			    f, "%s:%zu: not a stack followed by a count", s->name, number);
		else if (t.count == UINT32_MAX - 1)
			status = fault_set(f, "%s: too many stacks", s->name);
		else {
			single |= !split_line(stack, &inner, &other);
			if (!out->learning || !t.count)
				add_stack(&t, stack, count);
		}
	}
	if (status == 0 && t.count && !single)
		status = fault_set(f,
		    "%s: two counts in each line, as difffolded.pl writes them: convert "
		    "the two profiles that it compared",
		    s->name);
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_factor(out, TEXT("stack"), TEXT(""));
	stack_column = out->cells - 1;
	out->row.sample = 0;
	for (size_t i = 0; i < t.count && status == 0; i++) {
		out->cell[stack_column] = t.stack[i].text;
		status =
		    row_builder_put(out, TEXT("samples"), TEXT("1"), t.stack[i].count, f);
	}
	free(t.stack);
	hash_map_free(&t.map);
	return status;
}

const struct format format_folded = { .name = "folded",
	.meaning = "folded stacks, for flame graphs",
	.whole_lines = true,
	.recognize = folded_recognize,
	.read = folded_read,
	.writer = &folded_writer };
