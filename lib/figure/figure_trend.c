/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a figure of a history: the medians of commits or runs over time, the changes of
 * their level (history.h), and marks that the user named.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_trend.h"
#include "figure/group_labels.h"
#include "figure/points.h"
#include "figure/trend_times.h"
#include "history/history.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/stamp.h"

enum { LEAST = 4, COMMIT_WIDTH = 9, COMMIT_WIDTH_MOST = 16 };

struct trend {
	const struct figure_kind *kind;
	const struct figure_opts *opts;
	char *columns; /* text of -g; name points into it */
	const char **name;
	size_t names, cap;
	struct history *history;
};

static void *trend_open(const struct figure_kind *kind, const struct schema *schema,
    const struct figure_opts *opts)
{
	struct trend *t = mem_zero(1, sizeof(*t));
	struct history_opts how = { .order = opts->order,
		.inference = opts->inference,
		.threshold = 0.02,
		.least = LEAST,
		.tests = opts->tests };
	char *rest;

	t->kind = kind;
	t->opts = opts;
	rest = t->columns = str_copy(opts->group ? opts->group : "");
	for (char *name; (name = strsep(&rest, ","));)
		if (*name)
			*VEC_ADD(t->name, t->names, t->cap) = name;
	how.names = t->names ? t->name : NULL;
	how.count = t->names;
	t->history = history_open(schema, &how);
	return t;
}

static int trend_row(void *ctx, const struct row *row, struct fault *f)
{
	(void)f;
	return history_row(((struct trend *)ctx)->history, row);
}

static void trend_close(void *ctx)
{
	struct trend *t = ctx;

	history_close(t->history);
	free(t->columns);
	free(t->name);
	free(t);
}

/* The series of one metric and their x. */
struct drawing {
	const struct trend *trend;
	const struct history_series **series;
	size_t count, cap;
	size_t points; /* of the history, up to the last one of these series */
	bool by_commit;
	double squeezed_years; /* see struct trend_times */
	bool
	    by_last; /* commits are in the order of their last times: the first are wrong */
	struct trend_figure *own; /* whose common part is fig */
	struct figure *fig;
	double *x; /* by point of the history, and then by failure */
	size_t mark_cap, change_cap, level_cap, flag_cap;
};

static struct text series_cell(const struct drawing *d, size_t series, size_t column)
{
	return groups_cell(
	    history_groups(d->trend->history), d->series[series]->group, column);
}

static void pick(struct drawing *d, struct text metric)
{
	size_t count;
	const struct history_series *list = history_list(d->trend->history, &count);

	for (size_t i = 0; i < count; i++)
		if (text_equal(groups_cell(history_groups(d->trend->history), list[i].group,
		                   COL_METRIC),
		        metric)) {
			*VEC_ADD(d->series, d->count, d->cap) = &list[i];
			if (list[i].first + list[i].count > d->points)
				d->points = list[i].first + list[i].count;
		}
}

/* Chooses wall, unless the options choose metrics, or else the only metric. Returns 0, or
 * -1 and the message. */
static int choose_series(struct drawing *d, struct fault *f)
{
	size_t count;
	const struct history_series *list = history_list(d->trend->history, &count);
	const struct groups *groups = history_groups(d->trend->history);

	if (!d->trend->opts->filter)
		pick(d, TEXT("wall"));
	if (!d->count && count && groups_constant(groups, COL_METRIC))
		pick(d, groups_cell(groups, list[0].group, COL_METRIC));
	if (!count)
		return fault_set(f, "no values to draw");
	if (!d->count)
		return fault_set(f, "several metrics: choose one with -y");
	if (d->count > FIGURE_SERIES_MAX)
		return fault_set(f,
		    "%zu series are too many for a plot: select some with --filter or -y, "
		    "or join them with -g",
		    d->count);
	for (size_t i = 1; i < d->count; i++)
		if (!text_equal(series_cell(d, i, COL_UNIT), series_cell(d, 0, COL_UNIT)))
			return fault_set(f, "the metric has two units, and one axis cannot "
			                    "show both");
	return 0;
}

/* Names the series by the columns that differ, and lists the columns that are the same. */
static void name_series(struct drawing *d)
{
	struct figure *fig = d->fig;
	struct group_labels naming = { .groups = history_groups(d->trend->history),
		.utf8 = d->trend->opts->utf8 };

	fig->series_count = d->count;
	fig->series = mem_zero(d->count, sizeof(*fig->series));
	for (size_t s = 0; s < d->count; s++)
		*VEC_ADD(naming.group, naming.count, naming.cap) = d->series[s]->group;
	for (size_t s = 0; s < d->count; s++)
		fig->series[s] = group_labels_text(&naming, s, NULL, true);
	group_labels_held(&naming, fig);
	free(naming.group);
}

