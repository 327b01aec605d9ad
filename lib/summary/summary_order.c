/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorts groups by one column; see summary_order.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "summary/summary_order.h"
#include "text/near_name.h"
#include "text/units.h"

struct sort_key {
	size_t group;
	double number; /* NAN if empty */
	struct text text;
	int sign; /* -1: descending */
	bool by_text;
};

/* Returns the id of the column of the key that the output shows by this name, or -1. */
static long key_column(const struct groups *g, struct text name)
{
	struct text bare = { name.ptr, name.len - (name.len > 0) };
	bool renamed = name.len > 1 && name.ptr[bare.len] == '_' && statistic_find(bare);
	size_t *ids, count = groups_columns(g, &ids);
	long found = -1;

	for (size_t i = 0; i < count && found < 0; i++)
		if (text_is(renamed ? bare : name, groups_schema(g)->name[ids[i]]))
			found = (long)ids[i];
	free(ids);
	return found;
}

static int compare_values(const struct sort_key *a, const struct sort_key *b)
{
	size_t len = a->text.len < b->text.len ? a->text.len : b->text.len;
	int order;

	if (!a->by_text)
		return (a->number > b->number) - (a->number < b->number);
	order = memcmp(a->text.ptr, b->text.ptr, len);
	return order ? order : (a->text.len > b->text.len) - (a->text.len < b->text.len);
}

static bool key_is_empty(const struct sort_key *k)
{
	return k->by_text ? !k->text.len : isnan(k->number);
}

static int compare_keys(const void *left, const void *right)
{
	const struct sort_key *a = left, *b = right;
	int order = key_is_empty(a) - key_is_empty(b);

	if (!order && !key_is_empty(a))
		order = a->sign * compare_values(a, b);
	return order ? order : (a->group > b->group) - (a->group < b->group);
}

static void read_statistics(struct sort_key *key, size_t count, struct collect *c,
    const struct summary_opts *o, const struct chosen_statistic *s)
{
	struct chosen_summary summary;

	for (size_t i = 0; i < count; i++) {
		chosen_summarize(c, i, o->ordered, o->inference.confidence,
		    chosen_statistic_is_median_end(s), &summary);
		key[i].number = chosen_statistic_value(s, &summary).at;
	}
}

static void read_texts(
    struct sort_key *key, size_t count, const struct groups *g, size_t column)
{
	bool by_text = false;

	for (size_t i = 0; i < count; i++) {
		key[i].text = groups_cell(g, i, column);
		key[i].number = NAN;
		by_text |= key[i].text.len && !number_parse(key[i].text, &key[i].number);
	}
	for (size_t i = 0; i < count; i++)
		key[i].by_text = by_text;
}

size_t *summary_order(const struct groups *g, struct collect *c,
    const struct summary_opts *o, const char *column, struct fault *f)
{
	int sign = *column == '-' ? -1 : 1;
	const char *name = column + (sign < 0);
	struct chosen_statistic statistic;
	bool is_statistic = chosen_statistic_parse(text_of(name), &statistic);
	long id = is_statistic ? -1 : key_column(g, text_of(name));
	size_t count = groups_count(g), *order;
	struct sort_key *key;

	if (!is_statistic && id < 0 && count) {
		struct known_names keys = { 0 };
		size_t *ids, columns = groups_columns(g, &ids);

		for (size_t i = 0; i < columns; i++)
			known_names_add(&keys, text_of(groups_schema(g)->name[ids[i]]));
		free(ids);
		summary_unknown_statistic(
		    f, "--sort: the output has no column", text_of(name), &keys, true);
		return NULL;
	}
	key = mem_zero(count + 1, sizeof(*key));
	order = mem_zero(count + 1, sizeof(*order));
	if (is_statistic || !count)
		read_statistics(key, count, c, o, &statistic);
	else
		read_texts(key, count, g, (size_t)id);
	for (size_t i = 0; i < count; i++) {
		key[i].group = i;
		key[i].sign = sign;
	}
	if (count > 1)
		qsort(key, count, sizeof(*key), compare_keys);
	for (size_t i = 0; i < count; i++)
		order[i] = key[i].group;
	free(key);
	return order;
}

/* Returns whether a statistic that is printed or sorted by is of this sort. */
static bool shows(const struct summary_opts *o, const char *sort,
    bool (*is)(const struct chosen_statistic *c))
{
	struct chosen_statistic by;
	bool any =
	    sort && chosen_statistic_parse(text_of(sort + (*sort == '-')), &by) && is(&by);

	for (size_t i = 0; i < o->count; i++)
		any |= is(&o->statistic[i]);
	return any;
}

struct ordered_groups *summary_order_values(const struct groups *g, struct collect *c,
    const struct summary_opts *o, const char *sort)
{
	bool all = shows(o, sort, chosen_statistic_ordered);

	if (!all && o->statistic && !shows(o, sort, chosen_statistic_is_median_end))
		return NULL;
	return ordered_groups_open(g, c, all);
}
