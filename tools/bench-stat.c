/*
 * bench-stat: a summary of the values of each group of rows.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "opt.h"
#include "stats.h"
#include "stream.h"
#include "units.h"

static struct {
	const char *group, *statistics;
	struct opt_percent confidence;
	struct opt_list melt;
} o = { .confidence.fraction = 0.95 };

static const struct opt opts[] = {
	OPT('g', "group", &o.group, "COLUMNS", "group by these columns, metric and unit"),
	OPT('s', "statistics", &o.statistics, "LIST", "print only these, in this order"),
	OPT('C', "confidence", &o.confidence, "PCT", "of the median's interval (95%)"),
	OPT('m', "melt", &o.melt, "COLUMN[:UNIT]", "a foreign column that holds values"),
	OPT_END,
};

static const char *const synopsis[] = { "[options] [file...]", NULL };
static const struct opt_program program = {
	.name = "bench-stat",
	.synopsis = synopsis,
	.summary = "Summarise the values of each subject and metric.",
	.opts = opts,
	.flags = OPT_FORMATS,
};

/* What is printed of every group. */
struct report {
	const struct statistic **statistic;
	size_t statistics;
	size_t *key; /* column ids */
	size_t keys;
	struct groups *groups;
	struct collect *collect;
	const struct schema *schema;
};

static int on_row(void *ctx, const struct row *row, struct fault *f)
{
	struct report *r = ctx;

	(void)f;
	return collect_row(r->collect, row);
}

/* "a,b,c" as an array of names; NULL gives none. */
static char **names_of(const char *list, const char *option, size_t *count)
{
	char **names = NULL;
	struct fault f;

	*count = 0;
	if (list && units_list(list, &names, count, &f) < 0)
		opt_usage_error(&program, "%s: %s", option, f.text);
	return names;
}

static void choose_statistics(struct report *r)
{
	size_t count;
	char **names = names_of(o.statistics, "--statistics", &count);

	r->statistics = names ? count : statistics_count;
	r->statistic = mem_zero(r->statistics, sizeof(*r->statistic));
	for (size_t i = 0; i < r->statistics; i++) {
		r->statistic[i] =
		    names ? statistic_find(text_of(names[i])) : &statistics[i];
		if (!r->statistic[i]) {
			struct buf known = { 0 };

			for (size_t s = 0; s < statistics_count; s++)
				buf_printf(
				    &known, "%s%s", s ? "," : "", statistics[s].name);
			opt_usage_error(&program, "there is no statistic '%s', only %s",
			    names[i], known.ptr);
		}
	}
	units_list_free(names, count);
}

/* Whether a column says the same in all groups. */
static bool constant(const struct groups *g, size_t column)
{
	for (size_t i = 1; i < groups_count(g); i++)
		if (!text_equal(groups_cell(g, 0, column), groups_cell(g, i, column)))
			return false;
	return true;
}

/* People are spared details, units beside values that show them, and what never varies. */
static struct render *open_report(const struct report *r)
{
	size_t count = r->keys + r->statistics;
	struct render_column *column = mem_zero(count, sizeof(*column));
	struct render *out;

	for (size_t i = 0; i < r->keys; i++) {
		size_t id = r->key[i];
		bool aside = column_sort(id) == SORT_PROVENANCE || id == COL_KIND;

		column[i].name = r->schema->name[id];
		column[i].plain_only =
		    id == COL_UNIT || (aside && !o.group && constant(r->groups, id));
	}
	for (size_t i = 0; i < r->statistics; i++) {
		column[r->keys + i].name = r->statistic[i]->name;
		column[r->keys + i].plain_only =
		    !o.statistics && r->statistic[i]->is_detail;
	}
	out = render_open(stdout, opt_common.format, column, count);
	free(column);
	return out;
}

static void print_group(const struct report *r, struct render *out, size_t group)
{
	struct cell *cell = mem_zero(r->keys + r->statistics, sizeof(*cell));
	struct collected *values = collect_group(r->collect, group);
	struct text unit_text = groups_cell(r->groups, group, COL_UNIT);
	char *unit = mem_text(unit_text.ptr, unit_text.len);
	struct summary summary;

	stats_summarise(values->value, values->count, o.confidence.fraction, &summary);
	summary.failed = (double)values->failed;
	for (size_t i = 0; i < r->keys; i++)
		cell[i] = CELL_OF_TEXT(groups_cell(r->groups, group, r->key[i]));
	for (size_t i = 0; i < r->statistics; i++) {
		struct cell *c = &cell[r->keys + i];
		bool failures = r->statistic[i]->offset == offsetof(struct summary, failed);

		*c = CELL_OF_NUMBER(statistic_get(r->statistic[i], &summary));
		if (r->statistic[i]->kind != STATISTIC_COUNT)
			c->unit = unit;
		if (failures && c->number > 0)
			c->tint = TINT_BAD;
	}
	render_row(out, cell);
	free(unit);
	free(cell);
}

static void print_all(struct report *r)
{
	struct render *out;

	r->keys = groups_columns(r->groups, &r->key);
	out = open_report(r);
	for (size_t i = 0; i < groups_count(r->groups); i++)
		print_group(r, out, i);
	render_close(out);
	free(r->key);
}

int main(int argc, char **argv)
{
	static const struct stream_sink sink = { .row = on_row };
	int first = opt_parse(&program, argc, argv);
	struct group_by by = { .provenance = true };
	struct report r = { 0 };
	struct stream *stream;
	struct fault f;
	char **names;

	if (o.confidence.fraction <= 0 || o.confidence.fraction >= 1)
		opt_usage_error(
		    &program, "--confidence lies between 0%% and 100%%, both excluded");
	choose_statistics(&r);
	names = names_of(o.group, "--group", &by.count);
	by.names = (const char *const *)names;
	stream = stream_open(&sink, &r);
	r.schema = stream_schema(stream);
	r.groups = groups_open(r.schema, &by);
	r.collect = collect_open(r.groups, 0);
	if (stream_melt(stream, o.melt.item, o.melt.count, &f) < 0 ||
	    stream_read_all(stream, argv + first, (size_t)(argc - first), &f) < 0 ||
	    groups_check(r.groups, &f) < 0)
		errx(STATUS_TROUBLE, "%s", f.text);
	if (!stream_has_rows(stream))
		errx(STATUS_TROUBLE, "no table of measurements in the input");
	collect_finish(r.collect);
	print_all(&r);
	collect_close(r.collect);
	groups_close(r.groups);
	stream_close(stream);
	units_list_free(names, by.count);
	free(r.statistic);
	free(o.melt.item);
	return stdout_close(STATUS_FINE);
}
