/*
 * Groups -> rows of statistics; see summary.h.
 */
#include <stdlib.h>
#include <string.h>

#include "summary.h"

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
	fault_set(f, "there is no statistic '%.*s', only %s", (int)strcspn(list, ","), list,
	    known.ptr);
	buf_free(&known);
	free(chosen);
	return -1;
}

/* What is printed of every group. */
struct report {
	const struct groups *groups;
	struct collect *collect;
	const struct summary_options *options;
	size_t *key; /* column ids */
	size_t keys, statistics;
};

static const struct statistic *statistic_at(const struct report *r, size_t i)
{
	return r->options->statistic ? r->options->statistic[i] : &statistics[i];
}

/* People are spared details, units beside values that show them, and what never varies. */
static struct render *open_report(
    const struct report *r, FILE *out, enum render_format format)
{
	size_t count = r->keys + r->statistics;
	struct render_column *column = mem_zero(count, sizeof(*column));
	struct render *render;

	for (size_t i = 0; i < r->keys; i++) {
		size_t id = r->key[i];
		bool aside = column_sort(id) == SORT_PROVENANCE || id == COL_KIND;

		column[i].name = groups_schema(r->groups)->name[id];
		column[i].plain_only =
		    id == COL_UNIT ||
		    (aside && !r->options->all_keys && groups_constant(r->groups, id));
	}
	for (size_t i = 0; i < r->statistics; i++) {
		column[r->keys + i].name = statistic_at(r, i)->name;
		column[r->keys + i].plain_only =
		    !r->options->statistic && statistic_at(r, i)->is_detail;
	}
	render = render_open(out, format, column, count);
	free(column);
	return render;
}

static void print_group(const struct report *r, struct render *out, size_t group)
{
	struct cell *cell = mem_zero(r->keys + r->statistics, sizeof(*cell));
	struct collected *values = collect_group(r->collect, group);
	struct text *key = mem_zero(groups_schema(r->groups)->count, sizeof(*key));
	struct summary summary;
	char *unit;

	stats_summarise(values->value, values->count, r->options->confidence, &summary);
	summary.failed = (double)values->failed;
	groups_cells(r->groups, group, key);
	unit = mem_text(key[COL_UNIT].ptr, key[COL_UNIT].len);
	for (size_t i = 0; i < r->keys; i++)
		cell[i] = CELL_OF_TEXT(key[r->key[i]]);
	for (size_t i = 0; i < r->statistics; i++) {
		const struct statistic *s = statistic_at(r, i);
		struct cell *c = &cell[r->keys + i];

		*c = CELL_OF_NUMBER(statistic_get(s, &summary));
		if (s->kind != STATISTIC_COUNT)
			c->unit = unit;
		if (s->offset == offsetof(struct summary, failed) && c->number > 0)
			c->tint = TINT_BAD;
	}
	render_row(out, cell);
	free(unit);
	free(key);
	free(cell);
}

int summary_print(const struct groups *g, struct collect *c,
    const struct summary_options *o, FILE *out, enum render_format format)
{
	struct report r = { .groups = g,
		.collect = c,
		.options = o,
		.statistics = o->statistic ? o->count : statistics_count };
	struct render *render;

	r.keys = groups_columns(g, &r.key);
	render = open_report(&r, out, format);
	for (size_t i = 0; i < groups_count(g); i++)
		print_group(&r, render, i);
	free(r.key);
	return render_close(render);
}
