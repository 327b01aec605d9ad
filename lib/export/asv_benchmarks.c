/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Benchmarks of airspeed velocity; see asv_benchmarks.h.
 */
#include <stdlib.h>

#include "export/asv_benchmarks.h"
#include "convert/from.h"
#include "record/subject_groups.h"

enum { COMBINATIONS_MAX = 1000000 };

/* By the beginning of a name, asv and the reader of its files find out what a
 * benchmark measures. */
static const struct kind {
	const char *metric, *unit;
	const char *prefix, *other_prefix, *type, *asvs;
	int exponent;
} kinds[] = {
	{ "wall", "ns", "time_", "timeraw_", "time", "seconds", -9 },
	{ "max_rss", "B", "peakmem_", "peakmem_", "peakmemory", "bytes", 0 },
	{ "memory", "B", "mem_", "peakmem_", "memory", "bytes", 0 },
	{ "track", NULL, "track_", "track_", "track", NULL, 0 },
	{ NULL, "ns", "track_", "track_", "track", "seconds", -9 },
	{ NULL, "B", "track_", "track_", "track", "bytes", 0 },
	{ NULL, NULL, "track_", "track_", "track", NULL, 0 },
};

static const struct kind *kind_of(const struct subject_samples *t, size_t group)
{
	struct text metric = subject_samples_cell(t, group, COL_METRIC),
	            unit = subject_samples_cell(t, group, COL_UNIT);
	const struct kind *k = kinds;

	while ((k->metric && !text_is(metric, k->metric)) ||
	       (k->unit && !text_is(unit, k->unit)))
		k++;
	return k;
}

/* Returns whether a name of asv, such as module.Class.time_sort, has the prefix already. */
static bool has_prefix(struct text name, const char *prefix)
{
	size_t at = name.len;

	while (at && name.ptr[at - 1] != '.')
		at--;
	return text_begins(text_after(name, at), prefix) ||
	       text_begins(name, prefix);
}

static char *name_of(const struct subject_samples *t, size_t group, const struct kind *k,
    struct intern *names)
{
	struct text bench = subject_samples_cell(t, group, COL_BENCH),
	            metric = subject_samples_cell(t, group, COL_METRIC);
	struct buf name = { 0 };
	char *copy;

	if (!k->metric)
		buf_printf(&name, "%s%.*s_", k->prefix, (int)metric.len,
		    metric.len ? metric.ptr : "");
	else if (!has_prefix(bench, k->prefix) && !has_prefix(bench, k->other_prefix))
		buf_str(&name, k->prefix);
	buf_text(&name, bench.len ? bench : TEXT("unnamed"));
	subject_name_unique(names, &name);
	copy = mem_text(name.ptr, name.len);
	buf_free(&name);
	return copy;
}

/* Finds the factors of a benchmark that any of its groups has, and all their values. next
 * links its groups. */
static void find_parameters(
    const struct subject_samples *t, struct asv_benchmark *b, const size_t *next)
{
	const struct schema *schema = groups_schema(t->groups);

	b->parameter = mem_zero(schema->count, sizeof(*b->parameter));
	for (size_t column = COL_FACTORS; column < schema->count; column++) {
		struct asv_parameter *p = &b->parameter[b->parameters];

		p->column = column;
		for (size_t g = b->first; g != ASV_NO_GROUP; g = next[g])
			intern_add(&p->values, groups_cell(t->groups, g, column));
		if (p->values.count > 1 || intern_text(&p->values, 0).len)
			b->parameters++;
		else
			intern_free(&p->values);
	}
}

/* Finds the group of each combination, at most max. Returns 0, or -1 and the message. */
static int find_combinations(const struct subject_samples *t, struct asv_benchmark *b,
    const size_t *next, size_t max, struct fault *f)
{
	b->combinations = 1;
	for (size_t i = 0; i < b->parameters; i++) {
		size_t n = b->parameter[i].values.count;

		if (n > max / b->combinations)
			return fault_set(f,
			    "%.200s: more than a million combinations of parameters, for "
			    "each of which a file of asv has a result",
			    b->name);
		b->combinations *= n;
	}
	b->group = mem_resize(NULL, b->combinations, sizeof(*b->group));
	for (size_t i = 0; i < b->combinations; i++)
		b->group[i] = ASV_NO_GROUP;
	for (size_t g = b->first; g != ASV_NO_GROUP; g = next[g]) {
		size_t at = 0;

		for (size_t i = 0; i < b->parameters; i++) {
			struct asv_parameter *p = &b->parameter[i];

			at = at * p->values.count +
			     (size_t)intern_find(
			         &p->values, groups_cell(t->groups, g, p->column));
		}
		b->group[at] = g;
	}
	return 0;
}

int asv_benchmarks_find(
    const struct subject_samples *t, struct asv_benchmarks *out, struct fault *f)
{
	size_t *next = mem_resize(NULL, t->count, sizeof(*next));
	static const enum column columns[] = { COL_KIND, COL_BENCH, COL_METRIC, COL_UNIT };
	struct intern keys = { 0 }, names = { 0 };
	size_t combinations = 0;
	int status = 0;

	for (size_t g = 0; g < t->count; g++) {
		size_t number =
		    subject_samples_number(t, g, columns, COUNT(columns), &keys);
		const struct kind *k = kind_of(t, g);

		next[g] = ASV_NO_GROUP;
		if (number < out->count) {
			next[out->of[number].last] = g;
			out->of[number].last = g;
		} else {
			*VEC_ADD(out->of, out->count, out->cap) =
			    (struct asv_benchmark){ .name = name_of(t, g, k, &names),
				    .type = k->type,
				    .unit = k->asvs,
				    .exponent = k->exponent,
				    .first = g,
				    .last = g };
		}
	}
	for (size_t i = 0; status == 0 && i < out->count; i++) {
		find_parameters(t, &out->of[i], next);
		status = find_combinations(t, &out->of[i], next,
		    combinations < COMBINATIONS_MAX ? COMBINATIONS_MAX - combinations : 0,
		    f);
		combinations += out->of[i].combinations;
	}
	intern_free(&keys);
	intern_free(&names);
	free(next);
	return status;
}

void asv_benchmarks_free(struct asv_benchmarks *b)
{
	for (size_t i = 0; i < b->count; i++) {
		for (size_t k = 0; k < b->of[i].parameters; k++)
			intern_free(&b->of[i].parameter[k].values);
		free(b->of[i].parameter);
		free(b->of[i].group);
		free(b->of[i].name);
	}
	free(b->of);
}
