/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds series that lack the newest value; see absent_values.h. */
#include <stdlib.h>

#include "base/intern.h"
#include "history/absent_values.h"
#include "history/history_notes.h"
#include "text/display_text.h"

enum { ABSENT_SHOWN = 20, VALUES_LEAST = 3 /* of a series that can be compared */ };

/* The subjects of all series, and the series of each metric, in any unit, with the
 * latest values. */
struct newest_values_of {
	const struct history *history;
	struct intern keys;
	const struct history_series **newest; /* by key */
	size_t cap;
};

/* Returns the columns of a series that identify its subject or, with the metric, its
 * quantity, as an empty buffer's contents. */
static struct text key_of(const struct history *h, const struct history_series *s,
    bool with_metric, struct buf *key)
{
	size_t *id, count = groups_columns(history_groups(h), &id);

	key->len = 0;
	buf_byte(key, with_metric ? 'm' : 's');
	for (size_t i = 0; i < count; i++) {
		struct text t = groups_cell(history_groups(h), s->group, id[i]);

		if (id[i] == COL_UNIT || (id[i] == COL_METRIC && !with_metric))
			continue;
		buf_put(key, &t.len, sizeof(t.len));
		buf_text(key, t);
	}
	free(id);
	return text_in(key);
}

static void add_series(struct newest_values_of *n, const struct history_series *s,
    bool with_metric, struct buf *key)
{
	size_t count = n->keys.count,
	       at = intern_add(&n->keys, key_of(n->history, s, with_metric, key));

	if (at == count)
		*VEC_ADD(n->newest, count, n->cap) = s;
	else if (history_precedes(
	             history_last(n->history, n->newest[at]), history_last(n->history, s)))
		n->newest[at] = s;
}

static const struct history_series *newest_of(const struct newest_values_of *n,
    const struct history_series *s, bool with_metric, struct buf *key)
{
	return n->newest[intern_find(&n->keys, key_of(n->history, s, with_metric, key))];
}

static void put_absent(struct buf *b, const struct history *h,
    const struct history_series *s, const struct history_series *of_unit,
    const struct history_series *of_subject)
{
	buf_str(b, "cannot decide: ");
	history_put_series(b, h, s);
	if (of_unit != s) {
		buf_str(b, ": the unit of the newest commit, '");
		display_text_clean(b, history_point_name(h, history_last(h, of_unit)));
		buf_str(b, "', is '");
		display_text_clean(
		    b, groups_cell(history_groups(h), of_unit->group, COL_UNIT));
		buf_str(b, "', and not '");
		display_text_clean(b, groups_cell(history_groups(h), s->group, COL_UNIT));
		buf_byte(b, '\'');
	} else {
		buf_str(b, ": no value of the newest commit, '");
		display_text_clean(b, history_point_name(h, history_last(h, of_subject)));
		buf_str(b, "', which has other metrics");
	}
	buf_str(b, " (use --since to leave the series out, or --allow-missing)\n");
}

size_t absent_values_note(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines)
{
	struct newest_values_of n = { .history = h };
	struct buf key = { 0 };
	size_t all, absent = 0;
	const struct history_series *s = history_list(h, &all);

	for (size_t i = 0; i < all; i++) {
		add_series(&n, &s[i], false, &key);
		add_series(&n, &s[i], true, &key);
	}
	for (size_t i = 0; i < count; i++) {
		const struct history_series *own = list[i].series, *of_unit, *of_subject;

		if (!own->decides || own->failed)
			continue;
		of_subject = newest_of(&n, own, false, &key);
		of_unit = newest_of(&n, own, true, &key);
		if (!history_precedes(history_last(h, own), history_last(h, of_subject)) ||
		    (of_unit != own && of_unit->count >= VALUES_LEAST))
			continue;
		if (absent++ < ABSENT_SHOWN)
			put_absent(lines, h, own, of_unit, of_subject);
	}
	if (absent > ABSENT_SHOWN)
		buf_printf(
		    lines, "cannot decide: %zu more series\n", absent - ABSENT_SHOWN);
	free(n.newest);
	intern_free(&n.keys);
	buf_free(&key);
	return absent;
}
