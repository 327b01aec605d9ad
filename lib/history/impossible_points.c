/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds values that cannot have been measured; see impossible_points.h. */
#include "compare/compare_notes.h"
#include "history/history_notes.h"
#include "history/impossible_points.h"
#include "text/display_text.h"
#include "text/plural.h"

enum { IMPOSSIBLE_SHOWN = 20 };

/* A value of a run, and its point; NULL if there is none. */
struct impossible {
	const double *value;
	const struct history_point *at;
};

/* Finds the last impossible value of a point, or of those after it in its series. */
static struct impossible find_since(const struct history *h, const struct history_series *s,
    const struct history_point *from)
{
	struct impossible found = { NULL, NULL };

	if (!s->decides || !s->is_positive || !s->count || s->better == BETTER_NEITHER)
		return found;
	for (const struct history_point *p = from; p <= history_last(h, s); p++)
		for (size_t i = 0; i < p->runs; i++)
			if (history_runs(h, p)[i] <= 0)
				found = (struct impossible){ &history_runs(h, p)[i], p };
	return found;
}

static struct impossible find_in_range(
    const struct history *h, const struct history_series *s)
{
	const struct history_point *from = history_points(h) + s->first;
	size_t left = s->count;

	for (; left && !history_in_range(h, from); from++)
		left--;
	return find_since(h, s, from);
}

static struct impossible find_in_row(
    const struct history *h, const struct since_change *row)
{
	return find_since(h, row->series, history_points(h) + row->from);
}

bool impossible_in_range(const struct history *h, const struct history_series *s)
{
	return find_in_range(h, s).value;
}

bool impossible_in_row(const struct history *h, const struct since_change *row)
{
	return find_in_row(h, row).value;
}

/* Appends the line of a series, unless many have one. */
static void put_line(struct buf *b, const struct history *h, const struct history_series *s,
    const struct impossible *found, size_t before)
{
	if (before >= IMPOSSIBLE_SHOWN)
		return;
	buf_str(b, "cannot decide: ");
	history_put_series(b, h, s);
	compare_put_impossible(b, *found->value);
	buf_str(b, " in '");
	display_text_clean(b, history_point_name(h, found->at));
	buf_str(b, "' (correct what measures it, or leave it out with --filter)\n");
}

static void put_more(struct buf *b, size_t count)
{
	if (count > IMPOSSIBLE_SHOWN)
		buf_printf(b, "cannot decide: %zu more series %s impossible values\n",
		    count - IMPOSSIBLE_SHOWN,
		    plural(count - IMPOSSIBLE_SHOWN, "has", "have"));
}

size_t impossible_note_range(const struct history *h, struct buf *lines)
{
	size_t all, count = 0;
	const struct history_series *s = history_list(h, &all);

	for (size_t i = 0; i < all; i++) {
		struct impossible found = find_in_range(h, &s[i]);

		if (found.value)
			put_line(lines, h, &s[i], &found, count++);
	}
	put_more(lines, count);
	return count;
}

size_t impossible_note_rows(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines)
{
	size_t noted = 0;

	for (size_t i = 0; i < count; i++) {
		struct impossible found = find_in_row(h, &list[i]);

		if (found.value)
			put_line(lines, h, list[i].series, &found, noted++);
	}
	put_more(lines, noted);
	return noted;
}
