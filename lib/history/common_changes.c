/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds changes that probably come from the machine; see history_note_machines() and
 * history_common_changes(). A new kernel or library moves many series in one night. One
 * note about all of them is shorter, and more likely to be right, than one for each.
 */
#include <stdlib.h>

#include "history/history_notes.h"
#include "text/display_text.h"

enum { COMMON_LEAST = 5 };

/* A point at which a series of a host changed. */
struct host_change {
	const struct history_point *at; /* in a series where env changed, if there is one */
	bool env_changed;
	size_t host, changed;
};

struct host_changes {
	const struct history *history;
	struct intern hosts, keys;
	size_t *series; /* by host: series that decide and are long enough */
	size_t series_count, series_cap;
	struct host_change *place; /* by number in keys */
	size_t count, cap;
};

bool history_env_changed(const struct history_point *at)
{
	return at->env && at[-1].env && at->env != at[-1].env;
}

static size_t host_of(struct host_changes *p, const struct history_series *s)
{
	size_t host = intern_add(
	    &p->hosts, groups_cell(history_groups(p->history), s->group, COL_HOST));

	if (host == p->series_count)
		*VEC_ADD(p->series, p->series_count, p->series_cap) = 0;
	return host;
}

static struct host_change *place_of(
    struct host_changes *p, size_t host, const struct history_point *at, struct buf *key)
{
	size_t number;

	key->len = 0;
	buf_put(key, &host, sizeof(host));
	buf_put(key, &at->place, sizeof(at->place));
	number = intern_add(&p->keys, text_in(key));
	if (number == p->count)
		*VEC_ADD(p->place, p->count, p->cap) =
		    (struct host_change){ .at = at, .host = host };
	return &p->place[number];
}

static bool is_common(const struct host_changes *p, const struct host_change *place)
{
	return place->changed >= COMMON_LEAST &&
	       2 * place->changed >= p->series[place->host];
}

static void put_env(
    struct buf *lines, const struct history *h, const struct history_point *at)
{
	buf_str(lines, ", from ");
	display_text_clean(lines, history_text(h, at[-1].env));
	buf_str(lines, " to ");
	display_text_clean(lines, history_text(h, at->env));
}

static void note_common(
    const struct host_changes *p, const struct host_change *place, struct buf *lines)
{
	const struct history *h = p->history;
	const struct history_point *at = place->at;
	struct text host = intern_text(&p->hosts, place->host);

	if (host.len) {
		buf_str(lines, "host=");
		display_text_clean(lines, host);
		buf_str(lines, ": ");
	}
	buf_printf(
	    lines, "%zu of %zu series changed at ", place->changed, p->series[place->host]);
	display_text_clean(lines,
	    history_text(h, at->place == at->commit || !at->time ? at->place : at->time));
	buf_str(
	    lines, ", so they probably have one cause, such as the machine or a library");
	if (place->env_changed) {
		buf_str(lines, "; env changed also");
		put_env(lines, h, at);
		facts_explain(history_facts(h), history_text(h, at[-1].env),
		    history_text(h, at->env), lines);
	}
	buf_byte(lines, '\n');
}

static void note_single(const struct host_changes *p, const struct history_series *s,
    const struct history_point *at, struct buf *lines)
{
	const struct history *h = p->history;
	const struct facts *facts = history_facts(h);

	if (!history_env_changed(at))
		return;
	history_put_series(lines, h, s);
	buf_str(lines, ": env changed where the series changed, at ");
	display_text_clean(lines, history_point_name(h, at));
	put_env(lines, h, at);
	if (facts_known(facts, history_text(h, at[-1].env), history_text(h, at->env)))
		facts_explain(
		    facts, history_text(h, at[-1].env), history_text(h, at->env), lines);
	buf_byte(lines, '\n');
}

/* Calls a function for each change of a series that decides, in the requested range. */
static void each_change(struct host_changes *p,
    void (*each)(struct host_changes *p, const struct history_series *s,
        const struct history_point *at, struct buf *lines),
    struct buf *lines)
{
	size_t count;
	const struct history_series *list = history_list(p->history, &count);

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; list[i].decides && k < list[i].changes; k++) {
			const struct history_point *at = history_points(p->history) +
			                                 list[i].first +
			                                 list[i].change[k].at;

			if (history_in_range(p->history, at))
				each(p, &list[i], at, lines);
		}
}

static void count_change(struct host_changes *p, const struct history_series *s,
    const struct history_point *at, struct buf *scratch)
{
	struct host_change *place = place_of(p, host_of(p, s), at, scratch);

	place->changed++;
	if (!place->env_changed && history_env_changed(at)) {
		place->at = at;
		place->env_changed = true;
	}
}

static void note_change(struct host_changes *p, const struct history_series *s,
    const struct history_point *at, struct buf *lines)
{
	struct buf key = { 0 };

	if (!is_common(p, place_of(p, host_of(p, s), at, &key)))
		note_single(p, s, at, lines);
	buf_free(&key);
}

/* Returns whether a series decides and can have changes. Samples that all succeed say
 * nothing about a machine. */
static bool can_change(const struct history *h, const struct history_series *s)
{
	return s->decides && s->tested &&
	       (s->changes ||
	           !text_is(groups_cell(history_groups(h), s->group, COL_METRIC), "ok"));
}

static void count_changes(struct host_changes *p)
{
	struct buf scratch = { 0 };
	size_t count;
	const struct history_series *list = history_list(p->history, &count);

	for (size_t i = 0; i < count; i++)
		if (can_change(p->history, &list[i])) {
			size_t host = host_of(p, &list[i]);

			p->series[host]++;
		}
	each_change(p, count_change, &scratch);
	buf_free(&scratch);
}

static void free_changes(struct host_changes *p)
{
	intern_free(&p->hosts);
	intern_free(&p->keys);
	free(p->series);
	free(p->place);
}

void history_note_machines(const struct history *h, struct buf *lines)
{
	struct host_changes p = { .history = h };

	count_changes(&p);
	for (size_t i = 0; i < p.count; i++)
		if (is_common(&p, &p.place[i]))
			note_common(&p, &p.place[i], lines);
	each_change(&p, note_change, lines);
	free_changes(&p);
}

struct history_common *history_common_changes(const struct history *h, size_t *count)
{
	struct host_changes p = { .history = h };
	struct history_common *list = NULL;
	size_t cap = 0;

	*count = 0;
	count_changes(&p);
	for (size_t i = 0; i < p.count; i++)
		if (is_common(&p, &p.place[i]))
			*VEC_ADD(list, *count, cap) = (struct history_common){
				.at = p.place[i].at,
				.env_changed = p.place[i].env_changed,
				.changed = p.place[i].changed,
				.series = p.series[p.place[i].host],
			};
	free_changes(&p);
	return list;
}
