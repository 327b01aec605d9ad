/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers for runs; see run_numbers.h.
 */
#include <stdlib.h>
#include <string.h>

#include "record/run_numbers.h"

uint32_t run_numbers_find(struct run_numbers *r, const struct row *row)
{
	struct text run = row->cell[COL_RUN];
	/* No name of a run equals these bytes, because a file with a NUL is refused. */
	char table[1 + sizeof(row->table)] = { 0 };

	r->table = row->table + 1;
	r->last.len = 0;
	buf_text(&r->last, run);
	memcpy(table + 1, &row->table, sizeof(row->table));
	r->number = (uint32_t)intern_add(
	    &r->names, run.len ? run : (struct text){ table, sizeof(table) });
	return r->number;
}

/* A run and its name, which begins with a NUL if it has none. */
struct named_run {
	char *name;
	uint32_t number;
};

/* Compares names. Runs without a name are in the order of the input. */
static int by_name(const void *a, const void *b)
{
	const struct named_run *x = a, *y = b;
	int order = strverscmp(x->name, y->name);

	return order ? order : (x->number > y->number) - (x->number < y->number);
}

uint32_t *run_numbers_order(struct run_numbers *r)
{
	size_t runs = r->names.count;
	uint32_t *number = mem_zero(runs + 1, sizeof(*number));
	struct named_run *run = mem_zero(runs + 1, sizeof(*run));

	r->order = mem_zero(runs + 1, sizeof(*r->order));
	r->named = mem_zero(runs + 1, sizeof(*r->named));
	for (size_t i = 0; i < runs; i++) {
		struct text t = intern_text(&r->names, i);

		run[i] = (struct named_run){ mem_text(t.ptr, t.len), (uint32_t)i };
	}
	qsort(run, runs, sizeof(*run), by_name);
	for (size_t i = 0; i < runs; i++) {
		r->order[i] = run[i].number;
		number[run[i].number] = (uint32_t)i;
		r->named[i] = *run[i].name;
		free(run[i].name);
	}
	free(run);
	return number;
}

struct text run_numbers_name(const struct run_numbers *r, uint32_t number)
{
	return intern_text(&r->names, r->order ? r->order[number] : number);
}

void run_numbers_free(struct run_numbers *r)
{
	intern_free(&r->names);
	free(r->order);
	free(r->named);
	buf_free(&r->last);
}
