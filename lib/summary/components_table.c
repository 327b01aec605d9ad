/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Components of variation by group, and the cost in time of a unit of each tier; see
 * components_table.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/components.h"
#include "summary/components_table.h"
#include "summary/group_table.h"
#include "text/units.h"

/* The position of a value in time. */
struct moment {
	uint32_t run;
	int64_t process, began;
};

static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->began > y->began) - (x->began < y->began);
}

/*
 * Returns the time when a run was created, in ns since 1970, or NAN. bench-run names runs
 * by UUIDs of version 7, whose first 48 bits are that time in ms (RFC 9562).
 */
static double run_began(struct text run)
{
	uint64_t ms = 0;

	if (run.len != 36 || run.ptr[14] != '7')
		return NAN;
	for (size_t i = 0; i < 13; i++) {
		const char *digits = "0123456789abcdef",
		           *at = run.ptr[i] ? strchr(digits, run.ptr[i]) : NULL;

		if (i == 8)
			continue;
		if (!at)
			return NAN;
		ms = ms << 4 | (uint64_t)(at - digits);
	}
	return (double)ms * 1e6;
}

/*
 * Computes the mean time in ns that a unit of each tier takes in addition to its own units;
 * NAN if it cannot be computed. A sample ends when the next one begins. A process takes the
 * time from the last sample of the previous process to its first sample, less one sample. A
 * run takes the time from the creation of its name to its first sample.
 */
static void costs_of(
    const struct collect *c, struct moment *m, size_t n, double cost[TIERS])
{
	double sum[TIERS] = { 0 }, times[TIERS] = { 0 };

	qsort(m, n, sizeof(*m), by_time);
	for (size_t i = 0; i < n; i++) {
		bool first = i == 0 || m[i].run != m[i - 1].run;
		int tier = first                              ? TIER_RUN
		           : m[i].process != m[i - 1].process ? TIER_PROCESS
		                                              : TIER_SAMPLE;
		double since =
		    first ? run_began(collect_run(c, m[i].run)) : (double)m[i - 1].began;

		if (m[i].began == ROW_NONE || (!first && m[i - 1].began == ROW_NONE))
			since = NAN;
		sum[tier] += (double)m[i].began - since;
		times[tier]++;
	}
	for (int tier = 0; tier < TIERS; tier++)
		cost[tier] = times[tier] > 0 ? sum[tier] / times[tier] : NAN;
	if (times[TIER_SAMPLE] > 0)
		cost[TIER_PROCESS] -= cost[TIER_SAMPLE];
}

/* Returns whether the costs of all tiers present are valid. */
static bool costs_known(const struct components *s, const double cost[TIERS])
{
	for (size_t l = 0; l < s->count; l++)
		if (!(cost[s->tier[l].tier] >= 0))
			return false;
	return s->count && cost[s->tier[s->count - 1].tier] > 0;
}

enum { LEVEL, N, SD, SHARE, ERROR, COST, BEST, ERROR_BEST, STATUS, COLUMNS };
static const struct render_column columns[COLUMNS] = { { .name = "level", .kept = true },
	{ .name = "n", .rank = 4 }, { .name = "sd", .rank = 1 },
	{ .name = "share", .kept = true }, { .name = "error", .rank = 5 },
	{ .name = "cost", .rank = 6 }, { .name = "best", .rank = 3 },
	{ .name = "error_best", .rank = 7 }, { .name = "status", .rank = 8 } };

static struct cell in_unit(double value)
{
	struct cell c = CELL_OF_NUMBER(value);

	c.unit = group_table_unit;
	return c;
}

static void print_tier(struct group_table *out, size_t group, const struct component *c,
    double scale, double total, const double *cost)
{
	bool seen = c->variance > 0;
	struct cell cell[COLUMNS] = {
		[LEVEL] = CELL_OF_TEXT(text_of(tier_names[c->tier])),
		[N] = CELL_OF_NUMBER((double)c->units),
		[SD] = in_unit(seen ? sqrt(c->variance) * scale : NAN),
		[SHARE] = CELL_IN_UNIT(seen ? c->variance / total : NAN, "1"),
		[ERROR] = in_unit(seen ? sqrt(c->error) * scale : NAN),
		[COST] = CELL_OF_NUMBER(cost ? cost[c->tier] : NAN),
		[BEST] = CELL_OF_NUMBER(c->best),
		[ERROR_BEST] = in_unit(seen ? sqrt(c->error_best) * scale : NAN),
		[STATUS] = CELL_OF_TEXT(seen ? TEXT("ok") : TEXT("indistinct")),
	};

	cell[COST].unit = "ns";
	group_table_row(out, group, cell);
}

static void print_group(struct group_table *out, struct collect *c, size_t group)
{
	const struct collected *from = collect_group(c, group);
	struct component_value *v = mem_zero(from->count + 1, sizeof(*v));
	struct moment *m = mem_zero(from->count + 1, sizeof(*m));
	struct components s;
	double cost[TIERS], total = 0;
	bool known;

	for (size_t i = 0; i < from->count; i++) {
		const struct sample_id *id = &from->identity[i];

		v[i] = (struct component_value){ id->run, id->process, from->value[i] };
		m[i] = (struct moment){ id->run, id->process, from->began[i] };
	}
	costs_of(c, m, from->count, cost);
	components_of(v, from->count, NULL, &s);
	known = costs_known(&s, cost);
	if (known)
		components_of(v, from->count, cost, &s);
	for (size_t l = 0; l < s.count; l++)
		total += fmax(0, s.tier[l].variance);
	for (size_t l = 0; l < s.count; l++)
		print_tier(out, group, &s.tier[l], s.scale, total, known ? cost : NULL);
	if (!s.count) {
		struct cell cell[COLUMNS] = { [N] = CELL_OF_NUMBER((double)from->count),
			[STATUS] = CELL_OF_TEXT(TEXT("few")) };

		group_table_row(out, group, cell);
	}
	free(m);
	free(v);
}

int components_print(const struct groups *g, struct collect *c, const struct output *out)
{
	struct group_table *rows = group_table_open(
	    g, out, &(struct group_table_opts){ .column = columns, .columns = COLUMNS });

	for (size_t i = 0; i < groups_count(g); i++)
		print_group(rows, c, i);
	return group_table_close(rows);
}
