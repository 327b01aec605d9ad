/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of statistics; see summary.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "summary/group_table.h"
#include "stats/censored.h"
#include "summary/summary.h"

int summary_choose(
    const char *list, const struct statistic ***out, size_t *count, struct fault *f)
{
	const struct statistic **chosen = NULL;
	struct buf known = { 0 };
	size_t n = 0, cap = 0;

	for (const char *p = list;; p++) {
		struct text name = { p, strcspn(p, ",") };
		const struct statistic *s = statistic_find(name);

		if (!s)
			break;
		*VEC_ADD(chosen, n, cap) = s;
		p += name.len;
		if (!*p) {
			*out = chosen;
			*count = n;
			return 0;
		}
		list = p + 1;
	}
	for (size_t s = 0; s < statistics_count; s++)
		buf_printf(&known, "%s%s", s ? "," : "", statistics[s].name);
	fault_set(f, "unknown statistic '%.*s': use %s", (int)strcspn(list, ","), list,
	    known.ptr);
	buf_free(&known);
	free(chosen);
	return -1;
}

static const struct statistic *statistic_at(const struct summary_opts *o, size_t i)
{
	return o->statistic ? o->statistic[i] : &statistics[i];
}

static void print_group(struct group_table *out, struct collect *c, size_t group,
    const struct summary_opts *o, size_t count)
{
	struct cell *cell = mem_zero(count, sizeof(*cell));
	struct collected *values = collect_group(c, group);
	struct summary summary, above;

	censored_summarise(values->value, values->count, values->limit, values->limits,
	    o->inference.confidence, &summary, &above);
	summary.failed = (double)values->failed;
	for (size_t i = 0; i < count; i++) {
		const struct statistic *s = statistic_at(o, i);

		cell[i] = CELL_OF_NUMBER(statistic_get(s, &summary));
		if (!isnan(statistic_get(s, &above))) {
			cell[i].number = statistic_get(s, &above);
			cell[i].above = true;
		}
		if (s->kind != STATISTIC_COUNT)
			cell[i].unit = group_table_unit;
		if (s->offset == offsetof(struct summary, failed) && cell[i].number > 0)
			cell[i].tint = TINT_BAD;
	}
	group_table_row(out, group, cell);
	free(cell);
}

int summary_print(const struct groups *g, struct collect *c, const struct summary_opts *o,
    FILE *out, enum render_format format)
{
	size_t count = o->statistic ? o->count : statistics_count;
	struct render_column *column = mem_zero(count, sizeof(*column));
	struct group_table *rows;

	for (size_t i = 0; i < count; i++)
		column[i] = (struct render_column){ statistic_at(o, i)->name,
			!o->statistic && statistic_at(o, i)->is_detail };
	rows = group_table_open(g, out, format, o->all_keys, column, count);
	free(column);
	for (size_t i = 0; i < groups_count(g); i++)
		print_group(rows, c, o->order ? o->order[i] : i, o, count);
	return group_table_close(rows);
}
