/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a ranking as a table; see brief_table.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/intern.h"
#include "brief/brief_median.h"
#include "brief/brief_table.h"
#include "brief/brief_text.h"
#include "brief/ranking_text.h"
#include "text/display_text.h"
#include "text/display_width.h"

enum { GAP = 2, FACTORS_MOST = 3, NAME_LEAST = 8 };

/* The columns after those of the names. */
enum brief_figure {
	FIGURE_MEDIAN,
	FIGURE_RELATIVE,
	FIGURE_INTERVAL,
	FIGURE_VERDICT,
	FIGURES
};

/* A table of strings, row by row; the first row is the header. */
struct text_table {
	size_t columns, rows, names; /* names: columns of the factors or names */
	char **cell;
	char **bare; /* by row: the median without its interval; NULL in the header */
	size_t width[FACTORS_MOST + FIGURES]; /* 0: not printed */
	bool used[FACTORS_MOST + FIGURES];    /* a cell has a string */
};

struct table_source {
	const struct brief_subjects *all;
	const struct table_subjects *of;
	const struct ranking *ranking;
	struct collect *collect;
	const struct brief_opts *opts;
	size_t factor[FACTORS_MOST]; /* columns of the schema */
};

static void set_cell(struct text_table *t, size_t row, size_t column, const char *text)
{
	size_t width = display_width(text_of(text));

	t->cell[row * t->columns + column] = str_copy(text);
	t->used[column] = t->used[column] || (row && width);
	t->width[column] = width > t->width[column] ? width : t->width[column];
}

/* Returns how many different strings the subjects have in these columns. */
static size_t count_distinct(
    const struct table_source *from, const size_t *column, size_t columns)
{
	struct intern seen = { 0 };
	struct buf key = { 0 };
	size_t distinct;

	for (size_t i = 0; i < from->ranking->count; i++) {
		const struct brief_subject *of = &from->all->item[from->of->subject[i]];

		key.len = 0;
		for (size_t k = 0; k < columns; k++) {
			buf_text(&key, brief_subject_cell(from->all, of, column[k]));
			buf_byte(&key, '\0');
		}
		intern_add(&seen, text_in(&key));
	}
	distinct = seen.count;
	intern_free(&seen);
	buf_free(&key);
	return distinct;
}

/* Finds the factors that distinguish the subjects. A factor that follows from those before
 * it, such as the device of a backend, is left out. Returns their number, or 0 if there are
 * too many. */
static size_t find_factors(struct table_source *from)
{
	size_t columns = groups_schema(from->all->groups)->count, count = 0, distinct = 1;
	size_t factor[FACTORS_MOST + 1];

	for (size_t id = COL_FACTORS; id < columns; id++) {
		size_t more;

		factor[count] = id;
		more = count_distinct(from, factor, count + 1);
		if (more == distinct)
			continue;
		if (count == FACTORS_MOST)
			return 0;
		from->factor[count++] = id;
		distinct = more;
	}
	return count;
}

static void set_header(struct text_table *t, const struct table_source *from, bool sweep)
{
	const struct schema *schema = groups_schema(from->all->groups);
	struct buf metric = { 0 };
	char confidence[32];

	for (size_t i = 0; i < t->names; i++) {
		struct buf name = { 0 };

		display_text_clean(
		    &name, text_of(sweep ? schema->name[from->factor[i]] : "subject"));
		set_cell(t, 0, i, name.ptr);
		buf_free(&name);
	}
	snprintf(confidence, sizeof(confidence), "%.4g%%", from->ranking->confidence * 100);
	display_text_clean(
	    &metric, groups_cell(from->all->groups, from->of->group[0], COL_METRIC));
	set_cell(t, 0, t->names + FIGURE_MEDIAN, metric.ptr);
	set_cell(t, 0, t->names + FIGURE_RELATIVE, "relative");
	set_cell(t, 0, t->names + FIGURE_INTERVAL, confidence);
	set_cell(t, 0, t->names + FIGURE_VERDICT, "");
	buf_free(&metric);
}

static void set_names(struct text_table *t, const struct table_source *from, size_t row,
    const struct brief_subject *of, bool sweep)
{
	for (size_t i = 0; i < t->names; i++) {
		struct buf name = { 0 };

		if (sweep)
			display_text_clean(
			    &name, brief_subject_cell(from->all, of, from->factor[i]));
		else
			buf_str(&name, of->name);
		set_cell(t, row, i, name.ptr ? name.ptr : "");
		buf_free(&name);
	}
}

