/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a report that compares backends: a table with one row for each kernel or
 * model with its data type, batch and other factors. The row has the fastest backend,
 * the next one, and how they compare.
 */
#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "brief/ranking_text.h"
#include "io/csv_reader.h"
#include "record/backend_column.h"
#include "report/report_contest.h"
#include "report/report_items_priv.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/units.h"

enum { UNFOLDED = 24 }; /* rows of a table that is not in a fold */

/* A comparison: a row of the table. */
struct backends_row {
	size_t subject; /* the first one; the others have the same factors */
	char *fastest, *next, *others;
	double median, next_median, times, times_lo, times_hi;
	const char *verdict;
	bool clear; /* the fastest one is better than all others */
};

struct backends_table {
	struct contest contest;
	struct backends_row *row;
	size_t rows, cap;
	size_t *column, columns; /* those that are printed before the metric */
};

bool report_has_backends(const struct report *r)
{
	if (r->history || r->opts->baseline || r->inventory.hosts.count > 1)
		return false;
	for (size_t i = 0; i < r->inventory.metrics; i++) {
		const struct inventory_metric *m = &r->inventory.metric[i];

		for (size_t k = 0; k < m->factors; k++)
			if (strcmp(r->schema->name[m->factor[k].column], "backend") == 0 &&
			    m->factor[k].values.count > 1)
				return true;
	}
	return false;
}

static bool is_median(struct text column)
{
	return text_is(column, "median") || text_is(column, "next median");
}

void report_plan_backends(struct report *r, struct part *p)
{
	struct item *it;

	(void)r;
	part_add(p, ITEM_ABSENT, "%s", "");
	it = part_add(p, ITEM_TABLE,
	    "the fastest backend for each kernel or model, and the next one; ratio and "
	    "others: how many times as fast the fastest one is; from and to: the 95%% "
	    "interval of the ratio");
	it->id = "backends-table";
	it->in_unit = is_median;
	it->nothing = "No two backends ran the same kernel or model at the same size.";
}

/* Chains the subjects of the kind and bench of one that agree in the held columns. */
static void chain_held(struct contest *c, size_t subject)
{
	struct intern works = { 0 };
	struct buf key = { 0 };
	size_t *last = NULL, lasts = 0, cap = 0; /* by work */

	for (size_t i = c->first_alike[subject]; i != SIZE_MAX; i = c->next_alike[i]) {
		size_t known = works.count, work;

		key.len = 0;
		contest_put_held(c, i, &key);
		work = intern_add(&works, (struct text){ key.len ? key.ptr : "", key.len });
		if (work == known)
			*VEC_ADD(last, lasts, cap) = i;
		else
			c->next_held[last[work]] = i;
		last[work] = i;
		c->next_held[i] = SIZE_MAX;
	}
	intern_free(&works);
	buf_free(&key);
	free(last);
}

/*
 * Finds the columns that are the same in each comparison with a subject: all factors but
 * those that describe a backend. A factor that only some subjects of the bench have, such
 * as an option of an engine, describes a backend.
 */
static void hold_factors(struct contest *c, size_t subject)
{
	const struct schema *schema = groups_schema(c->from->groups);

	/* Subjects that can be compared hold the same columns. */
	if (c->held_for && brief_subjects_match(c->all, &c->all->item[c->held_for - 1],
	                       &c->all->item[subject]))
		return;
	c->held_for = subject + 1;
	for (size_t i = 0; i < c->columns; i++)
		c->held[i] = i >= COL_FACTORS && !backend_column(schema->name[i]) &&
		             (c->types_shared || strcmp(schema->name[i], "dtype") != 0);
	for (size_t i = c->first_alike[subject]; i != SIZE_MAX; i = c->next_alike[i]) {
		if (!brief_subjects_match(c->all, &c->all->item[subject], &c->all->item[i]))
			continue;
		for (size_t k = COL_FACTORS; k < c->columns; k++)
			if (!contest_cell(c, i, k).len)
				c->held[k] = false;
	}
	chain_held(c, subject);
}

/* Returns whether subjects have the same main metric. One without values has none. */
static bool share_metric(const struct contest *c, size_t a, size_t b)
{
	return !contest_is_measured(c, a) || !contest_is_measured(c, b) ||
	       brief_subjects_match(c->all, &c->all->item[a], &c->all->item[b]);
}

