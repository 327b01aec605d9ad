/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the subjects of collected rows; see brief_subjects.h.
 */
#include <stdlib.h>

#include "brief/brief_subjects.h"
#include "record/subject_groups.h"
#include "text/display_text.h"

/* The columns that divide a subject into parts. */
static const char *const parts[] = { "worker", "operation" };

/* The metrics by which subjects are compared, the preferred ones first. Those that are not
 * primary for the kind of the subject are left out. */
static const char *const heads[] = { "wall", "latency", "throughput", "first_token",
	"per_token", "max_rate", "cpu_time" };

static bool is_part(const struct groups *g, size_t group)
{
	for (size_t i = 0; i < COUNT(parts); i++) {
		long column = schema_find(groups_schema(g), text_of(parts[i]));

		if (column >= 0 && groups_cell(g, group, (size_t)column).len)
			return true;
	}
	return false;
}

struct text brief_subject_cell(
    const struct brief_subjects *s, const struct brief_subject *of, size_t column)
{
	return groups_cell(s->groups, of->group[0], column);
}

long brief_subject_metric(
    const struct brief_subjects *s, const struct brief_subject *of, const char *metric)
{
	for (size_t i = 0; i < of->groups; i++)
		if (text_is(groups_cell(s->groups, of->group[i], COL_METRIC), metric))
			return (long)of->group[i];
	return -1;
}

/* Finds the head among the groups of a subject. Returns false if there is none, as for the
 * values of a device. */
static bool find_head(const struct brief_subjects *s, struct brief_subject *of)
{
	struct text kind = brief_subject_cell(s, of, COL_KIND);

	for (size_t i = 0; i < COUNT(heads); i++) {
		long group = brief_subject_metric(s, of, heads[i]);

		if (group < 0 || !metrics_primary(s->metrics, text_of(heads[i]), kind))
			continue;
		of->head = (size_t)group;
		return true;
	}
	/* A subject that was not measured has only this metric. */
	of->head = of->group[0];
	return brief_subject_metric(s, of, heads[0]) >= 0;
}

/* Appends a bench with its parameters replaced, such as {n} by 5. Marks these columns. */
static void put_bench(
    const struct brief_subjects *s, const struct brief_subject *of, struct buf *name)
{
	const struct schema *schema = groups_schema(s->groups);
	struct text bench = brief_subject_cell(s, of, COL_BENCH);

	for (size_t i = 0; i < bench.len; i++) {
		size_t id = COL_FACTORS;

		for (; bench.ptr[i] == '{' && id < schema->count; id++) {
			size_t len = strlen(schema->name[id]);

			if (i + len + 1 < bench.len && bench.ptr[i + len + 1] == '}' &&
			    memcmp(bench.ptr + i + 1, schema->name[id], len) == 0)
				break;
		}
		if (bench.ptr[i] != '{' || id == schema->count) {
			buf_byte(name, bench.ptr[i]);
			continue;
		}
		buf_text(name, brief_subject_cell(s, of, id));
		of->placed[id] = true;
		i += strlen(schema->name[id]) + 1;
	}
}

/* Names a subject. constant: by column, whether it is the same in all groups. */
static void set_name(
    struct brief_subjects *s, struct brief_subject *of, const bool *constant)
{
	const struct schema *schema = groups_schema(s->groups);
	struct buf name = { 0 }, clean = { 0 };

	of->placed = mem_zero(schema->count, sizeof(*of->placed));
	put_bench(s, of, &name);
	for (size_t id = COL_FACTORS; id < schema->count; id++) {
		struct text value = brief_subject_cell(s, of, id);

		if (!value.len || of->placed[id] || constant[id])
			continue;
		buf_printf(&name, "%s%s=", name.len ? " " : "", schema->name[id]);
		buf_text(&name, value);
	}
	display_text_clean(&clean, text_in(&name));
	of->name = mem_text(clean.ptr, clean.len);
	buf_free(&clean);
	buf_free(&name);
}

static void name_subjects(struct brief_subjects *s)
{
	size_t columns = groups_schema(s->groups)->count;
	bool *constant = mem_zero(columns, sizeof(*constant));

	for (size_t id = COL_FACTORS; id < columns; id++)
		constant[id] = groups_constant(s->groups, id);
	for (size_t i = 0; i < s->count; i++)
		set_name(s, &s->item[i], constant);
	free(constant);
}

/* Lists the groups of a subject. Returns whether it is one to compare, neither a part of
 * another one nor without a head. */
static bool list_groups(const struct brief_subjects *s, const struct subject_groups *by,
    size_t subject, struct brief_subject *of)
{
	*of = (struct brief_subject){ 0 };
	for (uint32_t g = by->first[subject]; g != SUBJECT_END; g = by->next[g])
		*VEC_ADD_MANY(of->group, of->groups) = g;
	return !is_part(s->groups, of->group[0]) && find_head(s, of);
}

/* Finds the subjects, without names, or only counts them. Returns their number. */
static size_t find_subjects(struct brief_subjects *s, bool keep)
{
	struct subject_groups by = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < groups_count(s->groups); i++)
		subject_groups_add(&by, s->groups);
	for (size_t i = 0; i < by.count; i++) {
		struct brief_subject of;
		bool compared = list_groups(s, &by, i, &of);

		count += compared;
		if (compared && keep)
			*VEC_ADD(s->item, s->count, s->cap) = of;
		else
			free(of.group);
	}
	subject_groups_free(&by);
	return count;
}

void brief_subjects_make(
    struct brief_subjects *s, const struct groups *groups, const struct metrics *metrics)
{
	*s = (struct brief_subjects){ .groups = groups, .metrics = metrics };
	find_subjects(s, true);
	name_subjects(s);
}

size_t brief_subjects_count(const struct groups *groups, const struct metrics *metrics)
{
	struct brief_subjects s = { .groups = groups, .metrics = metrics };

	return find_subjects(&s, false);
}

void brief_subjects_free(struct brief_subjects *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->item[i].name);
		free(s->item[i].placed);
		free(s->item[i].group);
	}
	free(s->item);
	*s = (struct brief_subjects){ 0 };
}

bool brief_subjects_vary(
    const struct brief_subjects *s, const size_t *subject, size_t count, size_t column)
{
	for (size_t i = 1; i < count; i++)
		if (!text_equal(brief_subject_cell(s, &s->item[subject[0]], column),
		        brief_subject_cell(s, &s->item[subject[i]], column)))
			return true;
	return false;
}

bool brief_subjects_match(const struct brief_subjects *s, const struct brief_subject *a,
    const struct brief_subject *b)
{
	struct text kind = brief_subject_cell(s, a, COL_KIND);

	return text_equal(kind, brief_subject_cell(s, b, COL_KIND)) &&
	       !text_is(kind, "machine") &&
	       text_equal(groups_cell(s->groups, a->head, COL_METRIC),
	           groups_cell(s->groups, b->head, COL_METRIC)) &&
	       text_equal(groups_cell(s->groups, a->head, COL_UNIT),
	           groups_cell(s->groups, b->head, COL_UNIT)) &&
	       (text_is(kind, "command") || text_is(kind, "function") ||
	           !brief_subjects_vary(s,
	               (size_t[]){ (size_t)(a - s->item), (size_t)(b - s->item) }, 2,
	               COL_BENCH));
}
