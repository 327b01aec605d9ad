/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values by subject; see subject_values.h.
 */
#include <math.h>
#include <stdlib.h>

#include "record/row_builder.h"
#include "record/subject_groups.h"
#include "record/subject_values.h"
#include "stats/inference.h"
#include "text/stamp.h"

struct subject_values *subject_values_open(
    const struct schema *schema, bool failures, struct buf *notes, struct fault *f)
{
	static const char *const extras[] = { EXTRA_MESSAGE, EXTRA_NAME };
	static const struct group_by by = {
		.provenance = true, .except = extras, .excepts = COUNT(extras)
	};
	struct metrics *metrics = metrics_open(f);
	struct subject_values *t;

	if (!metrics)
		return NULL;
	t = mem_zero(1, sizeof(*t));
	t->metrics = metrics;
	t->notes = notes;
	t->failures = failures;
	intern_add(&t->texts, TEXT("")); /* NO_TEXT */
	t->groups = groups_open(schema, &by);
	return t;
}

void subject_values_close(struct subject_values *t)
{
	for (size_t i = 0; i < t->count; i++) {
		free(t->of[i].value);
		free(t->of[i].origin);
	}
	free(t->of);
	subject_groups_free(&t->by_subject);
	intern_free(&t->texts);
	metrics_free(t->metrics);
	groups_close(t->groups);
	free(t);
}

static uint32_t text_number(
    struct subject_values *t, const struct row *row, const char *extra)
{
	long id = schema_find(row->schema, text_of(extra));

	return id < 0 ? NO_TEXT : (uint32_t)intern_add(&t->texts, row->cell[id]);
}

static struct value_origin origin_of(struct subject_values *t, const struct row *row)
{
	struct value_origin origin = { .process = row->process,
		.sample = row->sample,
		.iterations = row->iterations };

	if (!t->failures)
		return origin;
	origin.run = (uint32_t)intern_add(&t->texts, row->cell[COL_RUN]);
	origin.status =
	    row->ok ? NO_TEXT : (uint32_t)intern_add(&t->texts, row->cell[COL_STATUS]);
	origin.message = text_number(t, row, EXTRA_MESSAGE);
	origin.name = text_number(t, row, EXTRA_NAME);
	return origin;
}

static bool is_failure(const struct row *row)
{
	return !row->ok && (row->sample >= 0 || row->sample == ROW_NONE);
}

/* Counts a failure, and notes the time of a row. */
static void note_row(struct metric_values *v, const struct row *row)
{
	struct text status = row->cell[COL_STATUS];
	int64_t ns;
	int digits;

	v->failed += text_is(status, "timeout") ||
	             (status.len >= 6 && memcmp(status.ptr, "failed", 6) == 0);
	if (stamp_parse(row->cell[COL_TIME], &ns, &digits) && ns > v->latest_ns)
		v->latest_ns = ns;
}

static void add_group(struct subject_values *t)
{
	size_t subject = subject_groups_add(&t->by_subject, t->groups);

	*VEC_ADD(t->of, t->count, t->cap) =
	    (struct metric_values){ .subject = subject, .latest_ns = INT64_MIN };
}

int subject_values_row(void *values, const struct row *row, struct fault *f)
{
	struct subject_values *t = values;
	bool failed = is_failure(row);
	struct metric_values *v;
	size_t group, at;

	(void)f;
	if (row->t != ROW_NONE ||
	    !(row_counts(row) || (failed && (t->failures || t->counts_failures))))
		return 0;
	group = groups_find(t->groups, row);
	if (group == t->count)
		add_group(t);
	v = &t->of[group];
	if (t->counts_failures)
		note_row(v, row);
	if (failed && !t->failures)
		return 0;
	at = v->count;
	*VEC_ADD_MANY(v->value, v->count) = row->has_value ? row->value : NAN;
	*VEC_ADD_MANY(v->origin, at) = origin_of(t, row);
	return 0;
}

struct text subject_values_metric(const struct subject_values *t, size_t group)
{
	return groups_cell(t->groups, group, COL_METRIC);
}

struct text subject_values_unit(const struct subject_values *t, size_t group)
{
	return groups_cell(t->groups, group, COL_UNIT);
}

const struct metric_values *subject_values_find(
    const struct subject_values *t, size_t subject, const char *metric, const char *unit)
{
	for (size_t i = t->by_subject.first[subject]; i != SUBJECT_END;
	     i = t->by_subject.next[i])
		if (text_is(subject_values_metric(t, i), metric) &&
		    text_is(subject_values_unit(t, i), unit))
			return &t->of[i];
	return NULL;
}

size_t subject_values_first(const struct subject_values *t, size_t subject)
{
	return t->by_subject.first[subject];
}

void subject_values_summary(const struct metric_values *v, struct summary *out)
{
	double *sorted = mem_resize(NULL, v->count, sizeof(*sorted));
	size_t count = 0;

	for (size_t i = 0; i < v->count; i++)
		if (isfinite(v->value[i]))
			sorted[count++] = v->value[i];
	stats_summarize(sorted, count, DEFAULT_CONFIDENCE, out);
	free(sorted);
}

struct text subject_values_text(const struct subject_values *t, size_t number)
{
	return intern_text(&t->texts, number);
}

/* Failures may lack other metrics, so some values have no partner. */
double value_pairs_next(struct value_pairs *p, const struct metric_values *of, size_t i)
{
	const struct value_origin *a = &of->origin[i], *b;

	if (!p->values || p->next == p->values->count ||
	    (a->sample == ROW_NONE && p->values->count != of->count))
		return NAN;
	b = &p->values->origin[p->next];
	if (a->run != b->run || a->process != b->process || a->sample != b->sample)
		return NAN;
	return p->values->value[p->next++];
}

void subject_values_name(
    const struct subject_values *t, size_t group, const char *sign, struct buf *out)
{
	subject_name(t->groups, group, sign, NULL, out);
}
