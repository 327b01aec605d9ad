/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stretches of consecutive samples; see sample_list.h.
 */
#include <stdlib.h>

#include "record/record.h"
#include "record/sample_list.h"

/* Returns a sample of a stretch. */
static struct sample_id sample_at(const struct sample_stretch *s, uint32_t number)
{
	return (struct sample_id){ s->run, s->process,
		s->first == ROW_NONE ? ROW_NONE : s->first + number };
}

/* Returns the number of stretches. */
static size_t stretches_of(const struct sample_list *l)
{
	return l->stretch.count ? 1 + l->mores : 0;
}

/* Returns a stretch by its number. */
static const struct sample_stretch *stretch_at(const struct sample_list *l, size_t number)
{
	return number ? &l->more[number - 1] : &l->stretch;
}

/* Makes a stretch longer if a sample is the next one of it. Returns whether it is. */
static bool extend_stretch(struct sample_stretch *s, const struct sample_id *id)
{
	struct sample_id next;

	if (s->count == UINT32_MAX || s->first >= INT64_MAX - UINT32_MAX)
		return false;
	next = sample_at(s, s->count);
	if (sample_id_order(&next, id) != 0)
		return false;
	s->count++;
	return true;
}

void sample_list_add(struct sample_list *l, const struct sample_id *id)
{
	struct sample_stretch *last = l->mores ? &l->more[l->mores - 1] : &l->stretch;

	if (last->count && extend_stretch(last, id))
		return;
	if (last->count)
		last = VEC_ADD_MANY(l->more, l->mores);
	*last = (struct sample_stretch){ id->run, 1, id->process, id->sample };
}

size_t sample_list_count(const struct sample_list *l)
{
	size_t samples = 0;

	for (size_t i = 0; i < stretches_of(l); i++)
		samples += stretch_at(l, i)->count;
	return samples;
}

struct sample_id *sample_list_expand(const struct sample_list *l)
{
	size_t samples = sample_list_count(l), n = 0;
	struct sample_id *id = samples ? mem_resize(NULL, samples, sizeof(*id)) : NULL;

	for (size_t i = 0; i < stretches_of(l); i++)
		for (uint32_t k = 0; k < stretch_at(l, i)->count; k++)
			id[n++] = sample_at(stretch_at(l, i), k);
	return id;
}

void sample_list_mark_runs(const struct sample_list *l, bool *is_run)
{
	for (size_t i = 0; i < stretches_of(l); i++)
		is_run[stretch_at(l, i)->run] = true;
}

bool sample_list_has_run(const struct sample_list *l, const bool *is_run)
{
	for (size_t i = 0; i < stretches_of(l); i++)
		if (is_run[stretch_at(l, i)->run])
			return true;
	return false;
}

void sample_list_renumber(struct sample_list *l, const uint32_t *number)
{
	if (l->stretch.count)
		l->stretch.run = number[l->stretch.run];
	for (size_t i = 0; i < l->mores; i++)
		l->more[i].run = number[l->more[i].run];
}

static int by_first(const void *a, const void *b)
{
	struct sample_id x = sample_at(a, 0), y = sample_at(b, 0);

	return sample_id_order(&x, &y);
}

bool sample_list_repeats(const struct sample_list *l, const bool *named)
{
	size_t count = 0;
	bool repeats = false, in_order = true;
	struct sample_stretch *sorted;

	if (!l->mores)
		return false;
	sorted = mem_resize(NULL, 1 + l->mores, sizeof(*sorted));
	for (size_t i = 0; i < stretches_of(l); i++) {
		const struct sample_stretch *s = stretch_at(l, i);

		if (s->first == ROW_NONE || !named[s->run])
			continue;
		sorted[count] = *s;
		in_order = in_order &&
		           (!count || by_first(&sorted[count - 1], &sorted[count]) < 0);
		count++;
	}
	if (!in_order)
		qsort(sorted, count, sizeof(*sorted), by_first);
	for (size_t i = 1; i < count && !repeats; i++) {
		struct sample_id last = sample_at(&sorted[i - 1], sorted[i - 1].count - 1);
		struct sample_id next = sample_at(&sorted[i], 0);

		repeats = sample_id_order(&last, &next) >= 0;
	}
	free(sorted);
	return repeats;
}

void sample_list_free(struct sample_list *l)
{
	free(l->more);
	*l = (struct sample_list){ 0 };
}
