/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gathers the rows of measurements under load by subject and rate; see load_priv.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/duplicates.h"
#include "figure/load_priv.h"
#include "text/units.h"

/* The metrics of periods, and the metric whose quantiles are drawn. */
enum { SLOTS = LOAD_RATES + 1 };

static const char *const rate_metrics[LOAD_RATES] = { "offered_rate", "throughput",
	"utilization", "goodput" };
static const char *rate_column(const struct figure_opts *opts)
{
	return opts->x ? opts->x : "rate";
}

void *load_open(const struct figure_kind *kind, const struct schema *schema,
    const struct figure_opts *opts)
{
	struct load_gathered *g = mem_zero(1, sizeof(*g));

	g->except[0] = "metric";
	g->except[1] = "unit";
	g->except[2] = rate_column(opts);
	g->kind = kind;
	g->opts = opts;
	g->places = groups_open(schema,
	    &(struct group_by){ .provenance = true, .except = g->except, .excepts = 2 });
	g->subjects = groups_open(schema,
	    &(struct group_by){ .provenance = true, .except = g->except, .excepts = 3 });
	g->collect = collect_open(NULL, COLLECT_IDENTITY);
	return g;
}

static void add_row(struct load_gathered *g, const struct row *row, size_t slot)
{
	size_t place = groups_find(g->places, row);
	struct row part = row->aa ? row_part_twins(row) : *row;

	if (place == g->known)
		*VEC_ADD(g->subject, g->known, g->cap) = groups_find(g->subjects, row);
	collect_into(g->collect, place * SLOTS + slot, &part);
}

/* Adds a row if it is a metric of periods. Returns whether it is. */
static bool add_rate(struct load_gathered *g, const struct row *row)
{
	for (size_t k = 0; k < LOAD_RATES; k++)
		if (text_is(row->cell[COL_METRIC], rate_metrics[k])) {
			add_row(g, row, k);
			return true;
		}
	return false;
}

void load_excluded(void *ctx, const struct row *row)
{
	add_rate(ctx, row);
}

int load_row(void *ctx, const struct row *row, struct fault *f)
{
	struct load_gathered *g = ctx;
	struct text name = row->cell[COL_METRIC];

	if (add_rate(g, row) || (!g->opts->filter && !text_is(name, "latency")))
		return 0;
	if (!g->metric) {
		g->metric = mem_text(name.ptr, name.len);
		g->unit = mem_text(row->cell[COL_UNIT].ptr, row->cell[COL_UNIT].len);
	}
	if (!text_is(name, g->metric))
		return fault_set(f, "-y selects %s and %.*s, but %s draws only one metric",
		    g->metric, (int)name.len, name.ptr, g->kind->name);
	if (!text_is(row->cell[COL_UNIT], g->unit))
		return fault_set(f,
		    "%s, line %" PRIu64 ": metric %s has two units, '%s' and '%.*s', and "
		    "one axis cannot show both",
		    row->file, row->line, g->metric, g->unit, (int)row->cell[COL_UNIT].len,
		    row->cell[COL_UNIT].ptr);
	add_row(g, row, LOAD_RATES);
	return 0;
}

void load_close(void *ctx)
{
	struct load_gathered *g = ctx;

	collect_close(g->collect);
	groups_close(g->places);
	groups_close(g->subjects);
	free(g->metric);
	free(g->unit);
	free(g->subject);
	free(g->place);
	free(g);
}

struct collected *load_rates(const struct load_gathered *g, size_t place, size_t metric)
{
	return collect_group(g->collect, g->place[place].group * SLOTS + metric);
}

struct collected *load_values(const struct load_gathered *g, size_t place)
{
	return load_rates(g, place, LOAD_RATES);
}

double load_median(const struct collected *c)
{
	stats_sort(c->value, c->count);
	return stats_quantile(c->value, c->count, 0.5);
}

/* Returns the rate of a place: the factor, or what was offered. */
static double rate_of(const struct load_gathered *g, size_t place)
{
	long column = schema_find(groups_schema(g->places), text_of(rate_column(g->opts)));
	double x;

	if (column >= 0 &&
	    number_parse(groups_cell(g->places, g->place[place].group, (size_t)column), &x))
		return x;
	return load_median(load_rates(g, place, LOAD_OFFERED));
}

/*
 * Returns whether the servers could not keep up: requests were not started in time, or the
 * offered load, the time for which the servers are needed in each second of arrivals, is at
 * least 1. Utilization counts all requests that ended, throughput those that succeeded.
 */
static bool is_saturated(const struct load_gathered *g, size_t place)
{
	const struct collected *values = load_values(g, place);
	double succeeded = (double)values->count,
	       failed = (double)(values->missing->failed - values->missing->censored),
	       ended = load_median(load_rates(g, place, LOAD_THROUGHPUT)) *
	               (succeeded + failed) / succeeded;

	return values->missing->limits ||
	       load_median(load_rates(g, place, LOAD_UTILIZATION)) *
	               load_median(load_rates(g, place, LOAD_OFFERED)) >=
	           ended;
}

static int by_place(const void *a, const void *b)
{
	const struct load_place *p = a, *q = b;

	if (p->subject != q->subject)
		return p->subject < q->subject ? -1 : 1;
	if (p->rate != q->rate)
		return p->rate < q->rate ? -1 : 1;
	return (p->group > q->group) - (p->group < q->group);
}

int load_order(struct load_gathered *g, struct fault *f)
{
	size_t values = 0;

	collect_finish(g->collect);
	for (size_t i = 0; i < g->known * SLOTS; i++)
		g->repeated += duplicates_drop(g->collect, i);
	g->place = mem_zero(g->known + 1, sizeof(*g->place));
	for (size_t i = 0; i < g->known; i++) {
		struct load_place *p = &g->place[g->count];
		const struct collected *c;

		*p = (struct load_place){ .group = i, .subject = g->subject[i] };
		p->rate = rate_of(g, g->count);
		p->saturated = is_saturated(g, g->count);
		c = load_values(g, g->count);
		values += c->count + c->missing->limits;
		g->count += c->count || c->missing->limits || c->missing->failed;
	}
	qsort(g->place, g->count, sizeof(*g->place), by_place);
	if (values)
		return 0;
	return fault_set(f,
	    "no %s to draw: measure under load, such as with bench-run --rate 10,20,50",
	    g->opts->filter ? "values of the metrics of -y" : "latency");
}