/* Returns whether a string is a hash of a commit, possibly followed by "-dirty". */
static bool is_hash(struct text commit)
{
	size_t digits = 0;

	while (digits < commit.len && isxdigit((unsigned char)commit.ptr[digits]))
		digits++;
	return digits > COMMIT_WIDTH && (digits == commit.len || commit.ptr[digits] == '-');
}

/* Returns a commit for a tic: the first characters of a hash, or another name as a whole.
 */
static char *short_commit(const struct drawing *d, struct text commit)
{
	struct buf b = { 0 };

	if (is_hash(commit))
		commit.len = COMMIT_WIDTH;
	display_text_label(&b, commit, d->trend->opts->utf8);
	return b.ptr ? b.ptr : str_copy("none");
}

struct placed_point {
	const struct history_point *p;
	size_t at; /* where its x is written */
};

/* Orders points by the ranks of their commits, if there is an order, and then by time. */
static int by_place(const void *a, const void *b)
{
	const struct history_point *p = ((const struct placed_point *)a)->p,
	                           *q = ((const struct placed_point *)b)->p;

	if (p->rank != q->rank)
		return p->rank < q->rank ? -1 : 1;
	if (p->time_ns != q->time_ns)
		return p->time_ns < q->time_ns ? -1 : 1;
	return (p->input > q->input) - (p->input < q->input);
}

/* Returns the series that a failure interrupts, or SIZE_MAX. */
static size_t interrupted(const struct drawing *d, const struct history_point *failure)
{
	if (d->trend->opts->order && failure->rank == HISTORY_UNRANKED)
		return SIZE_MAX;
	for (size_t s = 0; s < d->count && (d->by_commit || failure->has_time); s++)
		if (history_lacks(d->trend->history, d->series[s], failure))
			return s;
	return SIZE_MAX;
}

/* Returns the x of every point of the history, and then of every failure: seconds, or the
 * index of its commit. */
static double *places(struct drawing *d)
{
	size_t failures;
	const struct history_point *point = history_points(d->trend->history),
	                           *failure =
	                               history_failures(d->trend->history, &failures);
	double *x = mem_zero(d->points + failures, sizeof(*x));
	struct placed_point *order = mem_zero(d->points + failures, sizeof(*order));
	struct intern commits = { 0 };
	struct figure *fig = d->fig;
	size_t n = 0;

	for (size_t s = 0; s < d->count; s++)
		for (size_t i = 0; i < d->series[s]->count; i++)
			order[n++] = (struct placed_point){ &point[d->series[s]->first + i],
				d->series[s]->first + i };
	for (size_t i = 0; i < failures; i++)
		if (interrupted(d, &failure[i]) != SIZE_MAX)
			order[n++] = (struct placed_point){ &failure[i], d->points + i };
	qsort(order, n, sizeof(*order), by_place);
	for (size_t k = 0; k < n; k++) {
		const size_t i = d->by_last ? n - 1 - k : k;
		size_t at = order[i].at, before = commits.count, number;
		struct text commit = history_text(d->trend->history, order[i].p->commit);

		x[at] = (double)order[i].p->time_ns / 1e9;
		if (!d->by_commit)
			continue;
		number = intern_add(&commits, commit);
		x[at] = (double)number;
		if (number == before)
			*VEC_ADD(fig->x_text.text, fig->x_text.count, fig->x_text.cap) =
			    short_commit(d, commit);
	}
	for (size_t i = 0; i < n && d->by_last; i++)
		x[order[i].at] = (double)commits.count - 1 - x[order[i].at];
	for (size_t i = 0, k = commits.count; d->by_last && i + 1 < k; i++) {
		char *text = fig->x_text.text[--k];

		fig->x_text.text[k] = fig->x_text.text[i];
		fig->x_text.text[i] = text;
	}
	display_text_fit(
	    fig->x_text.text, fig->x_text.count, COMMIT_WIDTH_MOST, d->trend->opts->utf8);
	intern_free(&commits);
	free(order);
	return x;
}

static void add_mark(
    struct drawing *d, size_t series, const struct history_point *p, double x)
{
	struct mark *mark = VEC_ADD(d->fig->mark, d->fig->marks, d->mark_cap);
	const double *run = history_runs(d->trend->history, p);

