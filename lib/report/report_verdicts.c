/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a report that compares the stream with a baseline: the table of
 * bench-compare, worst first, and a plot of the worst rows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/csv_reader.h"
#include "io/csv_table.h"
#include "report/report_items_priv.h"
#include "text/units.h"

enum { RATIOS = 40, NAMES = 8 }; /* in the plot; of rows that it leaves out */

/* The verdicts of bench-compare in order of importance. */
enum { WORSE, UNSURE, BETTER, SAME };
static const char *const verdicts[] = {
	[WORSE] = "worse", [UNSURE] = "unsure", [BETTER] = "better", [SAME] = "same"
};
enum { ONE_SIDED = COUNT(verdicts), COUNTED }; /* counted after the verdicts */

struct ratio {
	size_t row, verdict; /* COUNT(verdicts): none of them */
	bool decides;        /* a row of a primary metric; these come first */
	bool known;          /* the ratio is a number */
	double change;       /* |log ratio|, or the least that a bound allows; -1: none */
};

static int worst_first(const void *a, const void *b)
{
	const struct ratio *x = a, *y = b;

	if (x->decides != y->decides)
		return x->decides ? -1 : 1;
	if (x->verdict != y->verdict)
		return x->verdict < y->verdict ? -1 : 1;
	if (x->change != y->change)
		return x->change > y->change ? -1 : 1;
	return x->row < y->row ? -1 : 1;
}

/*
 * Writes bounds into the empty cells of an estimate: the end of its interval if only one
 * end is known. Nothing is below 0 among ratios, so a lower end of 0 is not known.
 */
static void set_bounds(struct csv_table *g, const char *estimate, bool is_ratio)
{
	static const char sign[] = { '>', '<' };
	char lo[16], hi[16], text[NUMBER_TEXT_MAX + 2];
	long at = csv_table_column(g, estimate), end[COUNT(sign)];

	snprintf(lo, sizeof(lo), "%s_lo", estimate);
	snprintf(hi, sizeof(hi), "%s_hi", estimate);
	end[0] = csv_table_column(g, lo);
	end[1] = csv_table_column(g, hi);
	if (at < 0 || end[0] < 0 || end[1] < 0)
		return;
	for (size_t i = 0; i < csv_table_rows(g); i++) {
		const char *cell[COUNT(sign)];
		size_t known;

		for (size_t k = 0; k < COUNT(sign); k++)
			cell[k] = csv_table_cell(g, i, (size_t)end[k]);
		if (is_ratio && strcmp(cell[0], "0") == 0)
			cell[0] = "";
		known = *cell[0] ? 0 : 1;
		if (*csv_table_cell(g, i, (size_t)at) || !*cell[known] || *cell[!known])
			continue;
		snprintf(text, sizeof(text), "%c%s", sign[known], cell[known]);
		csv_table_set_cell(g, i, (size_t)at, text_of(text));
	}
}

/* Returns |log ratio| of a cell, or the least that a bound allows; -1: there is none. */
static double change_of(const char *cell)
{
	bool bound = *cell == '>' || *cell == '<';
	double value;

	if (!number_parse(text_of(cell + bound), &value) || !(value > 0) ||
	    (bound && (*cell == '>') != (value > 1)))
		return -1;
	return fabs(log(value));
}

/* Returns whether one side has no values; the verdict is then "unsure" for this reason. */
static bool is_one_sided(const struct csv_table *g, size_t row)
{
	static const char *const counts[] = { "n_old", "n_new" };

	for (size_t i = 0; i < COUNT(counts); i++) {
		long column = csv_table_column(g, counts[i]);

		if (column >= 0 && strcmp(csv_table_cell(g, row, (size_t)column), "0") == 0)
			return true;
	}
	return false;
}

/* Returns the rows of a comparison, worst first, allocated, and counts those of primary
 * metrics by verdict. */
static struct ratio *rank(const struct csv_table *g, size_t in[COUNTED])
{
	long ratio = csv_table_column(g, "ratio"), verdict = csv_table_column(g, "verdict"),
	     primary = csv_table_column(g, "primary");
	struct ratio *list = mem_zero(csv_table_rows(g) + 1, sizeof(*list));

