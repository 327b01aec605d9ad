/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sentences of a report about which subject is the fastest, and by how much. Subjects
 * of a sweep are compared at each of its values.
 */
#include <math.h>
#include <stdlib.h>

#include "brief/ranking_text.h"
#include "report/report_contest.h"
#include "report/report_items_priv.h"
#include "report/report_words.h"
#include "text/markup.h"
#include "text/plural.h"
#include "text/units.h"

/* At most: sets of subjects, subjects of a list, and subjects that are compared, each with
 * all others. */
enum { SETS = 5, OTHERS = 5, COMPARED = 2000 };

struct fastest *report_fastest_open(const struct report *r)
{
	struct fastest *f;

	if (r->history || r->opts->baseline || r->inventory.hosts.count > 1)
		return NULL;
	f = mem_zero(1, sizeof(*f));
	f->metrics = r->table;
	f->unlimited = report_has_backends(r);
	f->check_at = 2 * COMPARED;
	f->groups = groups_open(r->coming, &(struct group_by){ .provenance = false });
	f->collect =
	    collect_open(f->groups, COLLECT_IDENTITY | COLLECT_SAMPLES | COLLECT_COMPACT);
	f->floors = noise_floor_open(r->coming);
	return f;
}

/* Frees the values. */
static void drop_values(struct fastest *f)
{
	collect_close(f->collect);
	noise_floor_close(f->floors);
	f->collect = NULL;
	f->floors = NULL;
}

/* Frees the values as soon as there are too many subjects to compare. Groups are counted
 * when their number has doubled. The table of backends compares models of any number. */
static void limit_values(struct fastest *f)
{
	const size_t groups = groups_count(f->groups);

	if (f->unlimited || groups < f->check_at)
		return;
	f->check_at = 2 * groups;
	if (brief_subjects_count(f->groups, f->metrics) > COMPARED)
		drop_values(f);
}

void report_fastest_row(struct fastest *f, const struct row *row)
{
	size_t group;

	if (!f || row_is_end_mark(row) || inventory_row_kind(row) != ROW_PLAIN)
		return;
	group = groups_find(f->groups, row);
	if (!f->collect)
		return;
	collect_into(f->collect, group, row);
	noise_floor_row(f->floors, row, group, false);
	limit_values(f);
}

/* Returns whether subjects with other values of a column did other work. */
static bool is_work(const struct report *r, const struct contest *c, size_t subject,
    const struct inventory_factor *f)
{
	static const char *const resources[] = { "threads", "workers" };
	const char *name = r->schema->name[f->column];

	for (size_t i = 0; i < COUNT(resources); i++)
		if (strcmp(name, resources[i]) == 0)
			return false;
	return (f->numeric || (strcmp(name, "dtype") == 0 && c->types_shared)) &&
	       contest_is_work(c, subject);
}

/* Finds the columns that are the same in each comparison with a subject: that of a sweep,
 * and all sizes of a kernel or model. */
static void find_held(const struct report *r, struct contest *c, size_t subject)
{
	size_t head = c->all->item[subject].head;
	const struct inventory_metric *m = inventory_metric_of(&r->inventory,
	    groups_cell(c->from->groups, head, COL_METRIC),
	    contest_is_kind(c, subject, "model"));
	const struct inventory_factor *along = m ? inventory_along(r->schema, m) : NULL;

	memset(c->held, 0, c->columns * sizeof(*c->held));
	for (size_t i = 0; m && i < m->factors; i++)
		c->held[m->factor[i].column] =
		    &m->factor[i] == along || is_work(r, c, subject, &m->factor[i]);
}

/* Returns whether two columns divide the rivals in the same way. */
static bool is_same_division(const struct contest *c, size_t x, size_t y)
{
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < i; k++)
			if (text_equal(contest_cell(c, c->subject[i], x),
			        contest_cell(c, c->subject[k], x)) !=
			    text_equal(contest_cell(c, c->subject[i], y),
			        contest_cell(c, c->subject[k], y)))
				return false;
	return true;
}

static bool varies(const struct contest *c, size_t column)
{
	for (size_t i = 1; i < c->count; i++)
		if (!text_equal(contest_cell(c, c->subject[0], column),
		        contest_cell(c, c->subject[i], column)))
			return true;
	return false;
}

