/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See history.h. The values of one run, commit and group are collected together. At the end
 * they become an entry; the entries of a commit become a point, and the points of a group a
 * series.
 */
#include <math.h>
#include <stdlib.h>

#include "compare/clock_ticks.h"
#include "history/history_priv.h"
#include "record/primary.h"
#include "stats/censored.h"
#include "stats/stats.h"
#include "text/stamp.h"

struct history *history_open(const struct schema *schema, const struct history_opts *opts)
{
	static const char *const host[] = { "host" };
	struct group_by by = { .names = opts->names,
		.count = opts->count,
		.also = host,
		.alsos = COUNT(host) };
	struct history *h = mem_zero(1, sizeof(*h));

	h->opts = *opts;
	h->groups = groups_open(schema, &by);
	h->collect = collect_open(h->groups, 0);
	intern_add(&h->texts, TEXT("")); /* number 0 is no string */
	return h;
}

/*
 * Returns the entry of a row. In a table without runs and commits, such as a user's own
 * list of values, each time is a run.
 */
static size_t entry_of(struct history *h, const struct row *row, size_t group)
{
	struct text run = row->cell[COL_RUN], commit = row->cell[COL_COMMIT];
	struct {
		uint32_t group, run, commit, table;
	} key = { .group = (uint32_t)group };
	size_t number;

	if (!run.len && !commit.len)
		run = row->cell[COL_TIME];
	key.run = (uint32_t)intern_add(&h->texts, run);
	key.commit = (uint32_t)intern_add(&h->texts, commit);
	key.table = run.len ? 0 : (uint32_t)row->table + 1;
	number = intern_add(&h->keys, (struct text){ (const char *)&key, sizeof(key) });
	if (number == h->entries)
		*VEC_ADD(h->entry, h->entries, h->entry_cap) = (struct entry){
			.group = key.group,
			.run = key.run,
			.commit = key.commit,
			.number = (uint32_t)number,
		};
	return number;
}

/* Returns whether a row is a value of its own, as nearly all rows are. */
static bool is_value(const struct row *row)
{
	return row->ok && row->has_value && row->t == ROW_NONE && !row->each &&
	       (row->sample >= 0 || row->sample == ROW_NONE);
}

/* Adds a row to an entry. Its first value is kept in the entry itself, because most entries
 * of a long history have only one. */
static void entry_add(struct history *h, struct entry *e, const struct row *row)
{
	struct row first = *row;

	if (!e->rows && !e->has_value && is_value(row)) {
		e->value = row->value;
		e->has_value = true;
		return;
	}
	if (!e->rows) {
		e->rows = ++h->collected;
		first.ok = first.has_value = true;
		first.each = false;
		first.value = e->value;
		first.process = first.sample = first.t = ROW_NONE;
		if (e->has_value)
			collect_into(h->collect, e->rows - 1, &first);
	}
	collect_into(h->collect, e->rows - 1, row);
}

/* Returns the values of an entry. */
static struct collected entry_values(struct history *h, struct entry *e)
{
	return e->rows ? *collect_group(h->collect, e->rows - 1)
	               : (struct collected){ .value = &e->value,
		                 .count = e->has_value,
		                 .missing = &none_missing };
}

int history_row(struct history *h, const struct row *row)
{
	size_t group = groups_find(h->groups, row), number = entry_of(h, row, group);
	struct text time = row->cell[COL_TIME], env = row->cell[COL_ENV];
	struct entry *e = &h->entry[number];
	int64_t ns;
	int digits;

	if (time.len && stamp_parse(time, &ns, &digits) &&
	    (!e->has_time || ns < e->time_ns)) {
		e->has_time = true;
		e->time_ns = ns;
		e->time = (uint32_t)intern_add(&h->texts, time);
	}
	if (env.len)
		e->env = (uint32_t)intern_add(&h->texts, env);
	entry_add(h, e, row);
	return 0;
}

/* Finds the groups whose values are represented by means: success rates, and times that
 * were counted in clock ticks. Returns an array, allocated. */
static bool *find_means(struct history *h)
{
	size_t count = groups_count(h->groups);
	struct clock_ticks *ticks = mem_zero(count + 1, sizeof(*ticks));
	bool *means = mem_zero(count + 1, sizeof(*means));

	for (size_t g = 0; g < count; g++)
		ticks[g] = CLOCK_TICKS_NONE;
	for (size_t i = 0; i < h->entries; i++) {
		const struct collected c = entry_values(h, &h->entry[i]);

		clock_ticks_add(&ticks[h->entry[i].group], c.value, c.count);
	}
	for (size_t g = 0; g < count; g++) {
		struct text metric = groups_cell(h->groups, g, COL_METRIC);

		means[g] =
		    text_is(metric, "ok") ||
		    (clock_ticks_metric(metric, groups_cell(h->groups, g, COL_UNIT)) &&
		        clock_ticks_counted(&ticks[g]));
	}
	free(ticks);
	return means;
}

