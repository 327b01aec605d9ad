/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the medians of lines grow along x; see samples_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "figure/samples_priv.h"
#include "text/plural.h"

/* The medians of a series above 0, by x. */
struct curve {
	double *x, *median;
	size_t count;
};

/* Reads the medians of a series. Returns the number of its marks that have no place on a
 * curve: without a median, or with a median or an x that is not above 0. */
static size_t read_curve(const struct figure *fig, size_t series, struct curve *out)
{
	size_t without = 0;

	out->count = 0;
	for (size_t i = 0; i < fig->marks; i++) {
		const struct mark *m = &fig->mark[i];

		if (m->series != series)
			continue;
		if (m->x > 0 && m->s.median > 0 && mark_count(m)) {
			out->x[out->count] = m->x;
			out->median[out->count++] = m->s.median;
		} else {
			without++;
		}
	}
	return without;
}

/* Appends the model of a series, and other models that the medians do not rule out. */
static void put_models(struct buf *b, const struct growth *g)
{
	if (g->model < 0) {
		buf_printf(b, "no model, which needs %d places", GROWTH_LEAST_SIZES);
		return;
	}
	buf_printf(b, "model %s", growth_models[g->model].name);
	for (int k = 0; k < GROWTH_MODELS; k++)
		if (g->plausible[k] && k != g->model)
			buf_printf(b, " or %s", growth_models[k].name);
}

/* Appends the name of a series, if there are several, its model and its exponent, such as
 * "quick: model n log n or n (exponent 1.02 to 1.1)". */
static void describe_growth(
    struct figure *fig, size_t series, const struct growth *g, size_t without)
{
	struct buf b = { 0 };

	if (*fig->series[series])
		buf_printf(&b, "%s: ", fig->series[series]);
	put_models(&b, g);
	if (isfinite(g->exponent_lo))
		buf_printf(&b, " (exponent %.3g to %.3g)", g->exponent_lo, g->exponent_hi);
	if (without)
		buf_printf(&b, ", %zu place%s left out", without, plural_s(without));
	lines_add(&fig->what, b.ptr);
}

void samples_fit_growth(struct samples_making *m)
{
	struct figure *fig = m->fig;
	struct curve curve = { .x = mem_zero(fig->marks, sizeof(double)),
		.median = mem_zero(fig->marks, sizeof(double)) };

	figure_say(fig, "models of growth dotted");
	fig->growth = mem_zero(fig->series_count, sizeof(*fig->growth));
	for (size_t s = 0; s < fig->series_count; s++) {
		size_t without = read_curve(fig, s, &curve);

		growth_of(curve.x, curve.median, curve.count, m->opts->inference.confidence,
		    &fig->growth[s]);
		if (curve.count)
			describe_growth(fig, s, &fig->growth[s], without);
	}
	free(curve.x);
	free(curve.median);
}
