/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sentences of a report about which subject is the fastest, and by how much. Subjects
 * of a sweep are compared at each of its values.
 */
#include <math.h>
#include <stdlib.h>

#include "brief/brief_subjects.h"
#include "brief/ranking_text.h"
#include "report/report_items_priv.h"
#include "report/report_words.h"
#include "text/display_text.h"
#include "text/markup.h"
#include "text/units.h"

enum { SETS = 5, OTHERS = 5 }; /* at most: sets of subjects, and subjects of a list */

struct fastest {
	struct groups *groups;
	struct collect *collect;
	struct noise_floor *floors;
};

struct fastest *report_fastest_open(const struct report *r)
{
	struct fastest *f;

	if (r->history || r->opts->baseline || r->inventory.hosts.count > 1)
		return NULL;
	f = mem_zero(1, sizeof(*f));
	f->groups = groups_open(r->coming, &(struct group_by){ .provenance = false });
	f->collect = collect_open(f->groups, COLLECT_IDENTITY | COLLECT_SAMPLES);
	f->floors = noise_floor_open(r->coming);
	return f;
}

void report_fastest_row(struct fastest *f, const struct row *row)
{
	size_t group;

	if (!f || row_is_end_mark(row) || inventory_row_kind(row) != ROW_PLAIN)
		return;
	group = groups_find(f->groups, row);
	collect_into(f->collect, group, row);
	noise_floor_row(f->floors, row, group, false);
}

/* Subjects that are compared, by their numbers. */
struct contest {
	const struct fastest *from;
	const struct brief_subjects *all;
	bool *held; /* by column: subjects are compared only where it is the same */
	size_t columns;
	size_t *subject, count, cap;
	char **name; /* by place in subject */
	struct ranking ranking;
};

static struct text cell_of(const struct contest *c, size_t subject, size_t column)
{
	return groups_cell(c->from->groups, c->all->item[subject].group[0], column);
}

static bool is_kind(const struct contest *c, size_t subject, const char *kind)
{
	return text_is(cell_of(c, subject, COL_KIND), kind);
}

/* Returns whether subjects with other values of a column did other work. */
static bool is_work(const struct report *r, const struct contest *c, size_t subject,
    const struct inventory_factor *f)
{
	static const char *const resources[] = { "threads", "workers" };

	for (size_t i = 0; i < COUNT(resources); i++)
		if (strcmp(r->schema->name[f->column], resources[i]) == 0)
			return false;
	return f->numeric &&
	       (is_kind(c, subject, "kernel") || is_kind(c, subject, "model"));
}

/* Finds the columns that are the same in each comparison with a subject: that of a sweep,
 * and all sizes of a kernel or model. */
static void find_held(const struct report *r, struct contest *c, size_t subject)
{
	size_t head = c->all->item[subject].head;
	const struct inventory_metric *m = inventory_metric_of(&r->inventory,
	    groups_cell(c->from->groups, head, COL_METRIC), is_kind(c, subject, "model"));
	const struct inventory_factor *along = m ? inventory_along(r->schema, m) : NULL;

	memset(c->held, 0, c->columns * sizeof(*c->held));
	for (size_t i = 0; m && i < m->factors; i++)
		c->held[m->factor[i].column] =
		    &m->factor[i] == along || is_work(r, c, subject, &m->factor[i]);
}

static bool is_rival(const struct contest *c, size_t a, size_t b)
{
	if (!brief_subjects_match(c->all, &c->all->item[a], &c->all->item[b]))
		return false;
	for (size_t i = 0; i < c->columns; i++)
		if (c->held[i] && !text_equal(cell_of(c, a, i), cell_of(c, b, i)))
			return false;
	return true;
}

/* Finds the subjects that are compared with one if it is the first of them. Returns whether
 * there are several. */
static bool find_rivals(const struct report *r, struct contest *c, size_t first)
{
	c->count = 0;
	find_held(r, c, first);
	for (size_t i = 0; i < c->all->count; i++) {
		if (!is_rival(c, first, i))
			continue;
		if (i < first)
			return false;
		*VEC_ADD(c->subject, c->count, c->cap) = i;
	}
	return c->count > 1;
}

/* Returns whether two columns divide the rivals in the same way. */
static bool is_same_division(const struct contest *c, size_t x, size_t y)
{
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < i; k++)
			if (text_equal(cell_of(c, c->subject[i], x),
			        cell_of(c, c->subject[k], x)) !=
			    text_equal(
			        cell_of(c, c->subject[i], y), cell_of(c, c->subject[k], y)))
				return false;
	return true;
}

static bool varies(const struct contest *c, size_t column)
{
	for (size_t i = 1; i < c->count; i++)
		if (!text_equal(cell_of(c, c->subject[0], column),
		        cell_of(c, c->subject[i], column)))
			return true;
	return false;
}

/* Returns whether a column is in the names of rivals. Of columns that divide them in the
 * same way only the first is; but the type of numbers always is. */
static bool is_in_names(const struct contest *c, size_t column)
{
	if (!varies(c, column))
		return false;
	if (strcmp(groups_schema(c->from->groups)->name[column], "dtype") == 0)
		return true;
	for (size_t i = COL_FACTORS; i < column; i++)
		if (is_same_division(c, i, column))
			return false;
	return true;
}

static char *name_of(const struct contest *c, size_t subject)
{
	struct text bench = cell_of(c, subject, COL_BENCH);
	struct buf b = { 0 };

	if (!is_kind(c, subject, "kernel") && !is_kind(c, subject, "model"))
		return str_copy(c->all->item[subject].name);
	display_text_clean(&b, bench);
	for (size_t i = COL_FACTORS; i < c->columns; i++)
		if (is_in_names(c, i)) {
			buf_printf(&b, " %s=", groups_schema(c->from->groups)->name[i]);
			display_text_clean(&b, cell_of(c, subject, i));
		}
	return b.ptr;
}