	for (size_t i = 0; i < csv_table_rows(g); i++) {
		const char *cell = ratio < 0 ? "" : csv_table_cell(g, i, (size_t)ratio);
		size_t k = verdict < 0 ? COUNT(verdicts) : 0;

		while (k < COUNT(verdicts) &&
		       strcmp(csv_table_cell(g, i, (size_t)verdict), verdicts[k]) != 0)
			k++;
		list[i] = (struct ratio){ .row = i, .verdict = k };
		list[i].decides = primary >= 0 && *csv_table_cell(g, i, (size_t)primary);
		if (k < COUNT(verdicts) && list[i].decides)
			in[is_one_sided(g, i) ? ONE_SIDED : k]++;
		/* Rows without a ratio come after rows with a ratio. */
		list[i].change = change_of(cell);
		list[i].known = list[i].change >= 0 && *cell != '>' && *cell != '<';
	}
	qsort(list, csv_table_rows(g), sizeof(*list), worst_first);
	return list;
}

/* Returns whether a row is one of the plot if its ratio is known. */
static bool is_compared(const struct ratio *r)
{
	return r->decides && r->verdict < COUNT(verdicts);
}

/* Returns whether the rows of the plot, and those without a ratio, differ in a column.
 */
static bool varies(const struct csv_table *g, const struct ratio *list, size_t column)
{
	const char *first = NULL;

	for (size_t i = 0; i < csv_table_rows(g); i++) {
		const char *cell = csv_table_cell(g, list[i].row, column);

		if (!is_compared(&list[i]))
			continue;
		if (first && strcmp(cell, first) != 0)
			return true;
		first = cell;
	}
	return false;
}

/* Appends the metric, the benchmark and the factors that vary. */
static void put_name(
    const struct csv_table *g, const struct ratio *list, size_t row, struct buf *b)
{
	long metric = csv_table_column(g, "metric"), bench = csv_table_column(g, "bench");

	if (metric >= 0)
		buf_str(b, csv_table_cell(g, row, (size_t)metric));
	if (bench >= 0)
		buf_printf(b, " of %s", csv_table_cell(g, row, (size_t)bench));
	for (long i = 0; i < metric; i++)
		if (i != bench && varies(g, list, (size_t)i))
			buf_printf(b, ", %s=%s", csv_table_name(g, (size_t)i),
			    csv_table_cell(g, row, (size_t)i));
}

/* Names the rows that the plot leaves out because their ratio is not known. */
static void plan_left_out(
    struct part *p, const struct csv_table *g, const struct ratio *list, bool drawn)
{
	struct buf names = { 0 };
	struct item *it;
	size_t count = 0;

	for (size_t i = 0; i < csv_table_rows(g); i++) {
		if (!is_compared(&list[i]) || list[i].known || count++ >= NAMES)
			continue;
		buf_str(&names, count > 1 ? "; " : "");
		put_name(g, list, list[i].row, &names);
	}
	if (count > NAMES)
		buf_printf(&names, "; and %zu more", count - NAMES);
	if (count) {
		it = part_add(p, ITEM_TEXT, "%s", "");
		free(it->caption);
		it->caption = str_format("%s: %.*s.",
		    drawn ? "The plot leaves out rows whose ratio is not known"
		          : "There is no plot, because no ratio is known",
		    (int)names.len, names.ptr);
	}
	buf_free(&names);
}

/* Appends the rows of the plot. If there are too many, rows without a decision give way.
 * Returns how many rows could be drawn. */
static size_t put_drawn(
    const struct csv_table *g, const struct ratio *list, struct buf *rows)
{
	static const size_t first[] = { WORSE, BETTER, UNSURE, SAME };
	size_t room = RATIOS, most[COUNT(verdicts)] = { 0 }, of[COUNT(verdicts)] = { 0 },
	       count = 0;

	for (size_t i = 0; i < csv_table_rows(g); i++)
		if (is_compared(&list[i]) && list[i].known && ++count)
			of[list[i].verdict]++;
	for (size_t i = 0; i < COUNT(first); i++) {
		most[first[i]] = of[first[i]] < room ? of[first[i]] : room;
		room -= most[first[i]];
	}
	csv_table_put_header(g, rows);
	for (size_t i = 0; i < csv_table_rows(g); i++)
		if (is_compared(&list[i]) && list[i].known && most[list[i].verdict]) {
			most[list[i].verdict]--;
			csv_table_put_row(g, list[i].row, rows);
		}
	return count;
}

