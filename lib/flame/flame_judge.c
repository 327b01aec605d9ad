/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests which differences between the sides of a flame graph exceed noise. */
#include <math.h>
#include <stdlib.h>

#include "flame/flame_tree_priv.h"
#include "stats/adjust.h"
#include "stats/fisher.h"
#include "stats/welch.h"

/* Returns the share of the total of each box in each run of a side: [box][run]. */
static double *shares(
    const struct flame *f, enum flame_side side, const uint32_t *node, size_t boxes)
{
	size_t runs = f->runs[side].count;
	double *share = mem_zero(boxes * runs + 1, sizeof(*share));
	double *total = mem_zero(runs + 1, sizeof(*total));
	double *value = mem_zero(f->tree.count + 1, sizeof(*value));

	for (size_t i = 0; i < f->entries; i++)
		if (f->entry[i].side == side)
			total[f->entry[i].run] += f->entry[i].value;
	for (size_t run = 0; run < runs; run++) {
		memset(value, 0, f->tree.count * sizeof(*value));
		flame_sum(f, value, side, (int64_t)run);
		for (size_t i = 0; i < boxes && total[run] > 0; i++)
			if (node[i] != STACK_ROOT)
				share[i * runs + run] = value[node[i]] / total[run];
	}
	free(value);
	free(total);
	return share;
}

bool flame_varies(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (x[i] != x[0])
			return true;
	return false;
}

/* Shares that vary on neither side are not tested: they may be equal by rounding, as they
 * are quotients of few samples. */
static void test_runs(const struct flame *f, const uint32_t *node, double *p, size_t count)
{
	size_t runs[FLAME_SIDES] = { f->runs[FLAME_OLD].count, f->runs[FLAME_NEW].count };
	double *old = shares(f, FLAME_OLD, node, count);
	double *new = shares(f, FLAME_NEW, node, count);

	for (size_t i = 0; i < count; i++) {
		const double *a = old + i * runs[FLAME_OLD], *b = new + i *runs[FLAME_NEW];

		if (node[i] != STACK_ROOT &&
		    (flame_varies(a, runs[FLAME_OLD]) || flame_varies(b, runs[FLAME_NEW])))
			p[i] = welch_sides(a, runs[FLAME_OLD], b, runs[FLAME_NEW]);
	}
	free(old);
	free(new);
}

static void test_counts(
    const struct flame *f, const uint32_t *node, double *p, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (node[i] != STACK_ROOT)
			p[i] =
			    fisher_test(f->value[FLAME_NEW][node[i]], f->total[FLAME_NEW],
			        f->value[FLAME_OLD][node[i]], f->total[FLAME_OLD]);
}

void flame_judge(const struct flame *f, const struct flame_place_opts *opts,
    struct flame_plot *plot, const uint32_t *node)
{
	size_t count = plot->count;
	double *p = mem_zero(count + 1, sizeof(*p));
	bool by_runs = f->runs[FLAME_OLD].count >= FLAME_RUNS_LEAST &&
	               f->runs[FLAME_NEW].count >= FLAME_RUNS_LEAST;

	for (size_t i = 0; i < count; i++)
		p[i] = NAN;
	if (f->both && by_runs)
		test_runs(f, node, p, count);
	else if (f->both && opts->counts)
		test_counts(f, node, p, count);
	adjust_p(ADJUST_HOLM, p, count);
	for (size_t i = 0; i < count; i++) {
		struct flame_box *b = &plot->box[i];
		double old = b->value[FLAME_OLD] / f->total[FLAME_OLD];
		double new = b->value[FLAME_NEW] / f->total[FLAME_NEW];

		b->p = p[i];
		if (isnan(p[i]))
			continue;
		plot->tested++;
		b->verdict = p[i] >= 1 - opts->confidence ? FLAME_NOISE
		             : new > old                  ? FLAME_MORE
		                                          : FLAME_LESS;
	}
	free(p);
}
