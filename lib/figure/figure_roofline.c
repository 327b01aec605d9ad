/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A roofline (S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual
 * performance model for multicore architectures", CACM 52 (2009)): the rates of kernels and
 * models over their operations per byte, below the peaks of their device that were measured
 * in the same run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/duplicates.h"
#include "figure/figure_roofline.h"
#include "figure/group_labels.h"
#include "record/collect.h"
#include "stats/censored.h"
#include "text/display_text.h"

/* The metrics of a point and of its device's roof. */
enum {
	FLOP_RATE,
	BANDWIDTH,
	INTENSITY,
	PEAK_FLOP_RATE,
	PEAK_MATRIX_RATE,
	PEAK_BANDWIDTH,
	METRICS
};
static const char *const metric_names[METRICS] = { "flop_rate", "bandwidth",
	"arithmetic_intensity", "peak_flop_rate", "peak_matrix_rate", "peak_bandwidth" };

/* The columns that distinguish devices, and therefore roofs. */
static const char *const device_columns[] = { "host", "env", "backend", "device",
	"device_type", "dtype", "threads", NULL };

struct roofline {
	const struct figure_kind *kind;
	const struct figure_opts *opts;
	struct groups *groups;   /* subjects */
	struct collect *collect; /* METRICS groups for each of them */
	size_t repeated;         /* duplicate rows, which were left out */
};

static void *roofline_open(const struct figure_kind *kind, const struct schema *schema,
    const struct figure_opts *opts)
{
	static const char *const except[] = { "metric", "unit" };
	struct roofline *r = mem_zero(1, sizeof(*r));

	r->kind = kind;
	r->opts = opts;
	r->groups = groups_open(schema,
	    &(struct group_by){ .provenance = true, .except = except, .excepts = 2 });
	r->collect = collect_open(NULL, COLLECT_IDENTITY | COLLECT_COMPACT);
	return r;
}

static int roofline_row(void *ctx, const struct row *row, struct fault *f)
{
	struct roofline *r = ctx;
	struct row part = row->aa ? row_part_twins(row) : *row;

	(void)f;
	for (size_t k = 0; k < METRICS; k++)
		if (text_is(row->cell[COL_METRIC], metric_names[k]))
			return collect_into(
			    r->collect, groups_find(r->groups, row) * METRICS + k, &part);
	return 0;
}

static void roofline_close(void *ctx)
{
	struct roofline *r = ctx;

	collect_close(r->collect);
	groups_close(r->groups);
	free(r);
}

static const struct collected *values(
    const struct roofline *r, size_t subject, size_t metric)
{
	return collect_group(r->collect, subject * METRICS + metric);
}

static double median(const struct collected *c)
{
	if (!c->count)
		return NAN;
	stats_sort(c->value, c->count);
	return stats_quantile(c->value, c->count, 0.5);
}

/* Returns the floating-point operations per byte of a subject: as measured, or the ratio of
 * the two rates. */
static double intensity(const struct roofline *r, size_t subject)
{
	double told = median(values(r, subject, INTENSITY));

	return isfinite(told) ? told
	                      : median(values(r, subject, FLOP_RATE)) /
	                            median(values(r, subject, BANDWIDTH));
}

static size_t series_of(struct roofline_figure *own, char *name)
{
	struct figure *fig = &own->common;

	for (size_t s = 0; s < fig->series_count; s++)
		if (strcmp(fig->series[s], name) == 0) {
			free(name);
			return s;
		}
	fig->series = mem_resize(fig->series, fig->series_count + 1, sizeof(*fig->series));
	own->roof = mem_resize(own->roof, fig->series_count + 1, sizeof(*own->roof));
	own->roof[fig->series_count] = (struct roofline_roof){ 0 };
	fig->series[fig->series_count] = name;
	return fig->series_count++;
}

static double larger(double known, double seen)
{
	return isfinite(seen) && seen > known ? seen : known;
}

static void count_failed(struct roofline_figure *own, const struct collected *rate)
{
	own->common.failed += rate->missing->failed - rate->missing->censored;
	own->timeouts += rate->missing->censored;
}

/* Raises the roof of a series to the peaks of a subject. */
static void raise_roof(struct roofline_roof *roof, const struct roofline *r, size_t subject)
{
	roof->flop_rate =
	    larger(roof->flop_rate, median(values(r, subject, PEAK_FLOP_RATE)));
	roof->flop_rate =
	    larger(roof->flop_rate, median(values(r, subject, PEAK_MATRIX_RATE)));
	roof->bandwidth =
	    larger(roof->bandwidth, median(values(r, subject, PEAK_BANDWIDTH)));
}

/* Returns the label of a mark, which the caller frees: what distinguishes the subject, or
 * else its name; and how many of its samples failed. */
static char *mark_label(
    const struct group_labels *n, size_t i, const struct collected *rate)
{
	char *name = group_labels_text(n, i, device_columns, true), *label;

	if (!*name) {
		struct buf b = { 0 };

		display_text_label(
		    &b, groups_cell(n->groups, n->group[i], COL_BENCH), n->utf8);
		free(name);
		name = buf_detach(&b);
	}
	if (!rate->missing->failed)
		return name;
	label = str_format("%s (%zu of %zu failed)", name, rate->missing->failed,
	    rate->missing->failed + rate->count);
	free(name);
	return label;
}

/* Fills in the values of a mark. Returns false if they cannot be drawn. */
static bool place_mark(struct roofline_figure *own, const struct roofline *r,
    const struct collected *rate, struct mark *mark)
{
	if (!isfinite(mark->x) || mark->x <= 0) {
		own->unplaced++;
		return false;
	}
	censored_rates(rate->value, rate->count, rate->missing->censored,
	    r->opts->inference.confidence, &mark->s);
	if (!(mark->s.min > 0)) {
		own->unplaced++;
		return false;
	}
	if (isnan(mark->s.median)) {
		own->unknown++;
		return false;
	}
	mark->value = mem_zero(mark->n, sizeof(*mark->value));
	memcpy(mark->value, rate->value, mark->n * sizeof(*mark->value));
	return true;
}

static void add_mark(struct roofline_figure *own, const struct roofline *r,
    const struct group_labels *n, size_t i)
{
	struct figure *fig = &own->common;
	size_t subject = n->group[i],
	       series = series_of(own, group_labels_text(n, i, device_columns, false));
	const struct collected *rate = values(r, subject, FLOP_RATE);
	struct mark *mark = &fig->mark[fig->marks];

	raise_roof(&own->roof[series], r, subject);
	*mark = (struct mark){ .series = series,
		.x = intensity(r, subject),
		.n = rate->count,
		.failed = rate->missing->failed };
	count_failed(own, rate);
	if (!place_mark(own, r, rate, mark))
		return;
	mark->label = mark_label(n, i, rate);
	fig->marks++;
}

/* Returns the number of medians that exceed the roof of their series. */
static size_t above_roofs(const struct roofline_figure *own)
{
	size_t count = 0;

	for (size_t i = 0; i < own->common.marks; i++) {
		const struct mark *m = &own->common.mark[i];
		const struct roofline_roof *roof = &own->roof[m->series];

		count += (roof->flop_rate > 0 && m->s.median > roof->flop_rate) ||
		         (roof->bandwidth > 0 && m->s.median > roof->bandwidth * m->x);
	}
	return count;
}

static void name_things(
    struct roofline_figure *own, const struct roofline *r, const struct group_labels *n)
{
	struct figure *fig = &own->common;
	size_t roofs = 0, above = above_roofs(own);

	for (size_t s = 0; s < fig->series_count; s++)
		roofs += own->roof[s].flop_rate > 0 || own->roof[s].bandwidth > 0;
	figure_set_title(fig, r->opts, str_copy("roofline"));
	fig->metric = str_copy("flop_rate");
	fig->unit = str_copy("flop/s");
	fig->x_name = str_copy("arithmetic intensity (flop/B)");
	figure_say(fig, "%s",
	    roofs ? "medians and the measured peaks of the device"
	          : "medians; the peaks of the device were not measured");
	if (above)
		figure_say(fig, "%zu above the peaks", above);
	if (own->timeouts)
		figure_say(
		    fig, "%zu timed out, counted as slower than the others", own->timeouts);
	figure_say_failed(fig);
	figure_say_duplicates(fig, r->repeated);
	if (own->unknown)
		figure_say(fig, "%zu left out: the median timed out", own->unknown);
	if (own->unplaced)
		figure_say(
		    fig, "%zu left out: no rate or intensity above 0", own->unplaced);
	group_labels_held(n, fig);
}

static struct figure *roofline_make(void *ctx, struct fault *f)
{
	struct roofline *r = ctx;
	struct group_labels n = { .groups = r->groups, .utf8 = r->opts->utf8 };
	struct figure *fig = figure_open(r->kind);
	struct roofline_figure *own = (struct roofline_figure *)fig;
	size_t count = groups_count(r->groups);

	collect_finish(r->collect);
	for (size_t i = 0; i < count * METRICS; i++)
		r->repeated += duplicates_drop(r->collect, i);
	fig->mark = mem_zero(count + 1, sizeof(*fig->mark));
	for (size_t i = 0; i < count; i++) {
		if (values(r, i, FLOP_RATE)->count)
			*VEC_ADD(n.group, n.count, n.cap) = i;
		else
			count_failed(own, values(r, i, FLOP_RATE));
		own->unknown += !values(r, i, FLOP_RATE)->count &&
		                values(r, i, FLOP_RATE)->missing->censored;
	}
	if (n.count <= FIGURE_LANES_MAX)
		group_labels_shorten(&n, device_columns);
	for (size_t i = 0; i < n.count && n.count <= FIGURE_LANES_MAX; i++)
		add_mark(own, r, &n, i);
	if (fig->marks)
		name_things(own, r, &n);
	free(n.group);
	free(n.needed);
	if (fig->marks && fig->series_count <= FIGURE_SERIES_MAX)
		return fig;
	if (n.count > FIGURE_LANES_MAX || fig->marks)
		fault_set(f, "%zu points are too many for a plot", n.count);
	else
		fault_set(f, "no kernel or model has flop_rate and bandwidth or "
		             "arithmetic_intensity: measure with bench-run -k");
	figure_free(fig);
	return NULL;
}

const struct figure_source figure_roofline = { .open = roofline_open,
	.row = roofline_row,
	.make = roofline_make,
	.close = roofline_close };