/* Returns whether a column is in the names of rivals. Of columns that divide them in the
 * same way only the first is; but the data type always is. */
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

/* Returns the name of a subject as markup; allocated. */
static char *name_of(const struct contest *c, size_t subject)
{
	struct buf b = { 0 };

	if (!contest_is_work(c, subject)) {
		markup_name(&b, text_of(c->all->item[subject].name));
		return b.ptr;
	}
	markup_name(&b, contest_cell(c, subject, COL_BENCH));
	for (size_t i = COL_FACTORS; i < c->columns; i++)
		if (is_in_names(c, i)) {
			buf_byte(&b, ' ');
			markup_text(&b, text_of(groups_schema(c->from->groups)->name[i]));
			buf_byte(&b, '=');
			markup_name(&b, contest_cell(c, subject, i));
		}
	return b.ptr;
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

/* Appends a finding. Its words are no markup, and its names already are. */
static void put_finding(struct buf *b, const struct contest *c, size_t place, bool listed)
{
	(listed ? ranking_put_short : ranking_put)(
	    b, &c->ranking, place, (const char *const *)c->name);
}

/* Appends the values of the columns that are the same in a comparison but not in all. */
static void put_held(struct buf *b, const struct contest *c)
{
	const char *before = "";

	for (size_t i = 0; i < c->columns; i++) {
		struct text cell = contest_cell(c, c->subject[0], i);

		if (!c->held[i] || !cell.len || groups_constant(c->from->groups, i))
			continue;
		buf_str(b, before);
		markup_text(b, text_of(groups_schema(c->from->groups)->name[i]));
		buf_byte(b, '=');
		markup_name(b, cell);
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
	if (r->item[0].rank != RANK_BEST) {
		buf_str(b, "No subject can be compared</strong>: none has enough values.");
		shown = 0;
	} else if (listed) {
		buf_str(b, c->name[r->item[0].subject]);
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

/* Returns whether no backend supports a kernel or model; the table of backends has it. */
static bool is_hopeless(const struct report *r, const struct contest *c)
{
	if (!report_has_backends(r) || !contest_is_work(c, c->subject[0]))
		return false;
	for (size_t i = 0; i < c->count; i++)
		if (contest_is_measured(c, c->subject[i]))
			return false;
	return true;
}

void report_fastest_finish(struct fastest *f)
{
	if (!f)
		return;
	f->subjects = brief_subjects_count(f->groups, f->metrics);
	if (f->subjects > COMPARED && !f->unlimited) {
		drop_values(f);
		groups_close(f->groups);
		f->groups = NULL;
		return;
	}
	collect_finish(f->collect);
	noise_floor_finish(f->floors, true);
}

void report_fastest_put(struct buf *b, const struct report *r, struct fastest *f)
{
	struct brief_subjects all;
	struct contest c;
	size_t sets = 0;

	if (!f)
		return;
	if (f->subjects > COMPARED) {
		buf_printf(b,
		    "<p>%zu subjects are too many to compare on a page, which has room "
		    "for %d: select some of them, or run bench-compare -b.</p>\n",
		    f->subjects, COMPARED);
		return;
	}
	brief_subjects_make(&all, f->groups, r->table);
	contest_open(&c, f, &all);
	for (size_t i = 0; i < all.count; i++) {
		find_held(r, &c, i);
		contest_join(&c, i);
	}
	for (size_t i = 0; i < all.count; i++) {
		if (!contest_find(&c, i) || is_hopeless(r, &c) || sets++ >= SETS)
			continue;
		find_held(r, &c, i);
		contest_rank(&c, name_of);
		put_contest(b, &c);
		contest_clear(&c);
	}
	if (sets > SETS) {
		buf_printf(b,
		    "<p class=\"faint\">%zu more set%s of subjects can be "
		    "compared%s.</p>\n",
		    sets - SETS, plural_s(sets - SETS),
		    report_has_backends(r) ? ": see <a href=\"#backends\">Backends</a>"
		                           : "");
	}
	contest_close(&c);
	brief_subjects_free(&all);
}

void report_fastest_close(struct fastest *f)
{
	if (!f)
		return;
	drop_values(f);
	groups_close(f->groups);
	free(f);
}