/* Finds the subjects that do the same work as one, those with values first. */
static void find_rivals(struct contest *c, size_t first)
{
	c->count = 0;
	for (size_t measured = 0; measured < 2; measured++)
		for (size_t i = first; i != SIZE_MAX; i = c->next_held[i])
			if (contest_is_measured(c, i) == !measured &&
			    share_metric(c, first, i))
				*VEC_ADD(c->subject, c->count, c->cap) = i;
}

/* Returns whether rivals differ in a column but not in those before it. */
static bool is_needed(const struct contest *c, const size_t *column, size_t place)
{
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < i; k++) {
			size_t at = 0;

			while (at < place &&
			       text_equal(contest_cell(c, c->subject[i], column[at]),
			           contest_cell(c, c->subject[k], column[at])))
				at++;
			if (at == place &&
			    !text_equal(contest_cell(c, c->subject[i], column[at]),
			        contest_cell(c, c->subject[k], column[at])))
				return true;
		}
	return false;
}

/* Returns whether a column is in all names: the backend, and the data type if rivals
 * have different ones. */
static bool is_always_named(const struct contest *c, size_t column)
{
	const char *name = groups_schema(c->from->groups)->name[column];

	return strcmp(name, "backend") == 0 ||
	       (strcmp(name, "dtype") == 0 &&
	           brief_subjects_vary(c->all, c->subject, c->count, column));
}

/* Returns the backend of a subject, and what else distinguishes it from its rivals. */
static char *name_backend(const struct contest *c, size_t subject)
{
	const struct schema *schema = groups_schema(c->from->groups);
	size_t *column = mem_zero(c->columns + 1, sizeof(*column)), columns = 0;
	struct buf b = { 0 };

	for (int others = 0; others < 2; others++)
		for (size_t i = COL_FACTORS; i < c->columns; i++)
			if (backend_column(schema->name[i]) == !others)
				column[columns++] = i;
	for (size_t i = 0; i < columns; i++) {
		struct text cell = contest_cell(c, subject, column[i]);

		if (!cell.len ||
		    (!is_always_named(c, column[i]) && !is_needed(c, column, i)))
			continue;
		if (b.len)
			buf_byte(&b, ' ');
		if (!backend_column(schema->name[column[i]]))
			buf_printf(&b, "%s=", schema->name[column[i]]);
		display_text_clean(&b, cell);
	}
	free(column);
	return b.len ? b.ptr : str_copy("");
}

/* Returns whether the subjects have different backends or devices. */
static bool is_wanted(const struct contest *c)
{
	for (size_t i = COL_FACTORS; i < c->columns; i++)
		if (backend_column(groups_schema(c->from->groups)->name[i]) &&
		    brief_subjects_vary(c->all, c->subject, c->count, i))
			return true;
	return false;
}

/* Returns a verdict on the fastest subject and another one, or why there is none. */
static const char *verdict_of(const struct ranking_item *item)
{
	static const char *const words[] = { [VERDICT_UNSURE] = "unsure",
		[VERDICT_SAME] = "same",
		[VERDICT_BETTER] = "slower",
		[VERDICT_WORSE] = "faster" };

	if (item->rank == RANK_FAILED)
		return "failed";
	if (item->rank == RANK_EMPTY)
		return "not measured";
	if (item->rank == RANK_FEW || item->result.verdict >= COUNT(words) ||
	    !words[item->result.verdict])
		return words[VERDICT_UNSURE];
	return words[item->result.verdict];
}

/* Returns the subjects after the first ones and how many times as slow they are, such as
 * "cpu 3.1 times; cuda not measured". */
static char *others_of(const struct contest *c, size_t first)
{
	const struct ranking *r = &c->ranking;
	struct buf b = { 0 };

	for (size_t i = first; i < r->count; i++) {
		const struct ranking_item *item = &r->item[i];
		const char *verdict = verdict_of(item);

		buf_printf(&b, "%s%s ", b.len ? "; " : "", c->name[item->subject]);
		if (isfinite(item->times)) {
			ranking_put_number(&b, item->times, item->times_lo, item->times_hi);
			buf_str(&b, " times");
		}
		if (!isfinite(item->times))
			buf_str(&b, verdict);
		else if (item->result.verdict != VERDICT_WORSE)
			buf_printf(&b, " (%s)", verdict);
	}
	return b.len ? b.ptr : str_copy("");
}

