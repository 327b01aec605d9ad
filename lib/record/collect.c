/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values by group; see collect.h. Points of a time series are collected separately.
 * Consecutive points of a sample are added up as they arrive, and each sample becomes one
 * value at the end. Points each of which counts are values, or they are kept, and each
 * sample becomes their median.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/collect.h"
#include "record/metric.h"
#include "record/run_numbers.h"
#include "record/sample_list.h"
#include "stats/stats.h"
#include "text/stamp.h"

/* The origin of a point of a time series. A group may contain several subjects, whose
 * samples remain distinct. */
struct origin {
	struct sample_id id;
	size_t subject;
};

/* Failed rows of a sample of a time series. */
struct failure {
	struct origin from;
	bool censored, failing;
};

struct series {
	struct origin from;
	int64_t began;
	double sum;
	uint64_t count;
	bool each; /* it is a single point, which counts */
};

/* The missing values of a group, and rows that become values or limits at the end. */
struct pending {
	struct missing_values missing;
	struct series *series;
	size_t points;
	struct failure *failure; /* of time series */
	size_t failures;
	struct sample_id *unserved; /* requests */
	size_t unserveds;
};

struct collect {
	struct groups *groups, *subjects;
	bool keep_identity, keep_time, keeps; /* keep_identity or keep_time */
	bool by_sample, compact;
	struct run_numbers runs;
	struct collected *group;
	size_t count, cap;
	struct sample_list *samples; /* of the values, by group; only with keep_identity */
	size_t lists, list_cap;
	struct collected empty; /* for groups without rows */
};

const struct missing_values none_missing;
static const struct collected none = { .missing = &none_missing };

/* The halves of a subject, a and b, have separate samples. */
static const char *const half[] = { COLUMN_AA };
static const struct group_by each_half = { .also = half, .alsos = COUNT(half) };

struct collect *collect_open(struct groups *groups, int flags)
{
	struct collect *c = mem_zero(1, sizeof(*c));

	c->groups = groups;
	c->empty = none;
	if (groups)
		c->subjects = groups_open(groups_schema(groups), &each_half);
	c->keep_identity = flags & COLLECT_IDENTITY;
	c->keep_time = flags & COLLECT_TIME;
	c->keeps = c->keep_identity || c->keep_time;
	c->by_sample = flags & COLLECT_SAMPLES;
	c->compact = flags & COLLECT_COMPACT;
	return c;
}

/* Makes room for a group. Returns its values. */
static struct collected *gathering_of(struct collect *c, size_t group)
{
	while (c->count <= group) {
		*VEC_ADD(c->group, c->count, c->cap) = none;
		if (c->keep_identity)
			*VEC_ADD(c->samples, c->lists, c->list_cap) =
			    (struct sample_list){ 0 };
	}
	return &c->group[group];
}

/* Returns what a group has other than values, or NULL. */
static struct pending *pending_if_any(const struct collected *g)
{
	return g->missing == &none_missing ? NULL : (struct pending *)g->missing;
}

static struct pending *pending_of(struct collected *g)
{
	if (g->missing == &none_missing)
		g->missing = mem_zero(1, sizeof(struct pending));
	return pending_if_any(g);
}

static bool same_sample(const struct origin *a, const struct origin *b)
{
	return a->id.run == b->id.run && a->id.process == b->id.process &&
	       a->id.sample == b->id.sample && a->subject == b->subject;
}

static int64_t began_of(const struct collect *c, const struct row *row)
{
	int64_t ns;
	int digits;

	return c->keep_time && stamp_parse(row->cell[COL_TIME], &ns, &digits) ? ns
	                                                                      : ROW_NONE;
}

/* Stores identity and time of the value of a group that is added next. */
static void note_identity(
    const struct collect *c, size_t group, const struct sample_id *id, int64_t began)
{
	struct collected *g = &c->group[group];
	size_t n = g->count;

	if (c->keep_identity)
		sample_list_add(&c->samples[group], id);
	if (c->keep_time)
		*VEC_ADD_MANY(g->began, n) = began;
}

/* Adds the first or second value. The array begins with the second one; `value` is NULL
 * until then, because groups move. */
static void add_early_value(struct collected *g, double value)
{
	if (!g->count++) {
		g->only = value;
		return;
	}
	g->value = mem_double(NULL, 1, sizeof(*g->value));
	g->value[0] = g->only;
	g->value[1] = value;
}

static void add_value(struct collected *g, double value)
{
	if (g->count < 2)
		add_early_value(g, value);
	else
		*VEC_ADD_MANY(g->value, g->count) = value;
}

static void add_point(
    struct collected *g, const struct row *row, const struct origin *from, int64_t began)
{
	struct pending *p = pending_of(g);
	struct series *last = p->points ? &p->series[p->points - 1] : NULL;