static void plan_forest(struct part *p, const struct csv_table *g, const struct ratio *list)
{
	struct buf rows = { 0 };
	struct item *it;
	size_t count = put_drawn(g, list, &rows);

	if (!count) {
		buf_free(&rows);
		plan_left_out(p, g, list, false);
		return;
	}
	it = part_add(p, ITEM_FIGURE, "ratios of new to old, worst first%s",
	    count > RATIOS ? "; the table has the rest" : "");
	item_draw(it, "compare", true);
	it->text = rows;
	plan_left_out(p, g, list, true);
}

/* Returns whether a row only says that samples succeeded as before. */
static bool is_uninteresting(const struct csv_table *g, const struct ratio *r)
{
	long metric = csv_table_column(g, "metric");

	return strcmp(verdicts[r->verdict], "same") == 0 && metric >= 0 &&
	       strcmp(csv_table_cell(g, r->row, (size_t)metric), "ok") == 0;
}

enum { VERDICT = 3, BRIEF_COLUMNS = 8 };

/* Appends a cell of a row, or without a row the name of its column. */
static void put_column(
    const struct csv_table *g, const struct ratio *r, size_t column, struct buf *b)
{
	csv_reader_put_field(
	    b, text_of(r ? csv_table_cell(g, r->row, column) : csv_table_name(g, column)));
}

/* Appends a ratio, or its bound, as a change. */
static void put_change(struct buf *b, const char *cell)
{
	bool bound = *cell == '>' || *cell == '<';
	char text[NUMBER_TEXT_MAX];
	double ratio;

	if (!number_parse(text_of(cell + bound), &ratio))
		return;
	buf_put(b, cell, bound);
	buf_put(b, text, number_print(text, ratio - 1));
}

/* Appends the rows of primary metrics with the columns that people read first: the change
 * and the verdict, the subject, and the values. */
static void put_brief(
    const struct csv_table *g, const struct ratio *list, const size_t *at, struct buf *b)
{
	static const char *const changes[] = { "change", "change from", "change to" };
	long metric = csv_table_column(g, "metric");

	for (size_t row = 0; row <= csv_table_rows(g); row++) {
		const struct ratio *r = row ? &list[row - 1] : NULL;

		if (r && (!is_compared(r) || is_uninteresting(g, r)))
			continue;
		for (size_t i = 0; i < COUNT(changes); i++) {
			if (r)
				put_change(b, csv_table_cell(g, r->row, at[i]));
			else
				buf_str(b, changes[i]);
			buf_byte(b, ',');
		}
		put_column(g, r, at[VERDICT], b);
		for (long i = 0; i <= metric; i++) {
			buf_byte(b, ',');
			put_column(g, r, (size_t)i, b);
		}
		for (size_t i = VERDICT + 1; i < BRIEF_COLUMNS; i++) {
			buf_byte(b, ',');
			put_column(g, r, at[i], b);
		}
		buf_byte(b, '\n');
	}
}

/* Fills in the table for people. Without all of its columns there is only the full one. */
static void fill_brief(struct item *it, const struct csv_table *g, const struct ratio *list)
{
	static const char *const names[BRIEF_COLUMNS] = { "ratio", "ratio_lo", "ratio_hi",
		"verdict", "unit", "old", "new", "p_adj" };
	size_t at[BRIEF_COLUMNS];

	for (size_t i = 0; i < COUNT(names); i++) {
		long column = csv_table_column(g, names[i]);

		if (column < 0)
			return;
		at[i] = (size_t)column;
	}
	put_brief(g, list, at, &it->out);
}

/* Returns whether a metric is compared: not one of profiles. */
static bool is_judged(const struct inventory_metric *m)
{
	return !m->rows[ROW_STACK] && strncmp(m->name, "lost_", 5) != 0;
}