	*mark = (struct mark){ .series = series, .x = x, .n = p->runs };
	mark->value = mem_zero(p->runs ? p->runs : 1, sizeof(*mark->value));
	memcpy(mark->value, run, p->runs * sizeof(*run));
	stats_summarize(
	    mark->value, mark->n, d->trend->opts->inference.confidence, &mark->s);
	mark->s.median = p->value;
	if (p->above)
		mark_bound(mark, p->value);
}

/* Adds the marks of the points of a series that a plot needs. */
static void add_marks(struct drawing *d, size_t series)
{
	const struct history_series *s = d->series[series];
	const double *x = d->x;
	const struct history_point *point = history_points(d->trend->history);
	struct point *thin = mem_zero(s->count, sizeof(*thin));
	size_t kept, k = 0;

	for (size_t i = 0; i < s->count; i++)
		thin[i] = (struct point){ x[s->first + i], point[s->first + i].value };
	kept = points_decimate(
	    thin, s->count, FIGURE_COLUMNS / (d->count < 4 ? 1 : d->count / 2), false);
	d->fig->thinned = d->fig->thinned || kept < s->count;
	for (size_t i = 0; i < s->count && k < kept; i++)
		if (x[s->first + i] == thin[k].x &&
		    point[s->first + i].value == thin[k].value) {
			add_mark(d, series, &point[s->first + i], x[s->first + i]);
			k++;
		}
	free(thin);
}

/* Adds marks without values at the commits whose samples all failed; failure_x has their
 * places. */
static void add_gaps(struct drawing *d, const double *failure_x)
{
	size_t failures, marks = d->fig->marks;
	const struct history_point *failure =
	    history_failures(d->trend->history, &failures);

	for (size_t i = 0; i < failures; i++) {
		size_t series = interrupted(d, &failure[i]);

		if (series != SIZE_MAX)
			figure_add_gap(d->fig, series, failure_x[i], &d->mark_cap);
	}
	if (d->fig->marks > marks)
		figure_say(d->fig, "%s on the axis: all samples failed",
		    d->trend->opts->utf8 ? "×" : "x");
}

/* Adds the level of points `from` to `to` before a change, or after the last change; in a
 * drift, it slopes. */
static void add_level(
    struct drawing *d, size_t series, size_t from, size_t to, size_t change)
{
	const struct history_series *s = d->series[series];
	struct trend_level *level = VEC_ADD(d->own->level, d->own->levels, d->level_cap);

	*level =
	    (struct trend_level){ .series = series, .from = d->x[from], .to = d->x[to] };
	level->value = change ? s->change[change - 1].after : s->drift.first;
	level->to_value = change < s->changes ? s->change[change].before : s->drift.last;
	if (!s->drifts)
		level->value = level->to_value =
		    change < s->changes ? level->to_value : level->value;
}

/* Adds the changes of a series, and the levels between them. */
static void add_changes(struct drawing *d, size_t series)
{
	const struct history_series *s = d->series[series];
	struct trend_figure *own = d->own;
	size_t from = s->first;

	for (size_t i = 0; i < s->changes; i++) {
		const struct change *c = &s->change[i];
		struct trend_change *out =
		    VEC_ADD(own->change, own->changes, d->change_cap);

		*out = (struct trend_change){ .series = series,
			.x = d->x[s->first + c->at],
			.before = c->before,
			.after = c->after,
			.worse = history_worse(s, c),
			.better = s->better != BETTER_NEITHER && !history_worse(s, c) };
		add_level(d, series, from, s->first + c->at, i);
		from = s->first + c->at;
	}
	own->drifts += s->drifts;
	if (s->changes || s->drifts)
		add_level(d, series, from, s->first + s->count - 1, s->changes);
}

/* Adds the flag "name=COMMIT" or "name=TIME". Returns 0, or -1 and the message. */
static int add_flag(struct drawing *d, const char *spec, struct fault *f)
{
	const char *equals = strchr(spec, '=');
	const struct history_point *point = history_points(d->trend->history);
	struct text where = text_of(equals ? equals + 1 : spec);
	struct buf name = { 0 };
	double at = NAN;
	int64_t ns;
	int digits;

	for (size_t s = 0; s < d->count && isnan(at) && where.len; s++)
		for (size_t i = 0; i < d->series[s]->count && isnan(at); i++) {
			const size_t number = d->series[s]->first + i;
			struct text commit =
			    history_text(d->trend->history, point[number].commit);

			if (text_begins(commit, where.ptr))
				at = d->x[number];
		}
	if (isnan(at) && !d->by_commit && stamp_parse(where, &ns, &digits))
		at = (double)ns / 1e9;
	if (isnan(at))
		return fault_set(f, "--mark %s: no commit of the input begins with this%s",
		    spec, d->by_commit ? "" : ", and it is not a time");
	display_text_label(&name,
	    equals ? (struct text){ spec, (size_t)(equals - spec) } : text_of(spec),
	    d->trend->opts->utf8);
	*VEC_ADD(d->own->flag, d->own->flags, d->flag_cap) =
	    (struct trend_flag){ at, buf_detach(&name) };
	d->fig->x_lo = fmin(d->fig->x_lo, at);
	d->fig->x_hi = fmax(d->fig->x_hi, at);
	return 0;
}

