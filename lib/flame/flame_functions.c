/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of a flame graph, and how their shares differ; see flame.h. */
#include <math.h>
#include <stdlib.h>

#include "flame/flame_tree_priv.h"
#include "stats/adjust.h"
#include "stats/fisher.h"
#include "stats/welch.h"

/* Returns whether a function is called by itself, directly or not. */
static bool is_recursive(const struct flame *f, uint32_t node)
{
	uint32_t frame = f->tree.node[node].frame;

	for (uint32_t up = node; (up = f->tree.node[up].caller) != STACK_ROOT;)
		if (f->tree.node[up].frame == frame)
			return true;
	return false;
}

/* Adds the values of nodes, which include callees, to those of their functions. */
static void add_values(const struct flame *f, const double *value, double *self)
{
	for (size_t i = 0; i < f->tree.count; i++) {
		uint32_t caller = f->tree.node[i].caller;

		self[f->tree.node[i].frame] += value[i];
		if (caller != STACK_ROOT)
			self[f->tree.node[caller].frame] -= value[i];
	}
}

static void add_totals(
    const struct flame *f, enum flame_side side, struct flame_function *out)
{
	for (size_t i = 0; i < f->tree.count; i++)
		if (!is_recursive(f, (uint32_t)i))
			out[f->tree.node[i].frame].total[side] += f->value[side][i];
}

/* Returns the share of the total of each function itself in each run of a side:
 * [function][run]. */
static double *self_shares(const struct flame *f, enum flame_side side)
{
	size_t runs = f->runs[side].count, functions = f->names.count;
	double *share = mem_zero(functions * runs + 1, sizeof(*share));
	double *value = mem_zero(f->tree.count + 1, sizeof(*value));
	double *self = mem_zero(functions + 1, sizeof(*self));

	for (size_t run = 0; run < runs; run++) {
		double total = 0;

		memset(value, 0, f->tree.count * sizeof(*value));
		memset(self, 0, functions * sizeof(*self));
		flame_sum(f, value, side, (int64_t)run);
		add_values(f, value, self);
		for (size_t i = 0; i < f->entries; i++)
			if (f->entry[i].side == side && f->entry[i].run == run)
				total += f->entry[i].value;
		for (size_t i = 0; i < functions && total > 0; i++)
			share[i * runs + run] = self[i] / total;
	}
	free(self);
	free(value);
	return share;
}

static void test_function_runs(const struct flame *f, double *p)
{
	size_t runs[FLAME_SIDES] = { f->runs[FLAME_OLD].count, f->runs[FLAME_NEW].count };
	double *old = self_shares(f, FLAME_OLD), *new = self_shares(f, FLAME_NEW);

	for (size_t i = 0; i < f->names.count; i++) {
		const double *a = old + i * runs[FLAME_OLD], *b = new + i *runs[FLAME_NEW];

		if (flame_varies(a, runs[FLAME_OLD]) || flame_varies(b, runs[FLAME_NEW]))
			p[i] = welch_sides(a, runs[FLAME_OLD], b, runs[FLAME_NEW]);
	}
	free(old);
	free(new);
}

static void judge_functions(const struct flame *f, const struct flame_place_opts *opts,
    struct flame_function *out, size_t count)
{
	double *p = mem_zero(count + 1, sizeof(*p));

	for (size_t i = 0; i < count; i++)
		p[i] = NAN;
	if (f->runs[FLAME_OLD].count >= FLAME_RUNS_LEAST &&
	    f->runs[FLAME_NEW].count >= FLAME_RUNS_LEAST)
		test_function_runs(f, p);
	else
		for (size_t i = 0; i < count && opts->counts; i++)
			p[i] = fisher_test(out[i].self[FLAME_NEW], f->total[FLAME_NEW],
			    out[i].self[FLAME_OLD], f->total[FLAME_OLD]);
	adjust_p(ADJUST_HOLM, p, count);
	for (size_t i = 0; i < count; i++) {
		double old = out[i].self[FLAME_OLD] / f->total[FLAME_OLD];
		double new = out[i].self[FLAME_NEW] / f->total[FLAME_NEW];

		out[i].p = p[i];
		if (!isnan(p[i]))
			out[i].verdict = p[i] >= 1 - opts->confidence ? FLAME_NOISE
			                 : new > old                  ? FLAME_MORE
			                                              : FLAME_LESS;
	}
	free(p);
}

static double change_of(const struct flame *f, const struct flame_function *x)
{
	return fabs(x->self[FLAME_NEW] / f->total[FLAME_NEW] -
	            x->self[FLAME_OLD] / f->total[FLAME_OLD]);
}

static bool is_change(const struct flame_function *x)
{
	return x->verdict == FLAME_MORE || x->verdict == FLAME_LESS;
}

/* Orders changes by their sizes before all others; without sides, by self values. */
static int by_importance(const void *pa, const void *pb, void *ctx)
{
	const struct flame_function *a = pa, *b = pb;
	const struct flame *f = ctx;
	double x = f->both ? change_of(f, a) : a->self[FLAME_NEW];
	double y = f->both ? change_of(f, b) : b->self[FLAME_NEW];
	size_t len = a->name.len < b->name.len ? a->name.len : b->name.len;
	int order;

	if (is_change(a) != is_change(b))
		return is_change(a) ? -1 : 1;
	if (x != y)
		return x > y ? -1 : 1;
	if (a->total[FLAME_NEW] != b->total[FLAME_NEW])
		return a->total[FLAME_NEW] > b->total[FLAME_NEW] ? -1 : 1;
	order = len ? memcmp(a->name.ptr, b->name.ptr, len) : 0;
	return order ? order : (a->name.len > b->name.len) - (a->name.len < b->name.len);
}

struct flame_function *flame_functions(
    const struct flame *f, const struct flame_place_opts *opts, size_t *count)
{
	struct flame_function *out = mem_zero(f->names.count + 1, sizeof(*out));
	double *self = mem_zero(f->names.count + 1, sizeof(*self));

	*count = f->names.count;
	for (size_t i = 0; i < *count; i++) {
		out[i].name = intern_text(&f->names, i);
		out[i].p = NAN;
	}
	for (int side = 0; side < FLAME_SIDES; side++) {
		memset(self, 0, *count * sizeof(*self));
		add_values(f, f->value[side], self);
		for (size_t i = 0; i < *count; i++)
			/* Ignore rounding errors of sums in another order. */
			out[i].self[side] = self[i] > 1e-9 * f->total[side] ? self[i] : 0;
		add_totals(f, (enum flame_side)side, out);
	}
	if (f->both)
		judge_functions(f, opts, out, *count);
	if (*count)
		qsort_r(out, *count, sizeof(*out), by_importance, (void *)f);
	free(self);
	return out;
}
