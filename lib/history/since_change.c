/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See since_change.h. The old side has a value for each point, the new side a value for
 * each run of the newest point. In a series that drifts, the old values are moved along the
 * line to the newest point.
 */
#include <stdlib.h>

#include "compare/two_sample_table.h"
#include "history/absent_values.h"
#include "history/history_notes.h"
#include "history/history_table.h"
#include "history/newest_test.h"
#include "history/since_change.h"
#include "text/display_text.h"

/* How far a time is in the future if a clock was wrong, as after a reset: two years. */
#define CLOCK_WRONG_NS INT64_C(63072000000000000)

/* The columns after the two-sample columns. */
enum field { SINCE = TWO_SAMPLE_COLUMNS, COMMIT, PRIMARY, FIELDS };

static const struct render_column fields[FIELDS] = {
	TWO_SAMPLE_COLUMN_NAMES,
	[SINCE] = { .name = "since", .rank = 3 },
	[COMMIT] = { .name = "commit", .rank = 3 },
	[PRIMARY] = { .name = "primary", .plain_only = true },
};

static void measure(
    const struct history *h, struct since_change *row, const struct two_sample_opts *opts)
{
	const struct history_series *s = row->series;
	const struct history_point *points = history_points(h), *newest;
	size_t last = s->first + s->count - 1, n = last - row->from;
	double *old = mem_zero(n, sizeof(*old));

	newest = &points[last];
	for (size_t i = 0; i < n; i++) {
		old[i] = points[row->from + i].value;
		if (s->drifts)
			old[i] += s->drift.slope * (double)(n - i);
	}
	const struct newest_values values = { .old = old,
		.olds = n,
		.new = history_runs(h, newest),
		.news = newest->runs,
		.drifted = s->drifts ? s->count - 1 : 0 };

	newest_test_measure(&values, opts->inference.confidence, &row->result);
	row->constant = true;
	for (size_t i = 0; i < n; i++)
		row->constant &= old[i] == old[0];
	for (size_t i = 0; i < newest->runs; i++)
		row->constant &= history_runs(h, newest)[i] == old[0];
	free(old);
}

/* Corrects the p of the series that decide, or of the others, for their number. */
static void adjust_sort(
    struct since_change *list, size_t count, bool deciding, enum adjust adjust)
{
	double *p = mem_zero(count + 1, sizeof(*p));
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].series->decides == deciding)
			p[n++] = list[i].result.p;
	adjust_p(adjust, p, n);
	for (size_t i = n = 0; i < count; i++)
		if (list[i].series->decides == deciding)
			list[i].result.p_adj = p[n++];
	free(p);
}

struct since_change *since_change_all(const struct history *h,
    const struct inference_opts *inference, enum adjust adjust, size_t *count)
{
	struct two_sample_opts opts = { .inference = *inference };
	size_t all, n = 0;
	const struct history_series *s = history_list(h, &all);
	struct since_change *list = mem_zero(all + 1, sizeof(*list));

	for (size_t i = 0; i < all; i++) {
		const struct history_point *newest =
		    history_points(h) + s[i].first + s[i].count - 1;

		if (s[i].count < 2 || !history_in_range(h, newest))
			continue;
		list[n].series = &s[i];
		list[n].from =
		    s[i].first + (s[i].changes ? s[i].change[s[i].changes - 1].at : 0);
		measure(h, &list[n], &opts);
		n++;
	}
	adjust_sort(list, n, true, adjust);
	adjust_sort(list, n, false, adjust);
	for (size_t i = 0; i < n; i++) {
		opts.better = list[i].series->better;
		opts.threshold = list[i].series->threshold;
		newest_test_judge(&list[i].result, &opts);
	}
	*count = n;
	return list;
}

static void fill(struct cell cell[FIELDS], const struct history *h,
    const struct since_change *row, const char *unit, struct buf *change)
{
	const struct history_point *points = history_points(h);

	two_sample_cells(&row->result, unit, change, cell);
	cell[SINCE] = CELL_OF_TEXT(history_point_name(&points[row->from]));
	cell[COMMIT] = CELL_OF_TEXT(
	    history_point_name(&points[row->series->first + row->series->count - 1]));
	cell[PRIMARY] = CELL_OF_TEXT(row->series->decides ? TEXT("yes") : TEXT(""));
}

/* Returns the newest point in the requested range, even if the series has no other; NULL if
 * there is none. */
static const struct history_point *newest_of(const struct history *h)
{
	const struct history_point *newest = NULL;
	size_t all;
	const struct history_series *s = history_list(h, &all);

	for (size_t i = 0; i < all; i++)
		if (s[i].count && history_in_range(h, history_last(h, &s[i])) &&
		    (!newest || history_precedes(newest, history_last(h, &s[i]))))
			newest = history_last(h, &s[i]);
	return newest;
}

