/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of statistics; see summary.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "summary/group_table.h"
#include "summary/summary.h"
#include "text/near_name.h"

/* Statistics as other programs call them. */
static const struct name_alias foreign[] = { { "avg", "mean" }, { "average", "mean" },
	{ "std", "sd" }, { "stdev", "sd" }, { "stddev", "sd" }, { "sigma", "sd" },
	{ "variance", "sd" }, { "sem", "ci_lo,ci_hi" }, { "ci", "ci_lo,ci_hi" },
	{ "p50", "median" }, { "q50", "median" }, { "p0", "min" }, { "p100", "max" },
	{ "p99.9", "p999" }, { "p99.99", "p9999" }, { "count", "n" }, { "samples", "n" },
	{ "errors", "failed" }, { "failures", "failed" } };

int summary_unknown_statistic(struct fault *f, const char *what, struct text name,
    struct known_names *others, bool intervals)
{
	others->alias = foreign;
	others->aliases = COUNT(foreign);
	if (intervals)
		chosen_statistic_names(others);
	else
		known_names_add_all(
		    others, statistics, sizeof(*statistics), statistics_count);
	return unknown_name(f, what, name, others);
}

int summary_choose(
    const char *list, struct chosen_statistic **out, size_t *count, struct fault *f)
{
	struct chosen_statistic *chosen = NULL;
	struct known_names none = { 0 };
	size_t n = 0, cap = 0;

	for (const char *p = list;; p++) {
		struct text name = { p, strcspn(p, ",") };
		struct chosen_statistic s;

		if (!chosen_statistic_parse(name, &s)) {
			free(chosen);
			return summary_unknown_statistic(
			    f, "unknown statistic", name, &none, true);
		}
		*VEC_ADD(chosen, n, cap) = s;
		p += name.len;
		if (!*p) {
			*out = chosen;
			*count = n;
			return 0;
		}
	}
}

static struct chosen_statistic statistic_at(const struct summary_opts *o, size_t i)
{
	return o->statistic ? o->statistic[i]
	                    : (struct chosen_statistic){ .row = &statistics[i] };
}

/* Returns whether a statistic is a number of values, which has no unit. */
static bool counts_values(const struct chosen_statistic *s)
{
	return s->row ? s->row->kind == STATISTIC_COUNT
	              : s->quantile.part == QUANTILE_NEEDED;
}

/* Returns whether the interval of the median is among the first `count` statistics. */
static bool shows_interval(const struct summary_opts *o, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct chosen_statistic s = statistic_at(o, i);

		if (chosen_statistic_is_median_end(&s))
			return true;
	}
	return false;
}

/* Prints a group; cell has room for its statistics. */
static void print_group(struct group_table *out, struct collect *c, size_t group,
    const struct summary_opts *o, struct cell *cell, size_t count)
{
	struct chosen_summary summary;

	chosen_summarize(c, group, o->ordered, o->inference.confidence,
	    shows_interval(o, count), &summary);
	for (size_t i = 0; i < count; i++) {
		struct chosen_statistic s = statistic_at(o, i);
		struct bounded value = chosen_statistic_value(&s, &summary);

		cell[i] = CELL_OF_NUMBER(value.at);
		cell[i].above = value.above;
		if (!counts_values(&s))
			cell[i].unit = group_table_unit;
		if (s.row && s.row->offset == offsetof(struct summary, failed) &&
		    value.at > 0)
			cell[i].tint = TINT_BAD;
	}
	group_table_row(out, group, cell);
}

/* How early a table that is too wide does without a statistic; others never. */
static const struct {
	size_t offset;
	unsigned rank;
} ranks[] = {
	{ offsetof(struct summary, outliers), 9 },
	{ offsetof(struct summary, p95), 8 },
	{ offsetof(struct summary, min), 7 },
	{ offsetof(struct summary, max), 7 },
	{ offsetof(struct summary, sd), 6 },
	{ offsetof(struct summary, mean), 5 },
	{ offsetof(struct summary, n), 3 },
	{ offsetof(struct summary, failed), 2 },
	{ offsetof(struct summary, ci_lo), 1 },
	{ offsetof(struct summary, ci_hi), 1 },
};

static struct render_column statistic_column(const struct summary_opts *o, size_t number)
{
	const struct statistic *s = &statistics[number];
	struct render_column column;

	if (o->statistic)
		return (struct render_column){ .name = o->statistic[number].name,
			.kept = number == 0 };
	column = (struct render_column){ .name = s->name,
		.plain_only = s->is_detail,
		.kept = s->offset == offsetof(struct summary, median) };
	for (size_t i = 0; i < COUNT(ranks); i++)
		if (s->offset == ranks[i].offset)
			column.rank = ranks[i].rank;
	return column;
}

int summary_print(const struct groups *g, struct collect *c, const struct summary_opts *o,
    const struct output *out)
{
	size_t count = o->statistic ? o->count : statistics_count;
	struct render_column *column = mem_zero(count, sizeof(*column));
	struct cell *cell = mem_zero(count, sizeof(*cell));
	struct group_table *rows;

	for (size_t i = 0; i < count; i++)
		column[i] = statistic_column(o, i);
	rows = group_table_open(
	    g, out, &(struct group_table_opts){ .column = column, .columns = count });
	free(column);
	for (size_t i = 0; i < groups_count(g); i++) {
		size_t group = o->order ? o->order[i] : i;

		if (!o->hidden || !o->hidden[group])
			print_group(rows, c, group, o, cell, count);
	}
	free(cell);
	return group_table_close(rows);
}
