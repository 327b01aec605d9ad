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

void sample_list_add(struct sample_list *l, const struct sample_id *id)
{
	struct sample_stretch *last = l->count ? &l->stretch[l->count - 1] : NULL;
	struct sample_id next;

	l->samples++;
	if (last && last->count < UINT32_MAX && last->first < INT64_MAX - UINT32_MAX) {
		next = sample_at(last, last->count);
		if (sample_id_order(&next, id) == 0) {
			last->count++;
			return;
		}
	}
	if (l->count == l->cap) { /* nearly all lists have a single stretch */
		l->cap += l->cap / 2 + 1;
		l->stretch = mem_resize(l->stretch, l->cap, sizeof(*l->stretch));
	}
	l->stretch[l->count++] =
	    (struct sample_stretch){ id->run, 1, id->process, id->sample };
}

struct sample_id *sample_list_expand(const struct sample_list *l)
{
	struct sample_id *id =
	    l->samples ? mem_resize(NULL, l->samples, sizeof(*id)) : NULL;
	size_t n = 0;

	for (size_t i = 0; i < l->count; i++)
		for (uint32_t k = 0; k < l->stretch[i].count; k++)
			id[n++] = sample_at(&l->stretch[i], k);
	return id;
}

void sample_list_renumber(struct sample_list *l, const uint32_t *number)
{
	for (size_t i = 0; i < l->count; i++)
		l->stretch[i].run = number[l->stretch[i].run];
}

static int by_first(const void *a, const void *b)
{
	struct sample_id x = sample_at(a, 0), y = sample_at(b, 0);

	return sample_id_order(&x, &y);
}

bool sample_list_repeats(const struct sample_list *l, const bool *named)
{
	struct sample_stretch *sorted = mem_zero(l->count + 1, sizeof(*sorted));
	size_t count = 0;
	bool repeats = false, in_order = true;

	for (size_t i = 0; i < l->count; i++) {
		if (l->stretch[i].first == ROW_NONE || !named[l->stretch[i].run])
			continue;
		sorted[count] = l->stretch[i];
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
	free(l->stretch);
	*l = (struct sample_list){ 0 };
}