static void add_row(struct backends_table *t)
{
	const struct contest *c = &t->contest;
	const struct ranking_item *item = c->ranking.item;
	bool rival = c->ranking.compared > 0;
	struct backends_row *row = VEC_ADD(t->row, t->rows, t->cap);

	*row = (struct backends_row){ .subject = c->subject[0],
		.fastest =
		    str_copy(item[0].rank == RANK_BEST ? c->name[item[0].subject] : ""),
		.next = str_copy(rival ? c->name[item[1].subject] : ""),
		.others = others_of(c, item[0].rank != RANK_BEST ? 0
		                       : rival                   ? 2
		                                                 : 1),
		.median = item[0].median,
		.next_median = rival ? item[1].median : NAN,
		.times = rival ? item[1].times : NAN,
		.times_lo = rival ? item[1].times_lo : NAN,
		.times_hi = rival ? item[1].times_hi : NAN,
		.verdict = rival                       ? verdict_of(&item[1])
		           : item[0].rank == RANK_BEST ? "alone"
		                                       : "no values",
		.clear = rival && ranking_is_clear(&c->ranking) };
}

static void find_rows(struct backends_table *t)
{
	struct contest *c = &t->contest;
	bool *taken = mem_zero(c->all->count + 1, sizeof(*taken));

	for (size_t i = 0; i < c->all->count; i++) {
		if (taken[i] || !contest_is_work(c, i))
			continue;
		hold_factors(c, i);
		find_rivals(c, i);
		for (size_t k = 0; k < c->count; k++)
			taken[c->subject[k]] = true;
		if (c->count < 2 || !is_wanted(c))
			continue;
		contest_rank(c, name_backend);
		add_row(t);
		contest_clear(c);
	}
	free(taken);
}

/* Returns whether a column depends on the bench and the other factors: the architecture of
 * a model, and the shape of its input. */
static bool is_derived(const char *name)
{
	return strcmp(name, "arch") == 0 || strcmp(name, "input_shape") == 0;
}

/* Chooses the columns that are the same in each comparison. */
static void find_columns(struct backends_table *t)
{
	struct contest *c = &t->contest;
	bool *same = mem_zero(c->columns + 1, sizeof(*same));

	for (size_t i = 0; i < t->rows; i++) {
		hold_factors(c, t->row[i].subject);
		for (size_t k = 0; k < c->columns; k++)
			same[k] = same[k] || c->held[k];
	}
	t->column = mem_zero(c->columns + 1, sizeof(*t->column));
	for (size_t k = COL_FACTORS; k < c->columns; k++)
		if (same[k] && !is_derived(groups_schema(c->from->groups)->name[k]))
			t->column[t->columns++] = k;
	free(same);
}

