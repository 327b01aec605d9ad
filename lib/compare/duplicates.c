/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Duplicate rows; see duplicates.h.
 */
#include <stdlib.h>

#include "compare/duplicates.h"

struct numbered {
	struct sample_id id;
	double value;
	size_t place;
};

static int by_number(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;
	int order = sample_id_order(&x->id, &y->id);

	return order ? order : (x->value > y->value) - (x->value < y->value);
}

static int by_place(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

/* Returns whether two values are duplicates. This is only known if the run has a name and
 * the sample has a number. */
static bool repeats(
    const struct collect *c, const struct numbered *a, const struct numbered *b)
{
	return a->id.sample != ROW_NONE && *collect_run(c, a->id.run).ptr &&
	       by_number(a, b) == 0;
}

/* Removes the duplicates of values, or limits, with their identities and times (or NULL).
 * Returns the number kept. */
static size_t drop_repeated(const struct collect *c, struct sample_id *identity,
    double *value, int64_t *began, size_t count)
{
	struct numbered *row;
	size_t kept = 0;

	if (!count)
		return 0;
	row = mem_resize(NULL, count, sizeof(*row));
	for (size_t i = 0; i < count; i++)
		row[i] = (struct numbered){ identity[i], value[i], i };
	qsort(row, count, sizeof(*row), by_number);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || !repeats(c, &row[i], &row[kept - 1]))
			row[kept++] = row[i];
	qsort(row, kept, sizeof(*row), by_place);
	for (size_t i = 0; i < kept; i++) {
		identity[i] = row[i].id;
		value[i] = row[i].value;
		if (began)
			began[i] = began[row[i].place];
	}
	free(row);
	return kept;
}

static int by_id(const void *a, const void *b)
{
	return sample_id_order(a, b);
}

/* Removes samples that failed from their list if they are there already. Their order does
 * not matter. */
static size_t drop_failing(const struct collect *c, struct missing_values *m)
{
	struct sample_id *id = m->failing;
	size_t kept = 0, count = m->failings;

	if (!count)
		return 0;
	qsort(id, count, sizeof(*id), by_id);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || id[i].sample == ROW_NONE || !*collect_run(c, id[i].run).ptr ||
		    by_id(&id[i], &id[kept - 1]) != 0)
			id[kept++] = id[i];
	m->failings = kept;
	m->failed -= count - kept;
	return count - kept;
}

size_t duplicates_drop(struct collect *c, size_t group)
{
	struct collected *g = collect_group(c, group);
	struct missing_values *m = collect_missing(c, group);
	size_t count = g->count, limits;

	if (!g->several && collect_repeats(c, group)) {
		collect_identify(c, group);
		g->count = drop_repeated(c, g->identity, g->value, g->began, count);
	}
	count -= g->count;
	if (!m)
		return count;
	/* Each limit is also that of a failed sample, which is counted below. */
	limits = m->limits;
	m->limits = drop_repeated(c, m->limit_identity, m->limit, NULL, limits);
	limits -= m->limits;
	m->censored -= limits < m->censored ? limits : m->censored;
	return count + drop_failing(c, m);
}
