/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of metrics; see metric.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "io/csv_table.h"
#include "record/metric.h"

enum { NAME, UNIT, BETTER, CLASS, MEANING, PRIMARY, POSITIVE, FIELDS };
static const char *const columns[FIELDS] = { "name", "unit", "better", "class", "meaning",
	"primary", "positive" };

struct metrics {
	struct metric *metric;
	size_t count, cap;
};

static const char *const better_names[] = {
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
	[BETTER_NEITHER] = "none",
};

bool better_parse(struct text t, enum better *out)
{
	for (size_t i = 0; i < COUNT(better_names); i++)
		if (text_is(t, better_names[i])) {
			*out = (enum better)i;
			return true;
		}
	return false;
}

static int take_row(
    struct metrics *m, const struct csv_table *g, const size_t at[FIELDS], struct fault *f)
{
	struct text field[FIELDS];
	enum better better;
	size_t prefix;

	if (csv_table_expect(g, FIELDS, f) < 0)
		return -1;
	for (size_t i = 0; i < FIELDS; i++)
		field[i] = csv_table_field(g, at[i]);
	if (!better_parse(field[BETTER], &better))
		return csv_table_fault(g, f, "better is lower, higher or none");
	prefix = field[NAME].len && field[NAME].ptr[field[NAME].len - 1] == '*'
	             ? field[NAME].len - 1
	             : 0;
	*VEC_ADD(m->metric, m->count, m->cap) = (struct metric){
		.prefix = prefix,
		.name = mem_text(field[NAME].ptr, field[NAME].len),
		.unit = mem_text(field[UNIT].ptr, field[UNIT].len),
		.meaning = mem_text(field[MEANING].ptr, field[MEANING].len),
		.primary = mem_text(field[PRIMARY].ptr, field[PRIMARY].len),
		.better = better,
		.is_count = text_is(field[CLASS], "count"),
		.is_each = text_is(field[CLASS], "each"),
		.is_positive = text_is(field[POSITIVE], "yes"),
	};
	return 0;
}

/* Parses the text of the table. Returns NULL and the message if a row is invalid. */
static struct metrics *metrics_parse(struct text csv, struct fault *f)
{
	struct metrics *m = mem_zero(1, sizeof(*m));
	struct csv_table g = { 0 };
	size_t at[FIELDS];
	int status = csv_table_open(&g, csv, "metrics.csv", f);

	if (status == 0)
		status = csv_table_expect(&g, FIELDS, f);
	if (status == 0)
		status = csv_table_require(&g, columns, FIELDS, at, f);
	while (status == 0 && (status = csv_table_next(&g, f)) > 0)
		status = take_row(m, &g, at, f);
	csv_table_free(&g);
	if (status == 0)
		return m;
	metrics_free(m);
	return NULL;
}

struct metrics *metrics_open(struct fault *f)
{
	struct buf text = { 0 };
	struct metrics *m = NULL;

	if (share_read("metrics.csv", &text, f) == 0)
		m = metrics_parse(text_in(&text), f);
	buf_free(&text);
	return m;
}

const struct metric *metrics_find(const struct metrics *m, struct text name)
{
	const struct metric *found = NULL;

	for (size_t i = 0; i < m->count; i++) {
		const struct metric *row = &m->metric[i];

		if (!row->prefix && text_is(name, row->name))
			return row;
		if (row->prefix && name.len >= row->prefix &&
		    memcmp(name.ptr, row->name, row->prefix) == 0 &&
		    (!found || row->prefix > found->prefix))
			found = row;
	}
	return found;
}

enum better metrics_better(const struct metrics *m, struct text name, struct text unit)
{
	const struct metric *known = metrics_find(m, name);

	if (known)
		return known->better;
	return unit.len > 2 && memcmp(unit.ptr + unit.len - 2, "/s", 2) == 0 ? BETTER_HIGHER
	                                                                     : BETTER_LOWER;
}

/* Returns whether a name is that of a counter event with a modifier, such as "cycles:u", of
 * a tracepoint, or of an event of a PMU, such as "cpu/event=0xc0/". */
static bool is_event(const char *name)
{
	const char *slash = strchr(name, '/');

	return strchr(name, ':') || (slash && strchr(slash + 1, '/'));
}

/* Returns whether a list of words, separated by spaces, has this word. */
static bool has_word(const char *list, struct text word)
{
	for (size_t len; *list; list += len + (list[len] == ' ')) {
		len = strcspn(list, " ");
		if (text_equal((struct text){ list, len }, word))
			return true;
	}
	return false;
}

bool metrics_positive(const struct metrics *m, struct text name)
{
	const struct metric *known = metrics_find(m, name);

	return known && known->is_positive;
}

bool metrics_primary(const struct metrics *m, struct text name, struct text kind)
{
	const struct metric *known = metrics_find(m, name);
	char *whole;
	bool primary;

	if (known)
		return *known->primary &&
		       (!kind.len || strcmp(known->primary, "yes") == 0 ||
		           has_word(known->primary, kind));
	whole = mem_text(name.ptr, name.len);
	primary = !is_event(whole);
	free(whole);
	return primary;
}

bool metric_has_limits(struct text name)
{
	static const char *const times[] = { "wall", "latency", "service" };

	for (size_t i = 0; i < COUNT(times); i++)
		if (text_is(name, times[i]))
			return true;
	return false;
}

bool metric_is_since_arrival(struct text name)
{
	return text_is(name, "latency") || text_is(name, "wait");
}

bool metric_is_of_requests(struct text name)
{
	return metric_is_since_arrival(name) || text_is(name, "service");
}

void metrics_free(struct metrics *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->count; i++) {
		free(m->metric[i].name);
		free(m->metric[i].unit);
		free(m->metric[i].meaning);
		free(m->metric[i].primary);
	}
	free(m->metric);
	free(m);
}