/* Returns the verdict of an item in a word or two. */
static const char *verdict_of(const struct ranking_item *item)
{
	static const char *const compared[] = { [VERDICT_UNSURE] = "unsure",
		[VERDICT_SAME] = "same",
		[VERDICT_BETTER] = "faster",
		[VERDICT_WORSE] = "slower",
		[VERDICT_DIFFERS] = "differs" };
	static const char *const other[] = { [RANK_BEST] = "best",
		[RANK_ALONE] = "alone",
		[RANK_COMPARED] = "",
		[RANK_FEW] = "",
		[RANK_FAILED] = "failed",
		[RANK_EMPTY] = "not measured" };

	return item->rank == RANK_COMPARED ? compared[item->result.verdict]
	                                   : other[item->rank];
}

static void put_relative(struct buf *b, const struct ranking_item *item)
{
	if (item->rank == RANK_BEST)
		buf_str(b, "1");
	else if (item->rank == RANK_COMPARED && !isnan(item->times))
		ranking_put_number(b, item->times, item->times_lo, item->times_hi);
	else if (item->rank == RANK_COMPARED && !isnan(item->times_lo)) {
		buf_byte(b, '>');
		ranking_put_number(b, item->times_lo, NAN, NAN);
	}
}

static void put_interval(struct buf *b, const struct ranking_item *item)
{
	if (item->rank != RANK_COMPARED || isnan(item->times_lo) || isnan(item->times_hi))
		return;
	ranking_put_number(b, item->times_lo, item->times_lo, item->times_hi);
	buf_str(b, " to ");
	ranking_put_number(b, item->times_hi, item->times_lo, item->times_hi);
}

static void set_row(struct text_table *t, const struct table_source *from, size_t row,
    const struct ranking_item *item, bool sweep)
{
	const struct brief_subject *of = &from->all->item[from->of->subject[item->subject]];
	size_t group = from->of->group[item->subject];
	const struct collected *values = collect_group(from->collect, group);
	struct text unit = groups_cell(from->all->groups, group, COL_UNIT);
	struct buf figure[FIGURES] = { 0 }, bare = { 0 };

	set_names(t, from, row, of, sweep);
	brief_put_median_of(&figure[FIGURE_MEDIAN], values,
	    groups_cell(from->all->groups, group, COL_METRIC), unit, from->opts);
	brief_put_bare_median(&bare, values, unit, from->opts);
	t->bare[row] = bare.ptr;
	put_relative(&figure[FIGURE_RELATIVE], item);
	put_interval(&figure[FIGURE_INTERVAL], item);
	buf_str(&figure[FIGURE_VERDICT], verdict_of(item));
	if (item->rank == RANK_FEW)
		ranking_put_needed(&figure[FIGURE_VERDICT], item);
	if (item->failed && item->rank != RANK_FAILED)
		buf_printf(&figure[FIGURE_VERDICT], ", %zu failed", item->failed);
	for (size_t i = 0; i < FIGURES; i++) {
		set_cell(t, row, t->names + i, figure[i].ptr ? figure[i].ptr : "");
		buf_free(&figure[i]);
	}
}

/* Returns the columns of the table on a terminal. */
static size_t total_width(const struct text_table *t)
{
	size_t total = 0;

	for (size_t i = 0; i < t->columns; i++)
		total += t->width[i] ? t->width[i] + GAP : 0;
	return total ? total - GAP : 0;
}

/* Shortens the names of a column and its header to some columns of the terminal. Returns
 * false, and shortens nothing, if names that differ could only be told apart by numbers,
 * unless they are forced. */
static bool shorten_names(
    struct text_table *t, size_t column, size_t width, bool utf8, bool force)
{
	char **label = mem_zero(t->rows, sizeof(char *));
	bool distinct;

	for (size_t row = 1; row < t->rows; row++)
		label[row - 1] = str_copy(t->cell[row * t->columns + column]);
	distinct = display_text_fit(label, t->rows - 1, width, utf8);
	for (size_t row = 1; row < t->rows; row++) {
		char **cell = &t->cell[row * t->columns + column];

		if (distinct || force) {
			free(*cell);
			*cell = label[row - 1];
		} else
			free(label[row - 1]);
	}
	free(label);
	if (!distinct && !force)
		return false;
	display_text_fit(&t->cell[column], 1, width, utf8);
	t->width[column] = width;
	return true;
}

/* Replaces the medians by those without their intervals. */
static void shorten_medians(struct text_table *t)
{
	size_t column = t->names + FIGURE_MEDIAN;

	t->width[column] = display_width(text_of(t->cell[column]));
	for (size_t row = 1; row < t->rows; row++) {
		free(t->cell[row * t->columns + column]);
		set_cell(t, row, column, t->bare[row] ? t->bare[row] : "");
	}
}

