/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits columns into a width; see column_fit.h.
 */
#include <limits.h>
#include <stdlib.h>

#include "text/column_fit.h"

/* The number of characters that strings keep in any case. */
enum { HARD = 8 };
/* How wide strings are when columns are dropped, in fifths: columns up to the rank
 * IMPORTANT are dropped later than others, when strings are tight. */
enum ease { NO_EASE, TIGHT = 3, EASY = 5 };
enum { IMPORTANT = 2 };

struct fitting {
	struct column_fit *column;
	size_t count, limit;
	bool *absent; /* dropped before */
};

/* Returns the width of a column whose strings have at most that many characters, or this
 * part of the width that makes them easy to read. */
static size_t least_width(const struct column_fit *c, size_t most, enum ease ease)
{
	size_t width = c->width, easy = c->easy * ease / EASY, least = c->header;

	if (easy > most)
		most = easy;
	if (c->easy && width > most)
		width = most;
	if (c->easy && !ease && least > most)
		least = most;
	if (least < c->least)
		least = c->least;
	return width > least ? width : least;
}

static bool table_fits(const struct fitting *f, size_t most, enum ease ease)
{
	size_t all = 0;

	for (size_t i = 0; i < f->count; i++)
		if (!f->column[i].dropped)
			all += least_width(&f->column[i], most, ease) +
			       (all ? COLUMN_FIT_GAP : 0);
	return all <= f->limit;
}

/* Returns the largest rank below a limit among columns that are, or are not, dropped; 0 if
 * there is none. */
static unsigned rank_below(const struct fitting *f, unsigned limit)
{
	unsigned rank = 0;

	for (size_t i = 0; i < f->count; i++)
		if (!f->absent[i] && f->column[i].rank < limit && f->column[i].rank > rank)
			rank = f->column[i].rank;
	return rank;
}

static unsigned rank_above(const struct fitting *f, unsigned limit)
{
	unsigned rank = UINT_MAX;

	for (size_t i = 0; i < f->count; i++)
		if (!f->absent[i] && f->column[i].rank > limit && f->column[i].rank < rank)
			rank = f->column[i].rank;
	return rank;
}

/* Drops the columns of a rank, or shows them unless they are empty. */
static void set_rank(const struct fitting *f, unsigned rank, bool dropped)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->column[i].rank == rank && !f->absent[i] && !f->column[i].empty)
			f->column[i].dropped = dropped;
}

/* Drops the last column, or the last one that is empty, but one that is kept only after all
 * others. Returns false if there is none, or it is the only one left. */
static bool drop_last(const struct fitting *f, bool empty)
{
	size_t left = 0, last = f->count;

	for (size_t i = 0; i < f->count; i++) {
		const struct column_fit *c = &f->column[i];

		left += !c->dropped;
		if (c->dropped || (empty && !c->empty))
			continue;
		if (last == f->count || !c->kept || f->column[last].kept)
			last = i;
	}
	if (left < 2 || last == f->count)
		return false;
	f->column[last].dropped = true;
	return true;
}

/* Shows the first column if all have been dropped. */
static void keep_one(const struct fitting *f)
{
	size_t first = f->count;

	for (size_t i = f->count; i-- > 0;) {
		if (!f->column[i].dropped)
			return;
		first = f->absent[i] ? first : i;
	}
	if (first < f->count)
		f->column[first].dropped = false;
}

static bool fits_with(const struct fitting *f, unsigned rank)
{
	return table_fits(f, HARD, rank > IMPORTANT ? EASY : TIGHT);
}

/* Drops columns that the table can do without, and shows those again for which there is
 * room, because wider ones were dropped after them. */
static void drop_ranks(const struct fitting *f)
{
	unsigned rank = UINT_MAX;

	while (!fits_with(f, rank) && drop_last(f, true))
		;
	while ((rank = rank_below(f, rank)) && !fits_with(f, rank))
		set_rank(f, rank, true);
	while ((rank = rank_above(f, rank)) < UINT_MAX) {
		set_rank(f, rank, false);
		if (!fits_with(f, rank))
			set_rank(f, rank, true);
	}
}

void column_fit(struct column_fit *column, size_t count, size_t limit)
{
	struct fitting f = { column, count, limit, mem_zero(count + 1, sizeof(bool)) };
	size_t most = limit;

	for (size_t i = 0; i < count; i++)
		f.absent[i] = column[i].dropped;
	drop_ranks(&f);
	keep_one(&f);
	while (!table_fits(&f, HARD, NO_EASE) && drop_last(&f, false))
		;
	while (most > HARD && !table_fits(&f, most, NO_EASE))
		most--;
	for (size_t i = 0; i < count; i++)
		column[i].width = least_width(&column[i], most, NO_EASE);
	free(f.absent);
}