void since_change_note_ended(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines)
{
	const struct history_point *newest = newest_of(h);
	const struct history_series *first = NULL;
	size_t ended = 0;

	for (size_t i = 0; i < count; i++)
		if (history_precedes(history_last(h, list[i].series), newest) &&
		    ended++ == 0)
			first = list[i].series;
	if (!first)
		return;
	buf_printf(lines, "%zu of %zu series %s before the newest commit, '", ended, count,
	    ended == 1 ? "ends" : "end");
	display_text_clean(lines, newest->commit);
	buf_str(lines, "' (");
	history_put_series(lines, h, first);
	buf_str(lines, "); use --since to leave them out\n");
}

void since_change_note_drifts(const struct history *h, const struct since_change *list,
    size_t count, bool only_worse, struct buf *lines)
{
	const struct history_series *first = NULL;
	size_t drifting = 0;

	for (size_t i = 0; i < count; i++) {
		const struct history_series *s = list[i].series;

		if (!s->decides || !s->drifts ||
		    (only_worse && !history_worse(s, &s->whole)))
			continue;
		if (drifting++ == 0)
			first = s;
	}
	if (!first)
		return;
	buf_printf(lines, "%zu of %zu series %s (", drifting, count,
	    drifting == 1 ? "drifts" : "drift");
	history_put_series(lines, h, first);
	buf_str(lines,
	    "): the newest value is compared with what the drift predicts; --history "
	    "reports the drift\n");
}

/* Returns whether the clock was wrong when a point was measured, so that it is the newest
 * one until its time is reached. The clock of this machine may be somewhat slow. */
