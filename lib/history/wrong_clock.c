/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds points that were measured while a clock was wrong; see wrong_clock.h. */
#include "history/since_change.h"
#include "history/wrong_clock.h"
#include "text/display_text.h"

/* How far a time is in the future if a clock was wrong, as after a reset: two years. */
#define CLOCK_WRONG_NS INT64_C(63072000000000000)

/* Returns whether the clock was wrong when a point was measured, so that it is the newest
 * one until its time is reached. The clock of this machine may be somewhat slow. */
static bool is_in_future(const struct history_point *p, int64_t now_ns)
{
	return p && p->rank == HISTORY_UNRANKED && p->has_time &&
	       p->time_ns - now_ns > CLOCK_WRONG_NS;
}

bool wrong_clock_note_future(const struct history *h, int64_t now_ns, struct buf *lines)
{
	const struct history_point *newest = since_change_newest(h);

	if (!is_in_future(newest, now_ns))
		return false;
	buf_str(lines, "cannot decide: the newest value is of ");
	display_text_clean(lines, history_text(h, newest->time));
	buf_str(lines, ", which is in the future, so later values are treated as older "
	               "(leave it out with --filter, or use --order or "
	               "--allow-missing)\n");
	return true;
}

/*
 * Finds a point whose clock was reset: it is earlier in time than another point of its
 * series by a gap without points as long as CLOCK_WRONG_NS, but later in the input. Returns
 * NULL if there is none.
 */
static const struct history_point *find_reset(
    const struct history *h, const struct history_series *s)
{
	const struct history_point *p = history_points(h) + s->first, *latest = NULL;
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < s->count; i++)
		if (p[i].rank != HISTORY_UNRANKED || !p[i].has_time)
			return NULL;
	for (size_t i = s->count; i-- > 1;) {
		least = p[i].input < least ? p[i].input : least;
		if (p[i].time_ns - p[i - 1].time_ns <= CLOCK_WRONG_NS)
			continue;
		for (latest = p; p < &history_points(h)[s->first + i]; p++)
			latest = p->input > latest->input ? p : latest;
		return latest->input > least ? latest : NULL;
	}
	return NULL;
}

bool wrong_clock_note_reset(const struct history *h, struct buf *lines)
{
	size_t all;
	const struct history_series *s = history_list(h, &all);
	const struct history_point *reset = NULL;

	for (size_t i = 0; i < all && !reset; i++)
		reset = s[i].decides ? find_reset(h, &s[i]) : NULL;
	if (!reset)
		return false;
	buf_str(lines, "cannot decide: a value of ");
	display_text_clean(lines, history_text(h, reset->time));
	buf_str(lines,
	    " follows values of at least two years later, so its clock was "
	    "probably wrong (leave it out with --filter, sort the input by time, "
	    "or use --order or --allow-missing)\n");
	return true;
}

bool wrong_clock_note_earlier(
    const struct history *h, const struct gate_opts *gate, struct buf *lines)
{
	size_t all;
	const struct history_series *s = history_list(h, &all);
	const struct history_point *last = NULL, *newest = NULL;

	for (size_t i = 0; i < all && last == newest; i++) {
		if (!s[i].decides || !s[i].count)
			continue;
		last = newest = history_last(h, &s[i]);
		for (const struct history_point *p = newest - (s[i].count - 1); p < newest;
		    p++)
			if (p->rank == HISTORY_UNRANKED && p->has_time &&
			    newest->has_time && p->input > last->input)
				last = p;
	}
	if (last == newest)
		return false;
	if (gate->unsure == UNSURE_PASS)
		return true;
	if (gate->unsure == UNSURE_FAIL)
		buf_str(lines, "cannot decide: ");
	buf_str(lines, "the last values of the input are of ");
	display_text_clean(lines, history_text(h, last->time));
	buf_str(lines, ", but others of ");
	display_text_clean(lines, history_text(h, newest->time));
	buf_str(lines, " are treated as the newest (use --order if a clock was wrong)\n");
	return true;
}
