/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples by subject; see subject_samples.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/subject_groups.h"
#include "record/subject_samples.h"
#include "text/display_text.h"
#include "text/stamp.h"

struct subject_samples *subject_samples_open(
    const struct schema *schema, struct buf *notes, struct fault *f)
{
	static const struct group_by by = { .provenance = true };
	struct metrics *metrics = metrics_open(f);
	struct subject_samples *t;

	if (!metrics)
		return NULL;
	t = mem_zero(1, sizeof(*t));
	t->metrics = metrics;
	t->notes = notes;
	t->groups = groups_open(schema, &by);
	return t;
}

void subject_samples_close(struct subject_samples *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->of[i].sample);
	free(t->of);
	subject_groups_free(&t->by_subject);
	intern_free(&t->runs);
	intern_free(&t->statuses);
	metrics_free(t->metrics);
	groups_close(t->groups);
	free(t);
}

/* Returns the time of a row in ns since 1970, or ROW_NONE. */
static int64_t time_of(const struct row *row)
{
	int64_t ns;
	int digits;

	return stamp_parse(row->cell[COL_TIME], &ns, &digits) ? ns : ROW_NONE;
}

int subject_samples_row(void *samples, const struct row *row, struct fault *f)
{
	struct subject_samples *t = samples;
	size_t group = groups_find(t->groups, row);
	struct metric_samples *m;

	(void)f;
	if (group == t->count) {
		size_t subject = subject_groups_add(&t->by_subject, t->groups);

		*VEC_ADD(t->of, t->count, t->cap) =
		    (struct metric_samples){ .subject = subject };
	}
	m = &t->of[group];
	*VEC_ADD_MANY(m->sample, m->count) =
	    (struct subject_sample){ .value = row->has_value ? row->value : NAN,
		    .process = row->process,
		    .sample = row->sample,
		    .t = row->t,
		    .iterations = row->iterations,
		    .time_ns = time_of(row),
		    .run = (uint32_t)intern_add(&t->runs, row->cell[COL_RUN]),
		    .status = (uint32_t)intern_add(&t->statuses, row->cell[COL_STATUS]),
		    .ok = row->ok };
	return 0;
}

struct text subject_samples_cell(
    const struct subject_samples *t, size_t group, enum column column)
{
	return groups_cell(t->groups, group, column);
}

size_t subject_samples_number(const struct subject_samples *t, size_t group,
    const enum column *columns, size_t count, struct intern *keys)
{
	struct buf key = { 0 };
	size_t number;

	for (size_t i = 0; i < count; i++) {
		struct text cell = subject_samples_cell(t, group, columns[i]);

		buf_printf(&key, "%zu:", cell.len);
		buf_text(&key, cell);
	}
	number = intern_add(keys, text_in(&key));
	buf_free(&key);
	return number;
}

bool subject_sample_counts(const struct subject_sample *s)
{
	return s->ok && isfinite(s->value) && s->t == ROW_NONE &&
	       (s->sample >= 0 || s->sample == ROW_NONE);
}

size_t subject_samples_values(
    const struct subject_samples *t, size_t group, double **values)
{
	const struct metric_samples *m = &t->of[group];
	size_t n = 0;

	*values = mem_zero(m->count, sizeof(**values));
	for (size_t i = 0; i < m->count; i++)
		if (subject_sample_counts(&m->sample[i]))
			(*values)[n++] = m->sample[i].value;
	return n;
}

int subject_samples_single(
    const struct subject_samples *t, const char *program, struct fault *f)
{
	static const enum column columns[] = { COL_HOST, COL_COMMIT };

	for (size_t i = 0; i < COUNT(columns); i++)
		if (!groups_constant(t->groups, columns[i]))
			return fault_set(f,
			    "rows of more than one %s, but a file of %s has one: convert "
			    "the "
			    "rows of each separately",
			    groups_schema(t->groups)->name[columns[i]], program);
	return 0;
}

void subject_samples_note(struct subject_samples *t, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	display_text_clean(t->notes, text_of(line));
	buf_byte(t->notes, '\n');
}