static void name_things(struct drawing *d)
{
	const struct figure_opts *opts = d->trend->opts;
	struct figure *fig = d->fig;
	struct text example;
	const size_t unknown = history_unknown(d->trend->history, &example);

	fig->metric = figure_label(series_cell(d, 0, COL_METRIC), opts->utf8);
	fig->unit = figure_label(series_cell(d, 0, COL_UNIT), opts->utf8);
	display_text_fit(&fig->unit, 1, FIGURE_UNIT_WIDTH, opts->utf8);
	figure_set_title(fig, opts,
	    str_format("%s by %s", fig->metric, d->by_commit ? "commit" : "time"));
	fig->x_name = str_copy(d->by_commit ? "commit" : "time (UTC)");
	figure_say(fig, "median of each commit");
	figure_say_thinned(fig);
	if (fig->censored)
		figure_say(fig, "%zu timed out, counted as above the limit", fig->censored);
	figure_say_failed(fig);
	figure_say(
	    fig, "%zu change%s of level", d->own->changes, plural_s(d->own->changes));
	if (unknown)
		figure_say(fig, "%zu value%s left out: not in the order of commits",
		    unknown, plural_s(unknown));
	if (history_in_turns(d->trend->history))
		figure_say(fig, "commits measured in turns (see --order)");
	if (d->squeezed_years > 0)
		figure_say(fig, "evenly spaced, because nothing was measured in %.0f years",
		    d->squeezed_years);
	if (d->own->drifts)
		figure_say(fig, "%zu series drift%s", d->own->drifts,
		    plural(d->own->drifts, "s", ""));
}

/* Chooses commits or times as x: by -x, or times if they can show the order of all points.
 * Returns 0, or -1 and the message. */
static int choose_x(struct drawing *d, struct fault *f)
{
	const struct figure_opts *opts = d->trend->opts;
	struct trend_times times;

	if (opts->x && strcmp(opts->x, "time") != 0 && strcmp(opts->x, "commit") != 0)
		return fault_set(f, "-x %s: the x of a trend is time or commit", opts->x);
	times = trend_times(d->trend->history, d->series, d->count);
	d->squeezed_years = opts->x || opts->order || !times.all ? 0 : times.squeezed_years;
	d->by_last = d->squeezed_years > 0 && times.few_early;
	d->by_commit =
	    opts->x ? strcmp(opts->x, "commit") == 0
	            : opts->order || !times.all || times.shared || d->squeezed_years > 0;
	if (opts->order && !d->by_commit)
		return fault_set(f, "-x time cannot be combined with --order");
	if (!d->by_commit && !times.all)
		return fault_set(f, "-x time: some rows have no time");
	d->fig->x_form = d->by_commit ? X_NAMES : X_TIME;
	return 0;
}

static int draw_trend(struct drawing *d, struct fault *f)
{
	const struct figure_opts *opts = d->trend->opts;
	int status = 0;

	if (choose_series(d, f) < 0 || choose_x(d, f) < 0)
		return -1;
	name_series(d);
	d->x = places(d);
	for (size_t s = 0; s < d->count; s++) {
		add_marks(d, s);
		add_changes(d, s);
		history_count_failed(
		    d->trend->history, d->series[s], &d->fig->censored, &d->fig->failed);
	}
	add_gaps(d, d->x + d->points);
	for (size_t i = 0; i < opts->marks && status == 0; i++)
		status = add_flag(d, opts->mark[i], f);
	free(d->x);
	name_things(d);
	return status;
}

static struct figure *trend_make(void *ctx, struct fault *f)
{
	struct trend *t = ctx;
	struct drawing d = { .trend = t };

	if (history_finish(t->history, t->opts->metrics, f) < 0)
		return NULL;
	history_find(t->history, false);
	d.fig = figure_open(t->kind);
	d.own = (struct trend_figure *)d.fig;
	if (draw_trend(&d, f) < 0) {
		figure_free(d.fig);
		d.fig = NULL;
	}
	free(d.series);
	return d.fig;
}

const struct figure_source figure_trend = {
	.open = trend_open, .row = trend_row, .make = trend_make, .close = trend_close
};
