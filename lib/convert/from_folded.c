/*
 * Folded stacks, "main;parse;strtod 42", as stackcollapse programs and bench-prof --folded
 * write them. Equal stacks are added up. The stacks stay where they were read. All rows
 * have the same columns, so that one is enough to learn them.
 */
#include <stdlib.h>

#include "convert/from.h"
#include "convert/to.h"
#include "text/units.h"

/* "frames count"; the last space parts the two. */
static bool split(struct text line, struct text *stack, double *count)
{
	const char *space;

	line = line_trim(line);
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
		if (!line_trim(line).len)
			continue;
		if (!split(line, &stack, &count))
			return false;
		frames |= memchr(stack.ptr, ';', stack.len) != NULL;
	}
	return frames;
}

struct stack_entry {
	struct text stack;
	uint64_t hash;
	double count;
};

/* The stacks, and where to find them by their hash. */
struct table {
	struct stack_entry *entry;
	size_t count, cap;
	uint32_t
	    *slot; /* entry + 1, or 0; a power of two of them, at most half of them taken */
	size_t slots;
};

static void grow(struct table *t)
{
	t->slots = t->slots ? 2 * t->slots : 1 << 12;
	free(t->slot);
	t->slot = mem_zero(t->slots, sizeof(*t->slot));
	for (size_t i = 0; i < t->count; i++) {
		size_t at = t->entry[i].hash & (t->slots - 1);

		while (t->slot[at])
			at = (at + 1) & (t->slots - 1);
		t->slot[at] = (uint32_t)i + 1;
	}
}

static void add(struct table *t, struct text stack, double count)
{
	uint64_t hash = text_hash(stack, 0);
	size_t at;

	if (2 * t->count >= t->slots)
		grow(t);
	for (at = hash & (t->slots - 1); t->slot[at]; at = (at + 1) & (t->slots - 1)) {
		struct stack_entry *e = &t->entry[t->slot[at] - 1];

		if (e->hash == hash && text_equal(e->stack, stack)) {
			e->count += count;
			return;
		}
	}
	*VEC_ADD(t->entry, t->count, t->cap) = (struct stack_entry){ stack, hash, count };
	t->slot[at] = (uint32_t)t->count;
}

static int folded_read(const struct source *s, struct rows *out, struct fault *f)
{
	struct text rest = s->text, line, stack;
	struct table t = { 0 };
	double count;
	int status = 0;
	size_t stack_column, number = 0;

	while (status == 0 && line_next(&rest, &line)) {
		number++;
		if (!line_trim(line).len)
			continue;
		if (!split(line, &stack, &count))
			status = fault_set(
			    f, "%s:%zu: no stack with a count behind it", s->name, number);
		else if (t.count == UINT32_MAX - 1)
			status = fault_set(f, "%s: too many stacks", s->name);
		else if (!out->learning || !t.count)
			add(&t, stack, count);
	}
	rows_clear(out);
	rows_set(out, COL_KIND, TEXT("command"));
	rows_factor(out, TEXT("stack"), TEXT(""));
	stack_column = out->cells - 1;
	out->row.sample = 0;
	for (size_t i = 0; i < t.count && status == 0; i++) {
		out->cell[stack_column] = t.entry[i].stack;
		status = rows_put(out, TEXT("samples"), TEXT("1"), t.entry[i].count, f);
	}
	free(t.entry);
	free(t.slot);
	return status;
}

const struct format format_folded = { .name = "folded",
	.meaning = "folded stacks, for flame graphs",
	.recognize = folded_recognize,
	.read = folded_read,
	.writer = &folded_writer };