/* Returns -1, 0 or 1 for strings in their order; numbers are ordered as numbers. */
static int order_cells(struct text a, struct text b)
{
	size_t least = a.len < b.len ? a.len : b.len;
	double x, y;
	int order;

	if (number_parse(a, &x) && number_parse(b, &y))
		return (x > y) - (x < y);
	order = least ? memcmp(a.ptr, b.ptr, least) : 0;
	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int order_rows(const void *pa, const void *pb, void *ctx)
{
	const struct backends_table *t = ctx;
	const struct contest *c = &t->contest;
	const struct backends_row *x = pa, *y = pb;
	size_t a = x->subject, b = y->subject;
	int order =
	    order_cells(contest_cell(c, a, COL_BENCH), contest_cell(c, b, COL_BENCH));

	for (size_t i = 0; i < t->columns && !order; i++)
		order = order_cells(
		    contest_cell(c, a, t->column[i]), contest_cell(c, b, t->column[i]));
	return order ? order : (a > b) - (a < b);
}

static void put_cell(struct buf *b, struct text t)
{
	csv_reader_put_field(b, t);
	buf_byte(b, ',');
}

/* Appends a number with as many digits as its interval allows; nothing if it is unknown. */
static void put_ratio(struct buf *b, const struct backends_row *row, double number)
{
	if (isfinite(number))
		ranking_put_number(b, number, row->times_lo, row->times_hi);
	buf_byte(b, ',');
}

static void put_median(struct buf *b, double number)
{
	char text[NUMBER_TEXT_MAX];

	if (isfinite(number))
		buf_put(b, text, number_print(text, number));
	buf_byte(b, ',');
}

static void put_row(
    struct buf *b, const struct backends_table *t, const struct backends_row *row)
{
	const struct contest *c = &t->contest;
	size_t head = c->all->item[row->subject].head;

	put_cell(b, contest_cell(c, row->subject, COL_BENCH));
	for (size_t i = 0; i < t->columns; i++)
		put_cell(b, contest_cell(c, row->subject, t->column[i]));
	put_cell(b, groups_cell(c->from->groups, head, COL_METRIC));
	put_cell(b, groups_cell(c->from->groups, head, COL_UNIT));
	put_cell(b, text_of(row->fastest));
	put_median(b, row->median);
	put_cell(b, text_of(row->next));
	put_median(b, row->next_median);
	put_ratio(b, row, row->times);
	put_ratio(b, row, row->times_lo);
	put_ratio(b, row, row->times_hi);
	put_cell(b, text_of(row->verdict));
	csv_reader_put_field(b, text_of(row->others));
	buf_byte(b, '\n');
}

static void put_table(struct buf *b, const struct backends_table *t)
{
	buf_str(b, "bench,");
	for (size_t i = 0; i < t->columns; i++)
		put_cell(
		    b, text_of(groups_schema(t->contest.from->groups)->name[t->column[i]]));
	buf_str(b, "metric,unit,fastest,median,next,next median,ratio,from,to,verdict,"
	           "others\n");
	for (size_t i = 0; i < t->rows; i++)
		put_row(b, t, &t->row[i]);
}

/* Returns a sentence with the number of comparisons that each subject wins. */
static char *count_wins(const struct backends_table *t)
{
	struct intern names = { 0 };
	size_t *wins = mem_zero(t->rows + 1, sizeof(*wins)), open = 0, alone = 0;
	struct buf b = { 0 };

	for (size_t i = 0; i < t->rows; i++) {
		if (t->row[i].clear)
			wins[intern_add(&names, text_of(t->row[i].fastest))]++;
		else if (*t->row[i].next)
			open++;
		else
			alone++;
	}
	if (!names.count)
		buf_printf(&b, "No backend is clearly the fastest in %s%zu comparison%s",
		    plural(open, "", "any of "), open, plural_s(open));
	else
		buf_printf(
		    &b, "Of %zu comparison%s,", t->rows - alone, plural_s(t->rows - alone));
	for (size_t i = 0; i < names.count; i++) {
		buf_str(&b, i ? ", " : " ");
		buf_text(&b, intern_text(&names, i));
		buf_printf(&b, " is the fastest in %zu", wins[i]);
	}
	if (names.count && open)
		buf_printf(&b, ", and no backend is clearly the fastest in %zu", open);
	buf_byte(&b, '.');
	intern_free(&names);
	free(wins);
	return b.ptr;
}

void report_ready_backends(struct report *r, struct part *p)
{
	struct item *text = &p->item[0], *table = &p->item[1];
	struct brief_subjects all;
	struct backends_table t = { 0 };

	if (!r->fastest)
		return;
	brief_subjects_make(&all, r->fastest->groups, r->table);
	contest_open(&t.contest, r->fastest, &all);
	find_rows(&t);
	find_columns(&t);
	if (t.rows)
		qsort_r(t.row, t.rows, sizeof(*t.row), order_rows, &t);
	if (t.rows) {
		put_table(&table->out, &t);
		free(text->caption);
		text->caption = count_wins(&t);
		text->shown = ITEM_TEXT;
	}
	if (t.rows > UNFOLDED)
		table->fold = "All comparisons";
	for (size_t i = 0; i < t.rows; i++) {
		free(t.row[i].fastest);
		free(t.row[i].next);
		free(t.row[i].others);
	}
	free(t.row);
	free(t.column);
	contest_close(&t.contest);
	brief_subjects_free(&all);
}
