/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The labels of benchmarks. A command, a function and a kernel can have the same name, and
 * lists would show them alike.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "site/site_model.h"

/* The names of benchmarks, and the kinds of each. */
struct labels {
	struct intern names;
	struct label {
		struct text kind; /* the first */
		bool ambiguous;
	} * label;
	size_t count, cap;
};

static void note_kind(struct labels *l, const struct site_series *s)
{
	size_t number = intern_add(&l->names, s->name[SITE_BENCH]);

	if (number == l->count)
		*VEC_ADD(l->label, l->count, l->cap) =
		    (struct label){ .kind = s->name[SITE_KIND] };
	else if (!text_equal(l->label[number].kind, s->name[SITE_KIND]))
		l->label[number].ambiguous = true;
}

static void set_label(struct labels *l, struct site_series *s)
{
	struct text bench = s->name[SITE_BENCH], kind = s->name[SITE_KIND];

	if (l->label[intern_add(&l->names, bench)].ambiguous && kind.len)
		s->label = str_format(
		    "%.*s (%.*s)", (int)bench.len, bench.ptr, (int)kind.len, kind.ptr);
}

void site_model_label(struct site_model *m)
{
	struct labels l = { 0 };

	for (size_t i = 0; i < m->count + m->valueless; i++)
		note_kind(&l, &m->series[i]);
	for (size_t i = 0; i < m->profiles; i++)
		note_kind(&l, &m->profile[i].subject);
	for (size_t i = 0; i < m->count + m->valueless; i++)
		set_label(&l, &m->series[i]);
	for (size_t i = 0; i < m->profiles; i++)
		set_label(&l, &m->profile[i].subject);
	intern_free(&l.names);
	free(l.label);
}