bool report_has_judged(const struct report *r)
{
	for (size_t i = 0; i < r->inventory.metrics; i++)
		if (is_judged(&r->inventory.metric[i]))
			return true;
	return false;
}

/* Replaces the name of a file in the notes of bench-compare. */
static void rename_side(struct buf *said, const char *file, const char *name)
{
	char *quoted = str_format(" in '%s'", file), *rest = said->ptr, *at;
	struct buf out = { 0 };

	while (rest && (at = strstr(rest, quoted))) {
		buf_put(&out, rest, (size_t)(at - rest));
		buf_printf(&out, " in %s", name);
		rest = at + strlen(quoted);
	}
	buf_str(&out, rest ? rest : "");
	buf_free(said);
	*said = out;
	free(quoted);
}

/* Adds the tables: a brief one, which show_verdicts() fills, and that of bench-compare,
 * which is returned. */
static struct item *add_tables(struct report *r, struct part *p, const char *baseline)
{
	struct item *it = part_add(p, ITEM_TABLE,
	    "primary metrics compared with the baseline, worst first; "
	    "each interval is at 95%%, not corrected for the number of rows as p_adj is");

	it->id = "verdicts-brief";
	it->keep = VERDICT + 1;
	it = part_add(p, ITEM_TABLE, "comparison with the baseline, worst first");
	it->id = "verdicts-table";
	it->fold = "All metrics and columns";
	it->judges = true;
	item_run(
	    it, "bench-compare", "--list-bounds", "--allow-missing", baseline, "-", NULL);
	for (size_t i = 0; i < r->opts->metrics; i++)
		item_option(it, "--metric", r->opts->metric[i]);
	/* Profiles are compared by functions; see report_profile.c. */
	for (size_t i = 0; !r->opts->metrics && i < r->inventory.metrics; i++) {
		const struct inventory_metric *m = &r->inventory.metric[i];

		if (inventory_has(&r->inventory, ROW_STACK) && is_judged(m))
			item_option(it, "--metric", m->name);
	}
	return it;
}

static char *count_verdicts(const size_t in[COUNTED])
{
	struct buf text = { 0 };

	buf_printf(&text, "%zu worse, %zu unsure, %zu better, %zu same", in[WORSE],
	    in[UNSURE], in[BETTER], in[SAME]);
	if (in[ONE_SIDED])
		buf_printf(&text, ", %zu on one side only", in[ONE_SIDED]);
	buf_byte(&text, '.');
	return text.ptr;
}

/* Sorts the table of bench-compare, the output of `whole`, fills in the items before it,
 * and adds the plot. */
static void show_verdicts(struct part *p, struct item *whole, struct csv_table *g)
{
	enum { COUNTS, BRIEF }; /* items */
	size_t in[COUNTED] = { 0 };
	struct ratio *list;

	set_bounds(g, "ratio", true);
	set_bounds(g, "diff", false);
	list = rank(g, in);
	whole->out.len = 0;
	csv_table_put_header(g, &whole->out);
	for (size_t i = 0; i < csv_table_rows(g); i++)
		csv_table_put_row(g, list[i].row, &whole->out);
	free(p->item[COUNTS].caption);
	p->item[COUNTS].caption = count_verdicts(in);
	fill_brief(&p->item[BRIEF], g, list);
	plan_forest(p, g, list); /* may move the items */
	free(list);
}

void report_plan_verdicts(struct report *r, struct part *p)
{
	struct csv_table g = { 0 };
	struct item *whole;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(),
	    r->opts->baseline->in.fd);
	part_add(p, ITEM_TEXT, "No series could be compared.");
	whole = add_tables(r, p, path);
	/* Run now: the plot needs the result. */
	report_run_item(r, whole);
	rename_side(&whole->said, path, "the baseline");
	rename_side(&whole->said, "-", "this report");
	if (csv_table_read(
	        &g, text_in(&whole->out), &whole->fault) == 0 &&
	    csv_table_rows(&g))
		show_verdicts(p, whole, &g);
	csv_table_free(&g);
}
