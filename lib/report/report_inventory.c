/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inventory of a stream; see report_inventory.h. */
#include <stdlib.h>
#include <string.h>

#include "io/csv_reader.h"
#include "report/report_inventory.h"
#include "text/units.h"

/* Values of a factor beyond these limits are not counted. */
enum { VALUES_MAX = 10000, PAIRS_MAX = 100000 };
enum { ALONG = 3 }; /* least number of values for a line */

/* Returns the text of a column by name; empty if there is no such column. */
static struct text cell_of(const struct row *row, const char *name)
{
	long id = schema_find(row->schema, text_of(name));

	return id < 0 ? (struct text){ 0 } : row->cell[id];
}

enum row_kind inventory_row_kind(const struct row *row)
{
	if (cell_of(row, "stack").len)
		return ROW_STACK;
	if (cell_of(row, "operation").len)
		return ROW_OPERATION;
	return row->t != ROW_NONE ? ROW_TIMED : ROW_PLAIN;
}

bool inventory_is_model(const struct row *row)
{
	return text_is(row->cell[COL_KIND], "model");
}

/* Appends the key of a metric. */
static struct text key_of(struct buf *key, struct text name, bool models)
{
	key->len = 0;
	buf_byte(key, models ? 'm' : 'o');
	buf_text(key, name);
	return text_in(key);
}

static struct inventory_metric *find_metric(struct inventory *s, const struct row *row)
{
	struct text name = row->cell[COL_METRIC], unit = row->cell[COL_UNIT];
	bool models = inventory_is_model(row);
	size_t i = intern_add(&s->metric_names, key_of(&s->key, name, models));

	if (i == s->metrics)
		*VEC_ADD(s->metric, s->metrics, s->cap) =
		    (struct inventory_metric){ .name = mem_text(name.ptr, name.len),
			    .unit = mem_text(unit.ptr, unit.len),
			    .models = models };
	return &s->metric[i];
}

static void add_factor(struct inventory_metric *m, size_t column, const struct row *row)
{
	struct text value = row->cell[column], bench = row->cell[COL_BENCH];
	struct inventory_factor *f;
	size_t i = 0, known;
	double number;

	while (i < m->factors && m->factor[i].column != column)
		i++;
	if (i == m->factors)
		*VEC_ADD(m->factor, m->factors, m->cap) =
		    (struct inventory_factor){ .column = column, .numeric = true };
	f = &m->factor[i];
	known = f->values.count;
	if (known < VALUES_MAX && intern_add(&f->values, value) == known)
		f->numeric = f->numeric && number_parse(value, &number);
	if (f->numeric && f->of_bench.count < PAIRS_MAX) {
		m->pair.len = 0;
		csv_reader_put_field(&m->pair, value);
		buf_byte(&m->pair, ',');
		csv_reader_put_field(&m->pair, bench);
		intern_add(&f->of_bench, text_in(&m->pair));
	}
}

static void add_bench(struct inventory_benches *b, size_t number)
{
	while (b->known <= number)
		*VEC_ADD(b->has, b->known, b->cap) = false;
	b->count += !b->has[number];
	b->has[number] = true;
}

static void add_plain(struct inventory_metric *m, const struct row *row, size_t bench)
{
	bool first = m->rows[ROW_PLAIN] == 1;

	if (first || row->value < m->least)
		m->least = row->value;
	if (first || row->value > m->greatest)
		m->greatest = row->value;
	add_bench(&m->benches, bench);
	for (size_t id = COL_FACTORS; id < row->schema->count; id++)
		if (row->cell[id].len)
			add_factor(m, id, row);
}

static void keep_text(char **to, struct text t)
{
	free(*to);
	*to = mem_text(t.ptr, t.len);
}

/* Notes the first and last times, which sort as strings because they have the same form. */
static void add_time(struct inventory *s, const struct row *row)
{
	struct text time = row->cell[COL_TIME];
	size_t len = s->last ? strlen(s->last) : 0;

	if (!s->last || (time.len && (memcmp(time.ptr, s->last,
	                                  time.len < len ? time.len : len) >= 0))) {
		keep_text(&s->last, time);
	}
	len = s->first ? strlen(s->first) : 0;
	if (time.len &&
	    (!len || memcmp(time.ptr, s->first, time.len < len ? time.len : len) < 0))
		keep_text(&s->first, time);
}

/* Counts the runs of a benchmark on a host; run is the number of the run. */
static void add_run(struct inventory *s, const struct row *row, size_t run)
{
	size_t series, known = s->series_runs.count;
	uint32_t key[2] = { 0, (uint32_t)run };

	s->key.len = 0;
	csv_reader_put_field(&s->key, row->cell[COL_HOST]);
	buf_byte(&s->key, ',');
	csv_reader_put_field(&s->key, row->cell[COL_BENCH]);
	series = intern_add(&s->series, text_in(&s->key));
	if (series == s->runs_of_count)
		*VEC_ADD(s->runs_of, s->runs_of_count, s->runs_of_cap) = 0;
	key[0] = (uint32_t)series;
	intern_add(&s->series_runs, (struct text){ (const char *)key, sizeof(key) });
	if (s->series_runs.count > known && ++s->runs_of[series] > s->longest)
		s->longest = s->runs_of[series];
}