	if (!last || row->each || !same_sample(&last->from, from) ||
	    !isfinite(last->sum + row->value)) {
		last = VEC_ADD_MANY(p->series, p->points);
		*last = (struct series){ .from = *from, .began = began, .each = row->each };
	}
	last->sum += row->value;
	last->count++;
}

/* Returns whether a status that is not ok means that the sample failed. An unknown status
 * does. */
static bool is_failing(struct text status)
{
	static const char *const unmeasured[] = { "unsupported", "denied", "skipped" };

	for (size_t i = 0; i < COUNT(unmeasured); i++)
		if (text_is(status, unmeasured[i]))
			return false;
	return true;
}

static void count_failed(
    const struct collect *c, struct missing_values *m, const struct failure *failure)
{
	m->failed++;
	m->censored += failure->censored;
	if (failure->failing && c->keep_identity)
		*VEC_ADD_MANY(m->failing, m->failings) = failure->from.id;
}

static void put_limit(const struct collect *c, struct missing_values *m, double limit,
    const struct sample_id *id)
{
	size_t n = m->limits;

	if (c->keep_identity)
		*VEC_ADD_MANY(m->limit_identity, n) = *id;
	*VEC_ADD_MANY(m->limit, m->limits) = limit;
}

/* Stores the limit of a sample that timed out, or that a request was never served. */
static void add_limit(const struct collect *c, struct pending *p, const struct row *row,
    const struct failure *failure)
{
	struct text metric = row->cell[COL_METRIC];

	if (!row->has_value && failure->failing && metric_is_since_arrival(metric))
		*VEC_ADD_MANY(p->unserved, p->unserveds) = failure->from.id;
	else if (failure->censored && metric_has_limits(metric) && row->has_value &&
	         row->value >= 0)
		put_limit(c, &p->missing, row->value, &failure->from.id);
}

static void add_failed(const struct collect *c, struct collected *g, const struct row *row,
    const struct origin *from)
{
	struct text status = row->cell[COL_STATUS];
	struct failure failure = { *from, text_is(status, "timeout"), is_failing(status) };
	struct pending *p = pending_of(g);

	if (row->t == ROW_NONE) {
		count_failed(c, &p->missing, &failure);
		add_limit(c, p, row, &failure);
		return;
	}
	if (!p->failures || !same_sample(&p->failure[p->failures - 1].from, from))
		*VEC_ADD_MANY(p->failure, p->failures) = failure;
}

int collect_row(struct collect *c, const struct row *row)
{
	return collect_into(c, groups_find(c->groups, row), row);
}

int collect_into(struct collect *c, size_t group, const struct row *row)
{
	struct collected *g = gathering_of(c, group);
	struct origin from = { 0 };

	if (row->sample < 0 && row->sample != ROW_NONE)
		return 0;
	if (c->keep_identity || row->t != ROW_NONE)
		from.id = (struct sample_id){ run_numbers_add(&c->runs, row), row->process,
			row->sample };
	if (c->subjects && row->t != ROW_NONE)
		from.subject = groups_find(c->subjects, row);
	if (!row->ok)
		add_failed(c, g, row, &from);
	else if (row->has_value && row->t != ROW_NONE && !(row->each && !c->by_sample))
		add_point(g, row, &from, began_of(c, row));
	else if (row->has_value) {
		if (c->keeps)
			note_identity(c, group, &from.id, began_of(c, row));
		add_value(g, row->value);
		g->several |= row->each;
	}
	return 0;
}

/* Compares series or failures, which begin with their origins. */
static int by_origin(const void *a, const void *b)
{
	const struct origin *x = a, *y = b;
	int order = sample_id_order(&x->id, &y->id);

	return order ? order : (x->subject > y->subject) - (x->subject < y->subject);
}

static void reduce_failures(const struct collect *c, struct pending *p)
{
	if (!p->failures)
		return;
	qsort(p->failure, p->failures, sizeof(*p->failure), by_origin);
	for (size_t i = 0; i < p->failures; i++)
		if (!i || !same_sample(&p->failure[i - 1].from, &p->failure[i].from))
			count_failed(c, &p->missing, &p->failure[i]);
}

/* Returns the mean of the points of a sample. */
static double mean_of(const struct series *s, size_t count)
{
	double points = 0, sum = 0, mean = 0;

	for (size_t i = 0; i < count; i++)
		points += (double)s[i].count;
	for (size_t i = 0; i < count; i++) {
		sum += s[i].sum;
		mean += s[i].sum / points;
	}
	return isfinite(sum) ? sum / points : mean;
}

/* Returns the median of the points of a sample. */
static double median_of(const struct series *s, size_t count)
{
	double *value = mem_zero(count, sizeof(*value)), median;

	for (size_t i = 0; i < count; i++)
		value[i] = s[i].sum;
	stats_sort(value, count);
	median = stats_quantile(value, count, 0.5);
	free(value);
	return median;
}

