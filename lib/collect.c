/*
 * Values by group; see collect.h. Points of a time series wait in a list of their own,
 * where consecutive points of one sample fold into a sum, and become one value a sample at
 * the end.
 */
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "intern.h"

struct series {
	struct identity id;
	double sum;
	uint64_t count;
};

struct gathering {
	struct collected out;
	size_t cap, id_cap;
	struct series *series;
	size_t points, series_cap;
	struct identity failed_last; /* of the last failed row of a time series */
};

struct collect {
	struct groups *groups;
	bool keep_identity;
	struct intern runs;
	struct buf run_key;
	uint64_t run_table; /* what the cached run number was found for */
	uint32_t run;
	struct gathering *group;
	size_t count, cap;
};

struct collect *collect_open(struct groups *groups, int flags)
{
	struct collect *c = mem_zero(1, sizeof(*c));

	c->groups = groups;
	c->keep_identity = flags & COLLECT_IDENTITY;
	c->run_table = UINT64_MAX;
	return c;
}

/* A number for the row's run; a table without the column is a run of its own. */
static uint32_t run_number(struct collect *c, const struct row *row)
{
	struct text run = row->cell[COL_RUN];

	if (c->run_table == row->table &&
	    text_equal(run, (struct text){ c->run_key.ptr, c->run_key.len }))
		return c->run;
	c->run_table = row->table;
	c->run_key.len = 0;
	buf_text(&c->run_key, run);
	if (run.len)
		c->run = (uint32_t)intern_add(&c->runs, run);
	else {
		/* No run in a file can be named by these bytes: NUL is refused there. */
		char table[1 + sizeof(row->table)] = { 0 };

		memcpy(table + 1, &row->table, sizeof(row->table));
		c->run =
		    (uint32_t)intern_add(&c->runs, (struct text){ table, sizeof(table) });
	}
	return c->run;
}

static struct gathering *gathering_of(struct collect *c, size_t group)
{
	while (c->count <= group) {
		struct gathering *g = VEC_ADD(c->group, c->count, c->cap);

		*g = (struct gathering){ .failed_last.run = UINT32_MAX };
	}
	return &c->group[group];
}

static bool same_sample(const struct identity *a, const struct identity *b)
{
	return a->run == b->run && a->process == b->process && a->sample == b->sample;
}

static void add_value(
    struct gathering *g, bool identity, double value, const struct identity *id)
{
	if (identity) {
		size_t n = g->out.count;
		*VEC_ADD(g->out.identity, n, g->id_cap) = *id;
	}
	*VEC_ADD(g->out.value, g->out.count, g->cap) = value;
}

static void add_point(struct gathering *g, double value, const struct identity *id)
{
	struct series *last = g->points ? &g->series[g->points - 1] : NULL;

	if (!last || !same_sample(&last->id, id)) {
		last = VEC_ADD(g->series, g->points, g->series_cap);
		*last = (struct series){ .id = *id };
	}
	last->sum += value;
	last->count++;
}

static void add_failed(
    struct gathering *g, const struct row *row, const struct identity *id)
{
	if (row->t != ROW_NONE && same_sample(&g->failed_last, id))
		return;
	if (row->t != ROW_NONE)
		g->failed_last = *id;
	g->out.failed++;
}

int collect_row(struct collect *c, const struct row *row)
{
	return collect_into(c, groups_find(c->groups, row), row);
}

int collect_into(struct collect *c, size_t group, const struct row *row)
{
	struct gathering *g = gathering_of(c, group);
	struct identity id = { 0 };

	if (row->sample < 0 && row->sample != ROW_NONE)
		return 0;
	if (c->keep_identity || row->t != ROW_NONE)
		id = (struct identity){ run_number(c, row), row->process, row->sample };
	if (!row->ok)
		add_failed(g, row, &id);
	else if (row->has_value && row->t != ROW_NONE)
		add_point(g, row->value, &id);
	else if (row->has_value)
		add_value(g, c->keep_identity, row->value, &id);
	return 0;
}

static int by_identity(const void *a, const void *b)
{
	const struct identity *x = &((const struct series *)a)->id,
	                      *y = &((const struct series *)b)->id;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->sample > y->sample) - (x->sample < y->sample);
}

static void reduce_series(struct collect *c, struct gathering *g)
{
	struct series *s = g->series;

	if (!g->points)
		return;
	qsort(s, g->points, sizeof(*s), by_identity);
	for (size_t i = 0, next; i < g->points; i = next) {
		double sum = s[i].sum;
		uint64_t count = s[i].count;

		for (next = i + 1; next < g->points && same_sample(&s[i].id, &s[next].id);
		     next++) {
			sum += s[next].sum;
			count += s[next].count;
		}
		add_value(g, c->keep_identity, sum / (double)count, &s[i].id);
	}
	free(g->series);
	g->series = NULL;
}

void collect_finish(struct collect *c)
{
	for (size_t i = 0; i < c->count; i++)
		reduce_series(c, &c->group[i]);
}

struct collected *collect_group(struct collect *c, size_t group)
{
	return &gathering_of(c, group)->out;
}

void collect_close(struct collect *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++) {
		free(c->group[i].out.value);
		free(c->group[i].out.identity);
		free(c->group[i].series);
	}
	free(c->group);
	intern_free(&c->runs);
	buf_free(&c->run_key);
	free(c);
}