/* Sets the value of an entry. A median counts the samples that timed out among the
 * largest, and is a lower bound if it depends on one of them. */
static void value_of(struct history *h, struct entry *e, bool mean)
{
	struct collected c = entry_values(h, e);
	struct bounded median;

	e->timed_out = (uint32_t)c.missing->limits;
	e->failed = (uint32_t)(c.missing->failed - c.missing->limits);
	if (!c.count) {
		e->value = (double)NAN;
		return;
	}
	stats_sort(c.value, c.count);
	e->value =
	    mean ? stats_mean(c.value, c.count) : stats_quantile(c.value, c.count, 0.5);
	if (mean || !c.missing->limits)
		return;
	stats_sort(c.missing->limit, c.missing->limits);
	median = censored_quantile(
	    &(struct censored){ c.value, c.count, c.missing->limit, c.missing->limits },
	    0.5);
	e->value = median.at;
	e->above = median.above;
}

static int order_of(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_commit(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = order_of(x->group, y->group);

	order = order ? order : order_of(x->commit, y->commit);
	return order ? order : order_of(x->number, y->number);
}

/* Returns whether two adjacent entries belong to one point. */
static bool pooled(const struct history *h, const struct entry *a, const struct entry *b)
{
	return !h->opts.by_run && a->group == b->group && a->commit == b->commit &&
	       a->commit;
}

static void add_point(struct history *h, size_t from, size_t to)
{
	struct history_point *p = &h->point[h->points++];
	const struct entry *first = &h->entry[from];

	*p = (struct history_point){ .group = first->group,
		.runs = (uint32_t)(to - from),
		.first = (uint32_t)from,
		.input = first->number,
		.rank = HISTORY_UNRANKED,
		.commit = first->commit };
	for (size_t i = from; i < to; i++)
		if (h->entry[i].has_time &&
		    (!first->has_time || h->entry[i].time_ns < first->time_ns))
			first = &h->entry[i];
	p->env = first->env;
	p->time = first->has_time ? first->time : 0;
	p->place = h->opts.by_run || !p->commit ? first->run : p->commit;
	if (!p->place)
		p->place = p->time;
	p->has_time = first->has_time;
	p->time_ns = first->time_ns;
	h->last_ns[from] = p->time_ns;
	for (size_t i = from; i < to; i++) {
		if (h->entry[i].has_time && h->entry[i].time_ns > h->last_ns[from])
			h->last_ns[from] = h->entry[i].time_ns;
		h->runs[i] = h->entry[i].value;
		p->timed_out += h->entry[i].timed_out;
		p->failed += h->entry[i].failed;
	}
	stats_sort(h->runs + from, to - from);
	p->value = stats_quantile(h->runs + from, to - from, 0.5);
	/* A lower bound that is greater than both middle values does not affect the median.
	 */
	for (size_t i = from; i < to; i++)
		p->above = p->above || (h->entry[i].above &&
		                           h->entry[i].value <= h->runs[(from + to) / 2]);
}

/* Notes whether the run of an entry is cut. Returns whether the entry is part of a point.
 */
static bool is_kept(const struct history *h, struct entry *e)
{
	e->cut = run_ends_cut_run(h->opts.ends, intern_text(&h->texts, e->run));
	return !e->cut && !isnan(e->value);
}

/* Sets the values of the entries, keeps those that have one, and forgets the rows, which
 * need more memory than all that follows from them. */
static void value_entries(struct history *h)
{
	bool *means = find_means(h);
	size_t kept = 0;

	for (size_t i = 0; i < h->entries; i++) {
		value_of(h, &h->entry[i], means[h->entry[i].group]);
		if (is_kept(h, &h->entry[i]))
			h->entry[kept++] = h->entry[i];
		else if (h->entry[i].cut || h->entry[i].failed || h->entry[i].timed_out)
			*VEC_ADD(h->failed, h->failures, h->failed_cap) = h->entry[i];
	}
	free(means);
	h->entries = kept;
	collect_close(h->collect);
	h->collect = NULL;
	intern_free(&h->keys);
}

/* Makes points of the entries, by group and commit. */
static void make_points(struct history *h)
{
	size_t kept = h->entries;

	if (kept)
		qsort(h->entry, kept, sizeof(*h->entry), by_commit);
	h->runs = mem_zero(kept + 1, sizeof(*h->runs));
	h->point = mem_zero(kept + 1, sizeof(*h->point));
	h->last_ns = mem_zero(kept + 1, sizeof(*h->last_ns));
	for (size_t i = 0, next; i < kept; i = next) {
		for (next = i + 1; next < kept && pooled(h, &h->entry[i], &h->entry[next]);)
			next++;
		add_point(h, i, next);
	}
	free(h->entry);
	h->entry = NULL;
	h->entries = 0;
}

static int by_input(const void *a, const void *b)
{
	const struct history_point *x = a, *y = b;
	int order = order_of(x->rank, y->rank);

	return order ? order : order_of(x->input, y->input);
}

static int by_time(const void *a, const void *b)
{
	const struct history_point *x = a, *y = b;
	int order = order_of(x->rank, y->rank);

	if (!order)
		order = (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
	return order ? order : order_of(x->input, y->input);
}

static const struct threshold *threshold_of(const struct history *h, size_t group)
{
	return thresholds_find(h->opts.thresholds, groups_cell(h->groups, group, COL_BENCH),
	    groups_cell(h->groups, group, COL_METRIC));
}

/* Sets the direction and the margin of a series, from the thresholds or the defaults. */
static void set_rule(
    const struct history *h, struct history_series *s, const struct metrics *metrics)
{
	struct text metric = groups_cell(h->groups, s->group, COL_METRIC);
	const struct threshold *own = threshold_of(h, s->group);

	s->is_positive = metrics_positive(metrics, metric);
	s->threshold = own && !isnan(own->margin) ? own->margin : h->opts.threshold;
	s->better = own && own->has_better
	                ? own->better
	                : metrics_better(
	                      metrics, metric, groups_cell(h->groups, s->group, COL_UNIT));
}

/* Sets which series decide: those of primary metrics, and those whose metric a line of the
 * thresholds names. */
static void choose_deciding(struct history *h, const struct metrics *metrics)
{
	struct primary *primary = primary_open(h->groups, metrics);

	for (size_t i = 0; i < h->count; i++)
		primary_add(primary, h->series[i].group);
	for (size_t i = 0; i < h->count; i++) {
		struct history_series *s = &h->series[i];
		const struct threshold *own = threshold_of(h, s->group);

		s->decides = h->opts.all_decides || threshold_demands(own) ||
		             primary_decides(primary, s->group);
	}
	primary_close(primary);
}

static void make_series(struct history *h, const struct metrics *metrics)
{
	for (size_t i = 0, next; i < h->points; i = next) {
		size_t group = h->point[i].group;
		struct history_series *s;
		bool timed = true;

		for (next = i; next < h->points && h->point[next].group == group; next++)
			timed = timed && h->point[next].has_time;
		qsort(
		    h->point + i, next - i, sizeof(*h->point), timed ? by_time : by_input);
		h->untimed += !timed && !h->order && next - i > 1;
		h->in_turns += timed && history_took_turns(h, i, next);
		s = VEC_ADD(h->series, h->count, h->cap);
		*s = (struct history_series){
			.group = group, .first = i, .count = next - i
		};
		set_rule(h, s, metrics);
	}
}

int history_finish(struct history *h, const struct metrics *metrics, struct fault *f)
{
	if (groups_check(h->groups, f) < 0)
		return -1;
	if (h->opts.order && !(h->order = commit_order_read(h->opts.order, f)))
		return -1;
	groups_complete(h->groups);
	collect_finish(h->collect);
	value_entries(h);
	make_points(h);
	history_rank(h);
	make_series(h, metrics);
	free(h->last_ns);
	h->last_ns = NULL;
	choose_deciding(h, metrics);
	history_note_failures(h);
	return 0;
}

const struct facts *history_facts(const struct history *h)
{
	return h->opts.facts;
}

const struct run_ends *history_ends(const struct history *h)
{
	return h->opts.ends;
}

const struct groups *history_groups(const struct history *h)
{
	return h->groups;
}

const struct history_series *history_list(const struct history *h, size_t *count)
{
	*count = h->count;
	return h->series;
}

const struct history_point *history_points(const struct history *h)
{
	return h->point;
}

struct text history_text(const struct history *h, uint32_t number)
{
	return intern_text(&h->texts, number);
}

const struct history_point *history_failures(const struct history *h, size_t *count)
{
	*count = h->failures;
	return h->failure;
}

const double *history_runs(const struct history *h, const struct history_point *p)
{
	return h->runs + p->first;
}

void history_close(struct history *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->count; i++)
		free(h->series[i].change);
	free(h->series);
	free(h->point);
	free(h->runs);
	free(h->last_ns);
	free(h->entry);
	free(h->failed);
	free(h->failure);
	intern_free(&h->keys);
	intern_free(&h->texts);
	collect_close(h->collect);
	groups_close(h->groups);
	commit_order_free(h->order);
	free(h);
}