static bool is_in_future(const struct history_point *p, int64_t now_ns)
{
	return p && p->rank == SIZE_MAX && p->has_time &&
	       p->time_ns - now_ns > CLOCK_WRONG_NS;
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
		if (p[i].rank != SIZE_MAX || !p[i].has_time)
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

/* Notes a point whose clock was reset, so that its value is treated as old. Returns whether
 * there is one in the series that decide. */
static bool note_reset(const struct history *h, struct buf *lines)
{
	size_t all;
	const struct history_series *s = history_list(h, &all);
	const struct history_point *reset = NULL;

	for (size_t i = 0; i < all && !reset; i++)
		reset = s[i].decides ? find_reset(h, &s[i]) : NULL;
	if (!reset)
		return false;
	buf_str(lines, "cannot decide: a value of ");
	display_text_clean(lines, reset->time);
	buf_str(lines, " follows values of at least two years later, so its clock was "
	               "probably wrong (leave it out with --filter, sort the input by time, "
	               "or use --order or --allow-missing)\n");
	return true;
}

/*
 * Notes a point that is the last one in the input, but not by its time, as if a clock was
 * set back. Files may be in any order, so this is an error only if unsure rows are. Returns
 * whether there is one in the series that decide.
 */
static bool note_earlier(
    const struct history *h, const struct gate_opts *gate, struct buf *lines)
{
	size_t all;
	const struct history_series *s = history_list(h, &all);
	const struct history_point *last = NULL, *newest = NULL;

	for (size_t i = 0; i < all && last == newest; i++) {
		if (!s[i].decides || !s[i].count)
			continue;
		last = newest = history_last(h, &s[i]);
		for (const struct history_point *p = newest - (s[i].count - 1); p < newest; p++)
			if (p->rank == SIZE_MAX && p->has_time && newest->has_time &&
			    p->input > last->input)
				last = p;
	}
	if (last == newest)
		return false;
	if (gate->unsure == UNSURE_PASS)
		return true;
	if (gate->unsure == UNSURE_FAIL)
		buf_str(lines, "cannot decide: ");
	buf_str(lines, "the last values of the input are of ");
	display_text_clean(lines, last->time);
	buf_str(lines, ", but others of ");
	display_text_clean(lines, newest->time);
	buf_str(lines, " are treated as the newest (use --order if a clock was wrong)\n");
	return true;
}

/* Returns whether a series leaves the decision open. Success rates fail only if worse. */
static bool is_unsure(const struct history *h, const struct since_change *row)
{
	return row->series->decides && row->series->better != BETTER_NEITHER &&
	       row->result.verdict == VERDICT_UNSURE &&
	       !text_is(
	           groups_cell(history_groups(h), row->series->group, COL_METRIC), "ok");
}

/* Notes the series that are unsure. Returns their number. */
static size_t note_unsure(const struct history *h, const struct since_change *list,
    size_t count, enum gate_unsure unsure, struct buf *lines)
{
	const struct since_change *first = NULL;
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		if (is_unsure(h, &list[i]) && found++ == 0)
			first = &list[i];
	if (!found || unsure == UNSURE_PASS)
		return found;
	buf_printf(lines, "%zu of %zu series %s unsure (", found, count,
	    found == 1 ? "is" : "are");
	history_put_series(lines, h, first->series);
	buf_str(lines, unsure == UNSURE_FAIL
	                   ? "): measure the newest commit again to decide\n"
	                   : "): the newest value is neither worse nor shown to be the "
	                     "same; use --unsure fail to fail\n");
	return found;
}

int since_change_status(const struct history *h, const struct since_change *list,
    size_t count, int64_t now_ns, const struct gate_opts *gate, struct buf *lines)
{
	const struct history_point *newest = newest_of(h);
	const bool allowed = gate->allow_missing;
	const bool earlier = !allowed && note_earlier(h, gate, lines);
	const size_t unsure = note_unsure(h, list, count, gate->unsure, lines);
	bool any = false, any_old = false;
	size_t failed = history_note_failed(h, allowed, lines);
	size_t absent = allowed ? 0 : absent_values_note(h, list, count, lines);
	struct text stale;

	for (size_t i = 0; i < count; i++) {
		if (!list[i].series->decides)
			continue;
		if (list[i].result.verdict == VERDICT_WORSE)
			return STATUS_NO;
		any_old |= list[i].result.n_old > 1;
		any |=
		    list[i].result.n_old > 1 &&
		    (allowed || !history_precedes(history_last(h, list[i].series), newest));
	}
	if (!allowed && history_order_is_stale(h, &stale)) {
		buf_str(lines, "cannot decide: the newest commit, '");
		display_text_clean(lines, stale);
		buf_str(lines, "', is not in the order file (use --allow-missing to accept "
		               "this)\n");
		return STATUS_TROUBLE;
	}
	if (!allowed && note_reset(h, lines))
		return STATUS_TROUBLE;
	if (!allowed && is_in_future(newest, now_ns)) {
		buf_str(lines, "cannot decide: the newest value is of ");
		display_text_clean(lines, newest->time);
		buf_str(lines,
		    ", which is in the future, so later values are treated as older "
		    "(leave it out with --filter, or use --order or "
		    "--allow-missing)\n");
		return STATUS_TROUBLE;
	}
	if (earlier && gate->unsure == UNSURE_FAIL)
		return STATUS_TROUBLE;
	if (unsure && gate->unsure == UNSURE_FAIL)
		return STATUS_NO;
	if (any)
		return (failed || absent) && !allowed ? STATUS_TROUBLE : STATUS_FINE;
	buf_str(lines, "nothing could be compared: ");
	if (any_old) {
		buf_str(lines, "no series has both the newest commit, '");
		display_text_clean(lines, newest->commit);
		buf_str(lines,
		    "', and two older values (use --allow-missing to accept this)\n");
	} else {
		buf_str(lines, "at least two values of successful runs before the newest "
		               "are needed\n");
	}
	return STATUS_TROUBLE;
}

void since_change_note_others(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines)
{
	static const enum verdict noted[] = { VERDICT_WORSE, VERDICT_DIFFERS,
		VERDICT_BETTER };
	struct other_changes o = { .lines = lines };

	for (size_t v = 0; v < COUNT(noted); v++)
		for (size_t i = 0; i < count; i++)
			if (!list[i].series->decides &&
			    list[i].result.verdict == noted[v] &&
			    other_changes_next(&o, verdict_names[noted[v]]))
				history_put_other(&o, h, list[i].series);
	other_changes_end(&o);
}

int since_change_print(const struct history *h, const struct since_change *list,
    size_t count, const struct output *out)
{
	const struct groups *groups = history_groups(h);
	size_t *id, keys = history_columns(h, &id);
	struct render *render = history_render(h, fields, FIELDS, out);
	struct cell *cell = mem_zero(keys + FIELDS, sizeof(*cell));
	struct buf change = { 0 };

	for (size_t i = 0; i < count; i++) {
		if ((!list[i].series->decides || list[i].constant) && !render_all_rows(out))
			continue;
		struct text text = groups_cell(groups, list[i].series->group, COL_UNIT);
		char *unit = mem_text(text.ptr, text.len);

		for (size_t k = 0; k < keys; k++)
			cell[k] =
			    CELL_OF_TEXT(groups_cell(groups, list[i].series->group, id[k]));
		fill(cell + keys, h, &list[i], unit, &change);
		render_row(render, cell);
		free(unit);
	}
	buf_free(&change);
	free(cell);
	free(id);
	return render_close(render);
}
