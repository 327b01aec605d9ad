/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the table of functions; see flat_profile.h. A function is counted once in each
 * stack, even if it occurs several times.
 */
#include <math.h>
#include <stdlib.h>

#include "profile/flat_profile.h"
#include "text/display_text.h"
#include "text/display_width.h"

struct function_time {
	uint32_t object;
	struct text name;
	double self, total;
};

struct top {
	const struct stacks *stacks;
	struct intern keys;
	struct function_time *function;
	size_t count, cap;
	uint32_t *of; /* function of each frame; UINT32_MAX: the name of a program */
};

static void find_functions(
    struct top *t, const struct maps *maps, struct symbolizer *symbolizer)
{
	const struct stacks *s = t->stacks;
	struct buf key = { 0 };

	t->of = mem_zero(s->frames, sizeof(*t->of));
	for (size_t i = 0; i < s->frames; i++) {
		const struct frame *frame = &s->frame[i];

		t->of[i] = UINT32_MAX;
		if (frame->object >= maps_objects(maps))
			continue;
		struct text name = symbolizer_name(symbolizer, frame->object, frame->where);
		key.len = 0;
		buf_text(&key, symbolizer_object(symbolizer, frame->object));
		buf_byte(&key, '\0');
		buf_text(&key, name);
		t->of[i] =
		    (uint32_t)intern_add(&t->keys, text_in(&key));
		if (t->of[i] == t->count)
			*VEC_ADD(t->function, t->count, t->cap) =
			    (struct function_time){ .object = frame->object, .name = name };
	}
	buf_free(&key);
}

static bool is_caller(const struct top *t, uint32_t node)
{
	uint32_t function = t->of[t->stacks->node[node].frame];

	for (uint32_t up = node; (up = t->stacks->node[up].caller) != STACK_ROOT;)
		if (t->of[t->stacks->node[up].frame] == function)
			return true;
	return false;
}

/* Computes the values of all functions. Returns the sum over all stacks. */
static double sum_functions(struct top *t, unsigned which)
{
	const struct stacks *s = t->stacks;
	double *sum = mem_zero(s->count, sizeof(*sum)), all = 0;

	for (size_t i = s->count; i-- > 0;) {
		const struct stack_node *n = &s->node[i];
		double self = (double)stacks_value(s, i, which);
		uint32_t function = t->of[n->frame];

		all += self;
		sum[i] += self;
		if (n->caller == STACK_ROOT)
			continue;
		sum[n->caller] += sum[i];
		t->function[function].self += self;
		if (!is_caller(t, (uint32_t)i))
			t->function[function].total += sum[i];
	}
	free(sum);
	return all;
}

static int compare_self(const void *a, const void *b)
{
	const struct function_time *x = a, *y = b;
	size_t len = x->name.len < y->name.len ? x->name.len : y->name.len;
	int order;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	order = memcmp(x->name.ptr, y->name.ptr, len);
	return order ? order : (x->name.len > y->name.len) - (x->name.len < y->name.len);
}

static struct cell percent_cell(double part, double all)
{
	return CELL_OF_NUMBER(all > 0 ? round(1e4 * part / all) / 100 : NAN);
}

/* Computes the functions, in descending order. Returns the sum over all stacks. */
static double open_top(struct top *t, const struct flat_profile *p)
{
	double all;

	find_functions(t, p->maps, p->symbolizer);
	all = sum_functions(t, p->which);
	if (t->count)
		qsort(t->function, t->count, sizeof(*t->function), compare_self);
	return all;
}

static void close_top(struct top *t)
{
	intern_free(&t->keys);
	free(t->function);
	free(t->of);
}

/* Appends a name, cut or padded to this number of columns. */
static void put_columns(struct buf *out, struct text name, size_t columns)
{
	struct buf clean = { 0 };

	display_text_label(&clean, name, true);
	display_put(out, text_in(&clean), columns);
	buf_free(&clean);
}

int flat_profile_print(
    const struct flat_profile *p, const struct output *out, size_t *hidden)
{
	static const struct render_column columns[] = { { .name = "self_pct" },
		{ .name = "self", .rank = 3 }, { .name = "total_pct", .rank = 1 },
		{ .name = "total", .rank = 4 }, { .name = "function" },
		{ .name = "object", .rank = 5 } };
	struct top t = { .stacks = p->stacks };
	struct render *r;
	double all = open_top(&t, p);

	r = render_open(out, columns, COUNT(columns));
	*hidden = 0;
	for (size_t i = 0; i < t.count; i++) {
		const struct function_time *f = &t.function[i];
		struct cell self = { .kind = CELL_NUMBER, .unit = p->unit }, total = self;

		/* The functions of a profile whose sum is 0 have no share. */
		if (f->total < p->least * all || (p->least > 0 && f->total <= 0)) {
			++*hidden;
			continue;
		}
		self.number = f->self;
		total.number = f->total;
		render_row(
		    r, (struct cell[]){ percent_cell(f->self, all), self,
		           percent_cell(f->total, all), total, CELL_OF_TEXT(f->name),
		           CELL_OF_TEXT(symbolizer_object(p->symbolizer, f->object)) });
	}
	close_top(&t);
	return render_close(r);
}

void flat_profile_brief(const struct flat_profile *p, struct buf *out)
{
	enum { ROWS = 10, FUNCTION = 42, OBJECT = 19 };
	struct top t = { .stacks = p->stacks };
	double all = open_top(&t, p);
	size_t shown = 0;

	for (size_t i = 0; i < t.count && shown < ROWS; i++) {
		const struct function_time *f = &t.function[i];

		if (f->total < p->least * all || f->total <= 0)
			continue;
		if (!shown++)
			buf_str(out, "  self   total  function\n");
		buf_printf(
		    out, "%5.1f%%  %5.1f%%  ", 100 * f->self / all, 100 * f->total / all);
		put_columns(out, f->name, FUNCTION);
		buf_str(out, "  ");
		put_columns(out, symbolizer_object(p->symbolizer, f->object), OBJECT);
		while (out->ptr[out->len - 1] == ' ')
			out->len--;
		buf_str(out, "\n");
	}
	if (shown && shown < t.count)
		buf_printf(out, "%zu of %zu functions\n", shown, t.count);
	close_top(&t);
}
