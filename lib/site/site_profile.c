/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profiles of a site; see site_model.h. The stacks of all programs of a subject belong
 * to one profile.
 */
#include <math.h>
#include <stdlib.h>

#include "site/site_model.h"

/* A subject is identified by these names, each with a NUL, and by its packed factors. */
static const enum site_name key_names[] = { SITE_HOST, SITE_KIND, SITE_BENCH };

/* Appends packed factors without those of stacks. Returns whether there is a stack. */
static bool put_subject(struct buf *out, struct text factors)
{
	const char *p = factors.ptr, *end = p + factors.len;
	struct text name, value;
	bool found = false;

	while (p < end) {
		const char *from = p;

		p = site_cache_text(p, &name);
		p = site_cache_text(p, &value);
		if (text_is(name, "stack"))
			found = found || value.len;
		else if (!text_is(name, "comm"))
			buf_put(out, from, (size_t)(p - from));
	}
	return found;
}

/* Makes a profile of the names of one of its series. */
static void add_profile(
    struct site_model *m, const struct text name[SITE_NAMES], struct text key)
{
	struct site_profile *p = VEC_ADD(m->profile, m->profiles, m->profile_cap);

	*p = (struct site_profile){
		.number = m->profiles - 1, .newest = SITE_NONE, .reference = SITE_NONE
	};
	site_id(p->id, key, 0);
	for (size_t i = 0; i < SITE_NAMES; i++)
		p->subject.name[i] = name[i];
	p->subject.name[SITE_METRIC] = p->subject.name[SITE_UNIT] = TEXT("");
}

bool site_profile_take(
    struct site_model *m, size_t series, const struct text name[SITE_NAMES])
{
	struct buf key = { 0 };
	size_t number;
	bool found;

	for (size_t i = 0; i < COUNT(key_names); i++) {
		buf_text(&key, name[key_names[i]]);
		buf_byte(&key, '\0');
	}
	found = put_subject(&key, name[SITE_FACTORS]);
	if (found) {
		struct text whole = { key.ptr, key.len };

		if (!m->profile_of)
			m->profile_of =
			    mem_zero(m->cache.series.count, sizeof(*m->profile_of));
		number = intern_add(&m->subjects, whole);
		if (number == m->profiles)
			add_profile(m, name, whole);
		m->profile_of[series] = (uint32_t)number + 1;
	}
	buf_free(&key);
	return found;
}

/* Sets the factors of a profile, after the last subject has its place in memory. */
static void set_factors(const struct site_model *m, struct site_profile *p)
{
	struct text key = intern_text(&m->subjects, p->number);

	for (size_t i = 0; i < COUNT(key_names); i++) {
		size_t len = p->subject.name[key_names[i]].len + 1;

		key.ptr += len;
		key.len -= len;
	}
	p->subject.name[SITE_FACTORS] = key;
}

/* Notes that a profile has results in a visit; later visits come first. */
static void note_visit(const struct site_model *m, struct site_profile *p, uint32_t visit)
{
	const struct site_visit *all = m->cache.visit;

	if (p->newest == SITE_NONE)
		p->newest = visit;
	else if (p->reference == SITE_NONE && *all[visit].commit &&
	         *all[p->newest].commit &&
	         strcmp(all[visit].commit, all[p->newest].commit) != 0)
		p->reference = visit;
}

static int by_subject(const void *a, const void *b)
{
	const struct site_profile *x = a, *y = b;

	return site_series_order(&x->subject, &y->subject);
}

void site_profile_finish(struct site_model *m)
{
	size_t kept = 0;

	for (size_t i = m->profiles ? m->cache.visits : 0; i-- > 0;) {
		const struct site_entry *e =
		    site_cache_entries(&m->cache, &m->cache.visit[i]);

		for (size_t k = 0; k < m->cache.visit[i].entries; k++)
			if (m->profile_of[e[k].series] && e[k].value > 0)
				note_visit(m, &m->profile[m->profile_of[e[k].series] - 1],
				    (uint32_t)i);
	}
	for (size_t i = 0; i < m->profiles; i++)
		if (m->profile[i].newest != SITE_NONE) {
			set_factors(m, &m->profile[i]);
			m->profile[kept++] = m->profile[i];
		}
	m->profiles = kept;
	if (kept)
		qsort(m->profile, kept, sizeof(*m->profile), by_subject);
}

static bool is_profile_of(const struct site_profile *p, const struct site_series *s)
{
	return text_equal(p->subject.name[SITE_BENCH], s->name[SITE_BENCH]) &&
	       text_equal(p->subject.name[SITE_KIND], s->name[SITE_KIND]);
}

const struct site_profile *site_profile_find(
    const struct site_model *m, const struct site_series *s, size_t *count)
{
	size_t from = 0, to = m->profiles;
	struct site_series key = { .points = 0 };

	for (size_t i = 0; i < SITE_NAMES; i++)
		key.name[i] = TEXT("");
	key.name[SITE_BENCH] = s->name[SITE_BENCH];
	key.name[SITE_KIND] = s->name[SITE_KIND];
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (site_series_order(&m->profile[middle].subject, &key) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	for (*count = 0; from + *count < m->profiles;)
		if (is_profile_of(&m->profile[from + *count], s))
			++*count;
		else
			break;
	return *count ? &m->profile[from] : NULL;
}