/* Returns how many columns of the terminal the names of all columns can give up. */
static size_t spare_width(const struct text_table *t, size_t least)
{
	size_t spare = 0;

	for (size_t i = 0; i < t->names; i++)
		spare += t->width[i] > least ? t->width[i] - least : 0;
	return spare;
}

/* Shortens names until the table fits, or as far as they stay distinct or are forced. */
static void fit_names(
    struct text_table *t, const struct brief_opts *opts, size_t least, bool force)
{
	for (size_t i = 0; i < t->names && total_width(t) > opts->width; i++) {
		size_t over = total_width(t) - opts->width;

		if (t->width[i] > least)
			shorten_names(t, i,
			    t->width[i] > over + least ? t->width[i] - over : least,
			    opts->utf8, force);
	}
}

/* Makes the table fit: shortens names, and drops the interval of the ratio, the intervals
 * of the medians, the medians and the verdict. The ratio remains. Names are numbered, and
 * become shorter than 16 columns, only if nothing else helps. */
static void fit_table(struct text_table *t, const struct brief_opts *opts)
{
	static const struct {
		enum brief_figure figure;
		bool shortens;
	} step[] = { { FIGURE_INTERVAL, false }, { FIGURE_MEDIAN, true },
		{ FIGURE_MEDIAN, false }, { FIGURE_VERDICT, false } };

	for (size_t k = 0; total_width(t) > opts->width; k++) {
		size_t least = k < 2 ? 2 * NAME_LEAST : NAME_LEAST;

		if (total_width(t) <= opts->width + spare_width(t, least))
			fit_names(t, opts, least, false);
		if (total_width(t) <= opts->width)
			return;
		if (k == COUNT(step)) {
			fit_names(t, opts, NAME_LEAST, true);
			return;
		}
		if (step[k].shortens)
			shorten_medians(t);
		else
			t->width[t->names + step[k].figure] = 0;
	}
}

static void print_table(struct buf *b, const struct text_table *t, bool color)
{
	for (size_t row = 0; row < t->rows; row++) {
		struct buf line = { 0 };

		for (size_t i = 0; i < t->columns; i++) {
			struct text cell = text_of(t->cell[row * t->columns + i]);
			bool right = i >= t->names && i != t->names + FIGURE_VERDICT;
			size_t width = display_width(cell);

			if (!t->width[i])
				continue;
			if (line.len)
				buf_printf(&line, "%*s", GAP, "");
			if (right)
				buf_printf(&line, "%*s", (int)(t->width[i] - width), "");
			if (right)
				buf_text(&line, cell);
			else
				display_put(&line, cell, t->width[i]);
		}
		while (line.len && line.ptr[line.len - 1] == ' ')
			line.len--;
		buf_str(b, row || !color ? "" : "\033[2m");
		buf_put(b, line.ptr, line.len);
		buf_str(b, row || !color ? "\n" : "\033[0m\n");
		buf_free(&line);
	}
}

/* Returns the place of an item in a sweep: that of its contest, in which subjects have
 * their order. */
static size_t place_of(const struct ranking *r, const struct ranking_item *item)
{
	size_t place = 0;

	for (size_t i = 0; i < r->count; i++)
		place += r->item[i].contest < item->contest ||
		         (r->item[i].contest == item->contest &&
		             r->item[i].subject < item->subject);
	return place;
}

void brief_put_table(struct buf *b, const struct brief_subjects *s,
    const struct table_subjects *of, const struct ranking *r, struct collect *collect,
    bool sweep, const struct brief_opts *opts)
{
	struct table_source from = { s, of, r, collect, opts, { 0 } };
	struct text_table t = { .rows = r->count + 1 };
	size_t factors = find_factors(&from);

	sweep = sweep && factors;
	t.names = sweep ? factors : 1;
	t.columns = t.names + FIGURES;
	t.cell = mem_zero(t.rows * t.columns, sizeof(char *));
	t.bare = mem_zero(t.rows, sizeof(char *));
	set_header(&t, &from, sweep);
	for (size_t i = 0; i < r->count; i++)
		set_row(&t, &from, 1 + (sweep ? place_of(r, &r->item[i]) : i), &r->item[i],
		    sweep);
	for (size_t i = 0; i < t.columns; i++)
		t.width[i] = t.used[i] ? t.width[i] : 0;
	fit_table(&t, opts);
	print_table(b, &t, opts->color);
	for (size_t i = 0; i < t.rows * t.columns; i++)
		free(t.cell[i]);
	for (size_t i = 0; i < t.rows; i++)
		free(t.bare[i]);
	free(t.bare);
	free(t.cell);
}