/* Returns whether a status is that of a failed sample. */
static bool is_failure(struct text status)
{
	static const char failed[] = "failed";

	return text_is(status, "timeout") ||
	       (status.len >= sizeof(failed) - 1 &&
	           memcmp(status.ptr, failed, sizeof(failed) - 1) == 0);
}

/* Counts a sample once, although each of its metrics has a row. */
static void add_failure(struct inventory *s, const struct row *row)
{
	size_t known = s->failed_samples.count, way;

	s->key.len = 0;
	for (size_t id = 0; id < row->schema->count; id++)
		if (row->cell[id].len && id != COL_METRIC && id != COL_UNIT &&
		    id != COL_VALUE && id != COL_TIME && id != COL_T &&
		    id != COL_RUNNING_PCT && id != COL_STATUS) {
			buf_printf(&s->key, "%zu=", id);
			csv_reader_put_field(&s->key, row->cell[id]);
		}
	intern_add(&s->failed_samples, text_in(&s->key));
	if (s->failed_samples.count == known)
		return;
	s->key.len = 0;
	csv_reader_put_field(&s->key, row->cell[COL_BENCH]);
	buf_byte(&s->key, ',');
	csv_reader_put_field(&s->key, row->cell[COL_STATUS]);
	way = intern_add(&s->failed_ways, text_in(&s->key));
	if (way == s->failures)
		*VEC_ADD(
		    s->failure, s->failures, s->failures_cap) = (struct inventory_failure){
			.bench =
			    mem_text(row->cell[COL_BENCH].ptr, row->cell[COL_BENCH].len),
			.status =
			    mem_text(row->cell[COL_STATUS].ptr, row->cell[COL_STATUS].len),
		};
	s->failure[way].samples++;
}

void inventory_row(struct inventory *s, const struct row *row)
{
	struct inventory_metric *m = find_metric(s, row);
	enum row_kind kind = inventory_row_kind(row);
	size_t run = intern_add(&s->runs, row->cell[COL_RUN]);
	size_t bench = intern_add(&s->benches, row->cell[COL_BENCH]);

	s->rows++;
	s->failed += !row->ok;
	intern_add(&s->hosts, row->cell[COL_HOST]);
	intern_add(&s->envs, row->cell[COL_ENV]);
	intern_add(&s->commits, row->cell[COL_COMMIT]);
	if (!row->ok && is_failure(row->cell[COL_STATUS]))
		add_failure(s, row);
	if (!row_counts(row))
		return;
	s->counted++;
	m->rows[kind]++;
	intern_add(&m->kinds, row->cell[COL_KIND]);
	if (kind == ROW_STACK)
		intern_add(&s->profiled, row->cell[COL_BENCH]);
	add_time(s, row);
	add_run(s, row, run);
	if (kind == ROW_PLAIN)
		add_plain(m, row, bench);
}

void inventory_finish(struct inventory *s)
{
	intern_free(&s->series);
	intern_free(&s->series_runs);
}

const struct inventory_metric *inventory_metric_of(
    const struct inventory *s, struct text name, bool models)
{
	struct buf key = { 0 };
	long i = intern_find(&s->metric_names, key_of(&key, name, models));

	buf_free(&key);
	return i < 0 ? NULL : &s->metric[i];
}

const struct inventory_metric *inventory_metric(const struct inventory *s, const char *name)
{
	const struct inventory_metric *m = inventory_metric_of(s, text_of(name), false);

	return m ? m : inventory_metric_of(s, text_of(name), true);
}

bool inventory_has(const struct inventory *s, enum row_kind kind)
{
	for (size_t i = 0; i < s->metrics; i++)
		if (s->metric[i].rows[kind])
			return true;
	return false;
}

const struct inventory_factor *inventory_along(
    const struct schema *schema, const struct inventory_metric *m)
{
	const struct inventory_factor *best = NULL;

	for (size_t i = 0; i < m->factors; i++) {
		const struct inventory_factor *f = &m->factor[i];

		/* The option -x of bench-plot splits names at commas. */
		if (f->numeric && f->values.count >= ALONG &&
		    f->of_bench.count >= 2 * m->benches.count &&
		    !strchr(schema->name[f->column], ',') &&
		    (!best || f->values.count > best->values.count))
			best = f;
	}
	return best;
}

void inventory_free(struct inventory *s)
{
	for (size_t i = 0; i < s->metrics; i++) {
		struct inventory_metric *m = &s->metric[i];

		for (size_t k = 0; k < m->factors; k++) {
			intern_free(&m->factor[k].values);
			intern_free(&m->factor[k].of_bench);
		}
		free(m->benches.has);
		intern_free(&m->kinds);
		buf_free(&m->pair);
		free(m->factor);
		free(m->name);
		free(m->unit);
	}
	free(s->metric);
	intern_free(&s->metric_names);
	intern_free(&s->runs);
	intern_free(&s->hosts);
	intern_free(&s->envs);
	intern_free(&s->commits);
	intern_free(&s->benches);
	intern_free(&s->profiled);
	intern_free(&s->series);
	intern_free(&s->series_runs);
	free(s->runs_of);
	for (size_t i = 0; i < s->failures; i++) {
		free(s->failure[i].bench);
		free(s->failure[i].status);
	}
	free(s->failure);
	intern_free(&s->failed_samples);
	intern_free(&s->failed_ways);
	intern_free(&s->envs_of_hosts);
	buf_free(&s->key);
	free(s->first);
	free(s->last);
}