static void reduce_series(struct collect *c, size_t group, const struct pending *p)
{
	struct series *s = p->series;
	size_t points = p->points;

	if (!points)
		return;
	qsort(s, points, sizeof(*s), by_origin);
	for (size_t i = 0, next; i < points; i = next) {
		for (next = i + 1; next < points && same_sample(&s[i].from, &s[next].from);
		     next++)
			;
		note_identity(c, group, &s[i].from.id, s[i].began);
		add_value(&c->group[group],
		    s[i].each ? median_of(&s[i], next - i) : mean_of(&s[i], next - i));
	}
}

/* Puts the requests that were never served above all values of a group. */
static void put_unserved(
    const struct collect *c, const struct collected *g, struct pending *p)
{
	double greatest = -INFINITY;

	for (size_t i = 0; i < g->count; i++)
		greatest = fmax(greatest, g->value[i]);
	for (size_t i = 0; i < p->missing.limits; i++)
		greatest = fmax(greatest, p->missing.limit[i]);
	for (size_t i = 0; isfinite(greatest) && i < p->unserveds; i++)
		put_limit(c, &p->missing, greatest, &p->unserved[i]);
}

/* Frees the rows that became values and limits. */
static void pending_done(struct pending *p)
{
	free(p->series);
	free(p->failure);
	free(p->unserved);
	*p = (struct pending){ .missing = p->missing };
}

/* Completes the missing values of a group whose values are complete. */
static void finish_missing(
    const struct collect *c, const struct collected *g, struct pending *p)
{
	reduce_failures(c, p);
	put_unserved(c, g, p);
	pending_done(p);
}

static void renumber_runs(struct sample_id *id, size_t count, const uint32_t *number)
{
	for (size_t i = 0; i < count; i++)
		id[i].run = number[id[i].run];
}

static void order_runs(struct collect *c)
{
	uint32_t *number = run_numbers_order(&c->runs);

	for (size_t i = 0; i < c->count; i++) {
		const struct missing_values *m = c->group[i].missing;

		sample_list_renumber(&c->samples[i], number);
		renumber_runs(m->failing, m->failings, number);
		renumber_runs(m->limit_identity, m->limits, number);
	}
	free(number);
}

void collect_finish(struct collect *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct collected *g = &c->group[i];
		struct pending *p = pending_if_any(g);

		if (p)
			reduce_series(c, i, p);
		if (g->count == 1)
			g->value = &g->only;
		if (p)
			finish_missing(c, g, p);
	}
	if (c->keep_identity)
		order_runs(c);
	for (size_t i = 0; i < c->lists && !c->compact; i++)
		collect_identify(c, i);
}

void collect_identify(struct collect *c, size_t group)
{
	if (group < c->lists && !c->group[group].identity)
		c->group[group].identity = sample_list_expand(&c->samples[group]);
}

void collect_forget(struct collect *c, size_t group)
{
	struct collected *g = &c->group[group];

	if (!c->compact || group >= c->lists ||
	    sample_list_count(&c->samples[group]) != g->count)
		return;
	free(g->identity);
	g->identity = NULL;
}

size_t collect_runs(const struct collect *c)
{
	return c->runs.names.count;
}

void collect_mark_runs(const struct collect *c, size_t group, bool *is_run)
{
	if (group < c->lists)
		sample_list_mark_runs(&c->samples[group], is_run);
}

bool collect_has_run(const struct collect *c, size_t group, const bool *is_run)
{
	return group < c->lists && sample_list_has_run(&c->samples[group], is_run);
}

bool collect_repeats(const struct collect *c, size_t group)
{
	return group < c->lists && sample_list_repeats(&c->samples[group], c->runs.named);
}

struct collected *collect_group(struct collect *c, size_t group)
{
	return group < c->count ? &c->group[group] : &c->empty;
}

struct missing_values *collect_missing(struct collect *c, size_t group)
{
	struct pending *p = pending_if_any(collect_group(c, group));

	return p ? &p->missing : NULL;
}

struct text collect_run(const struct collect *c, uint32_t run)
{
	return run_numbers_name(&c->runs, run);
}

static void pending_free(struct pending *p)
{
	if (!p)
		return;
	pending_done(p);
	free(p->missing.failing);
	free(p->missing.limit);
	free(p->missing.limit_identity);
	free(p);
}

static void collected_free(struct collected *g)
{
	if (g->value != &g->only)
		free(g->value);
	free(g->identity);
	free(g->began);
	pending_free(pending_if_any(g));
	*g = none;
}

void collect_reset(struct collect *c)
{
	for (size_t i = 0; i < c->count; i++)
		collected_free(&c->group[i]);
}

void collect_close(struct collect *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++)
		collected_free(&c->group[i]);
	for (size_t i = 0; i < c->lists; i++)
		sample_list_free(&c->samples[i]);
	free(c->group);
	free(c->samples);
	groups_close(c->subjects);
	run_numbers_free(&c->runs);
	free(c);
}
