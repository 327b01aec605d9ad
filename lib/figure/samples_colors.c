/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The colors of series of samples; see samples_priv.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "figure/samples_priv.h"
#include "svg/palette.h"

/* Returns the number of the strings that a group has in the columns, in order of
 * appearance.
 */
static size_t number_of(
    struct intern *seen, const struct groups *groups, size_t group, const struct columns *c)
{
	struct buf key = { 0 };
	size_t number;

	for (size_t k = 0; k < c->count; k++) {
		struct text t = groups_cell(groups, group, c->id[k]);

		buf_put(&key, &t.len, sizeof(t.len));
		buf_text(&key, t);
	}
	number = intern_add(seen, text_in(&key));
	buf_free(&key);
	return number;
}

/* Returns whether a subject is of the same kind as one that is drawn. */
static bool is_drawn_kind(const struct samples_making *m, size_t subject)
{
	const struct facet *fa = &m->facet;
	struct text kind = groups_cell(m->input->subjects, subject, COL_KIND);

	for (size_t i = 0; i < fa->picks; i++)
		if (text_equal(kind, facet_cell(fa, i, COL_KIND)))
			return true;
	return false;
}

void samples_color(struct samples_making *m, const size_t *series)
{
	const struct facet *fa = &m->facet;
	struct figure *fig = m->fig;
	size_t bench = COL_BENCH;
	struct columns one = { &bench, 1, 0 };
	/* The only series of a line is identified by its benchmark. */
	const struct columns *by = fa->series.count || m->kind->lanes ? &fa->series : &one;
	struct intern seen = { 0 };
	unsigned last = 0;

	if (fa->series.count == 1 && fig->series_count > 1 &&
	    facet_numeric(fa, fa->series.id[0])) {
		fig->colors = COLORS_OF_RANKS;
		return;
	}
	for (size_t i = 0; i < groups_count(m->input->subjects); i++)
		if (is_drawn_kind(m, i))
			number_of(&seen, m->input->subjects, i, by);
	fig->slot = mem_zero(fig->series_count, sizeof(*fig->slot));
	for (size_t i = 0; i < fa->picks; i++) {
		unsigned slot = (unsigned)number_of(&seen, fa->groups, fa->pick[i], by);

		fig->slot[series[i]] = slot;
		last = slot > last ? slot : last;
	}
	/* A few series of many subjects need different colors more than the same ones. */
	if (last >= PALETTE_SLOTS && fig->series_count <= PALETTE_SLOTS) {
		free(fig->slot);
		fig->slot = NULL;
	}
	intern_free(&seen);
}