static void rank_rivals(struct contest *c)
{
	const struct groups *g = c->from->groups;
	size_t head = c->all->item[c->subject[0]].head,
	       *place = mem_zero(c->count, sizeof(*place));
	const struct collected **values = mem_zero(c->count, sizeof(*values));
	const struct ranking_opts opts = { .better = metrics_better(c->all->metrics,
		                               groups_cell(g, head, COL_METRIC),
		                               groups_cell(g, head, COL_UNIT)),
		.inference = INFERENCE_DEFAULTS,
		.threshold = 0.02,
		.floors = c->from->floors,
		.place = place };

	c->name = mem_zero(c->count, sizeof(*c->name));
	for (size_t i = 0; i < c->count; i++) {
		const struct brief_subject *of = &c->all->item[c->subject[i]];

		values[i] = collect_group(c->from->collect, of->head);
		place[i] = of->head;
		c->name[i] = name_of(c, c->subject[i]);
	}
	ranking_make(&c->ranking, values, c->count, &opts);
	free(values);
	free(place);
}

/* Appends ", METRIC MEDIAN and MEDIAN" of the best subject and another one. */
static void put_medians(struct buf *b, const struct contest *c, size_t place)
{
	const struct ranking_item *item = c->ranking.item;
	size_t head = c->all->item[c->subject[0]].head;
	struct text metric = groups_cell(c->from->groups, head, COL_METRIC),
	            text = groups_cell(c->from->groups, head, COL_UNIT);
	char *unit = mem_text(text.ptr, text.len), number[64];

	if (isfinite(item[0].median) && isfinite(item[place].median)) {
		buf_str(b, "; ");
		markup_text(b, metric);
		buf_byte(b, ' ');
		units_print(number, sizeof(number), item[0].median, unit);
		markup_text(b, text_of(number));
		buf_str(b, " and ");
		units_print(number, sizeof(number), item[place].median, unit);
		markup_text(b, text_of(number));
	}
	free(unit);
}

/* Appends a finding as markup. */
static void put_finding(struct buf *b, const struct contest *c, size_t place, bool listed)
{
	struct buf text = { 0 };

	(listed ? ranking_put_short : ranking_put)(
	    &text, &c->ranking, place, (const char *const *)c->name);
	markup_text(b, (struct text){ text.ptr, text.len });
	buf_free(&text);
}

/* Appends the values of the columns that are the same in a comparison but not in all. */
static void put_held(struct buf *b, const struct contest *c)
{
	const char *before = "";

	for (size_t i = 0; i < c->columns; i++) {
		struct text cell = cell_of(c, c->subject[0], i);

		if (!c->held[i] || !cell.len || groups_constant(c->from->groups, i))
			continue;
		buf_str(b, before);
		markup_text(b, text_of(groups_schema(c->from->groups)->name[i]));
		buf_byte(b, '=');
		markup_text(b, cell);
		before = ", ";
	}
	buf_str(b, *before ? ": " : "");
}

static void put_contest(struct buf *b, const struct contest *c)
{
	const struct ranking *r = &c->ranking;
	bool listed = r->compared > 1 && r->item[0].rank == RANK_BEST;
	size_t shown = 1;

	words_open(b, "fastest");
	put_held(b, c);
	if (r->item[0].rank != RANK_BEST)
		buf_str(b, "No subject can be compared</strong>: none has enough values.");
	else if (listed) {
		markup_text(b, text_of(c->name[r->item[0].subject]));
		buf_printf(b, " %s</strong>:",
		    ranking_is_clear(r) ? "is the fastest" : "has the best median");
	} else {
		put_finding(b, c, 1, false);
		buf_str(b, "</strong>");
		put_medians(b, c, 1);
		buf_byte(b, '.');
		shown = 2;
	}
	buf_str(b, "</p>\n<ul>");
	for (size_t i = shown; i < r->count && i < shown + OTHERS; i++) {
		buf_str(b, "<li>");
		put_finding(b, c, i, listed);
		if (r->item[i].rank == RANK_COMPARED)
			put_medians(b, c, i);
		buf_str(b, "</li>\n");
	}
	if (r->count > shown + OTHERS)
		buf_printf(b, "<li><a href=\"#summary\">%zu more</a></li>",
		    r->count - shown - OTHERS);
	buf_str(b, "</ul>\n");
	words_end(b);
}

void report_fastest_put(struct buf *b, const struct report *r, struct fastest *f)
{
	struct brief_subjects all;
	struct contest c = { .from = f, .all = &all };
	size_t sets = 0;

	if (!f)
		return;
	collect_finish(f->collect);
	noise_floor_finish(f->floors, true);
	brief_subjects_make(&all, f->groups, r->table);
	c.columns = groups_schema(f->groups)->count;
	c.held = mem_zero(c.columns, sizeof(*c.held));
	for (size_t i = 0; i < all.count; i++) {
		if (!find_rivals(r, &c, i) || sets++ >= SETS)
			continue;
		rank_rivals(&c);
		put_contest(b, &c);
		ranking_free(&c.ranking);
		for (size_t k = 0; k < c.count; k++)
			free(c.name[k]);
		free(c.name);
	}
	if (sets > SETS)
		buf_printf(b,
		    "<p class=\"faint\">%zu more sets of subjects can be compared.</p>\n",
		    sets - SETS);
	brief_subjects_free(&all);
	free(c.held);
	free(c.subject);
}

void report_fastest_close(struct fastest *f)
{
	if (!f)
		return;
	collect_close(f->collect);
	noise_floor_close(f->floors);
	groups_close(f->groups);
	free(f);
}
