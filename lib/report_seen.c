/* What there is in a stream; see report_seen.h. */
#include <stdlib.h>
#include <string.h>

#include "report_seen.h"
#include "units.h"

/* Of a factor with more values than this it is enough to know that there are many. */
enum { VALUES_MAX = 10000 };

/* The text of a column by name; empty where there is none. */
static struct text cell_of(const struct row *row, const char *name)
{
	long id = schema_find(row->schema, text_of(name));

	return id < 0 ? (struct text){ 0 } : row->cell[id];
}

enum row_sort seen_sort(const struct row *row)
{
	if (cell_of(row, "stack").len)
		return ROW_STACK;
	if (cell_of(row, "operation").len)
		return ROW_OPERATION;
	return row->t != ROW_NONE ? ROW_TIMED : ROW_PLAIN;
}

static struct seen_metric *find_metric(struct seen *s, const struct row *row)
{
	struct text name = row->cell[COL_METRIC], unit = row->cell[COL_UNIT];
	size_t i = intern_add(&s->metric_names, name);

	if (i == s->metrics)
		*VEC_ADD(s->metric, s->metrics, s->cap) =
		    (struct seen_metric){ .name = mem_text(name.ptr, name.len),
			    .unit = mem_text(unit.ptr, unit.len) };
	return &s->metric[i];
}

static void add_factor(struct seen_metric *m, size_t column, struct text value)
{
	size_t i = 0;
	double number;
	size_t known;

	while (i < m->factors && m->factor[i].column != column)
		i++;
	if (i == m->factors)
		*VEC_ADD(m->factor, m->factors, m->cap) =
		    (struct seen_factor){ .column = column, .numeric = true };
	known = m->factor[i].values.count;
	if (known < VALUES_MAX && intern_add(&m->factor[i].values, value) == known)
		m->factor[i].numeric = m->factor[i].numeric && number_parse(value, &number);
}

static void add_plain(struct seen_metric *m, const struct row *row)
{
	bool first = m->rows[ROW_PLAIN] == 1;

	if (first || row->value < m->least)
		m->least = row->value;
	if (first || row->value > m->greatest)
		m->greatest = row->value;
	for (size_t id = COL_FACTORS; id < row->schema->count; id++)
		if (row->cell[id].len)
			add_factor(m, id, row->cell[id]);
}

static void keep(char **to, struct text t)
{
	free(*to);
	*to = mem_text(t.ptr, t.len);
}

/* Times of one form sort as texts. */
static void add_time(struct seen *s, const struct row *row)
{
	struct text time = row->cell[COL_TIME];
	size_t len = s->last ? strlen(s->last) : 0;

	if (!s->last || (time.len && (memcmp(time.ptr, s->last,
	                                  time.len < len ? time.len : len) >= 0))) {
		keep(&s->last, time);
		keep(&s->commit, row->cell[COL_COMMIT]);
	}
	len = s->first ? strlen(s->first) : 0;
	if (time.len &&
	    (!len || memcmp(time.ptr, s->first, time.len < len ? time.len : len) < 0))
		keep(&s->first, time);
}

void seen_row(struct seen *s, const struct row *row)
{
	struct seen_metric *m = find_metric(s, row);
	enum row_sort sort = seen_sort(row);

	s->rows++;
	s->failed += !row->ok;
	intern_add(&s->runs, row->cell[COL_RUN]);
	intern_add(&s->hosts, row->cell[COL_HOST]);
	intern_add(&s->envs, row->cell[COL_ENV]);
	intern_add(&s->commits, row->cell[COL_COMMIT]);
	intern_add(&s->benches, row->cell[COL_BENCH]);
	if (!row_counts(row))
		return;
	s->counted++;
	m->rows[sort]++;
	if (sort == ROW_STACK)
		intern_add(&s->profiled, row->cell[COL_BENCH]);
	add_time(s, row);
	if (sort == ROW_PLAIN)
		add_plain(m, row);
}

const struct seen_metric *seen_metric(const struct seen *s, const char *name)
{
	long i = intern_find(&s->metric_names, text_of(name));

	return i < 0 ? NULL : &s->metric[i];
}

bool seen_any(const struct seen *s, enum row_sort sort)
{
	for (size_t i = 0; i < s->metrics; i++)
		if (s->metric[i].rows[sort])
			return true;
	return false;
}

const struct seen_factor *seen_numeric(const struct seen_metric *m, size_t least)
{
	const struct seen_factor *best = NULL;

	for (size_t i = 0; i < m->factors; i++) {
		const struct seen_factor *f = &m->factor[i];

		if (f->numeric && f->values.count >= least &&
		    (!best || f->values.count > best->values.count))
			best = f;
	}
	return best;
}

void seen_free(struct seen *s)
{
	for (size_t i = 0; i < s->metrics; i++) {
		struct seen_metric *m = &s->metric[i];

		for (size_t k = 0; k < m->factors; k++)
			intern_free(&m->factor[k].values);
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
	free(s->first);
	free(s->last);
	free(s->commit);
}
