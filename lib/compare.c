/*
 * The join of the sides; see compare.h. Every (group, side) is one gathering of values;
 * which one it is stands in a table of the side by group.
 */
#include <stdlib.h>

#include "absence.h"
#include "compare.h"
#include "intern.h"

enum { MACHINE_COLUMNS = 2 };
static const enum column machine_column[MACHINE_COLUMNS] = { COL_HOST, COL_ENV };

struct side {
	char *name;
	size_t *gathering; /* by group: number + 1, or 0 */
	size_t groups;
	struct intern machine[MACHINE_COLUMNS]; /* texts seen */
	size_t machine_last[MACHINE_COLUMNS];
	struct absence absence; /* of counts by stack */
};

struct compare {
	struct compare_how how;
	const struct schema *schema;
	long by; /* the id of the column of the sides; -1: not seen yet, or none */
	const char *unkeyed[6]; /* columns that are no part of a subject */
	struct groups *groups, *subjects, *families; /* families: without the stack */
	size_t *subject, *family;                    /* by group */
	size_t subject_cap, family_cap, families_known, known;
	struct collect *collect;
	size_t gatherings;
	struct intern values; /* of the column: the number of a text is that of its side */
	struct side *side;
	size_t sides, side_cap;
	size_t now; /* without a column: the side of the rows that come */
	size_t reference;
	struct comparison *list;
	size_t count, cap;
	struct vanished *vanished;
	size_t vanished_count, vanished_cap;
	bool any;
};

struct compare *compare_open(const struct schema *schema, const struct compare_how *how)
{
	struct compare *c = mem_zero(1, sizeof(*c));
	struct group_by by = {
		.names = how->names, .count = how->count, .except = c->unkeyed
	};

	c->how = *how;
	c->schema = schema;
	c->by = -1;
	c->unkeyed[0] = how->by ? how->by : "";
	c->unkeyed[1] = "metric";
	c->unkeyed[2] = "unit";
	c->unkeyed[3] = c->unkeyed[0];
	c->unkeyed[4] = "stack";
	c->unkeyed[5] = "comm";
	by.excepts = 1;
	c->groups = groups_open(schema, &by);
	by.excepts = 3;
	c->subjects = groups_open(schema, &by);
	by.except = c->unkeyed + 3;
	c->families = groups_open(schema, &by);
	c->collect = collect_open(c->groups, COLLECT_IDENTITY);
	return c;
}

static size_t add_side(struct compare *c, struct text name)
{
	*VEC_ADD(c->side, c->sides, c->side_cap) =
	    (struct side){ .name = mem_text(name.ptr, name.len) };
	return c->sides - 1;
}

void compare_side(struct compare *c, const char *name)
{
	c->now = add_side(c, text_of(name));
}

static size_t side_of(struct compare *c, const struct row *row)
{
	size_t number;

	if (!c->how.by)
		return c->now;
	if (c->by < 0)
		c->by = schema_find(c->schema, text_of(c->how.by));
	number = intern_add(&c->values, c->by < 0 ? TEXT("") : row->cell[c->by]);
	return number < c->sides ? number : add_side(c, intern_text(&c->values, number));
}

static size_t *gathering_of(struct side *s, size_t group)
{
	if (group >= s->groups) {
		size_t groups = 2 * group + 8;

		s->gathering = mem_resize(s->gathering, groups, sizeof(*s->gathering));
		while (s->groups < groups)
			s->gathering[s->groups++] = 0;
	}
	return &s->gathering[group];
}

static void note_machine(struct side *s, const struct row *row)
{
	for (size_t i = 0; i < MACHINE_COLUMNS; i++) {
		struct text t = row->cell[machine_column[i]];
		struct intern *seen = &s->machine[i];

		if (!t.len ||
		    (seen->count && text_equal(t, intern_text(seen, s->machine_last[i]))))
			continue;
		s->machine_last[i] = intern_add(seen, t);
	}
}

int compare_row(struct compare *c, const struct row *row)
{
	size_t group = groups_find(c->groups, row), number = side_of(c, row), *gathering;
	struct side *side = &c->side[number];

	if (group == c->known) {
		*VEC_ADD(c->family, c->families_known, c->family_cap) =
		    groups_find(c->families, row);
		*VEC_ADD(c->subject, c->known, c->subject_cap) =
		    groups_find(c->subjects, row);
	}
	note_machine(side, row);
	gathering = gathering_of(side, group);
	if (!*gathering)
		*gathering = ++c->gatherings;
	return collect_into(c->collect, *gathering - 1, row);
}

static const struct collected *values_of(struct compare *c, size_t side, size_t group)
{
	size_t gathering = *gathering_of(&c->side[side], group);

	return gathering ? collect_group(c->collect, gathering - 1) : NULL;
}

/* Whether a group counts by stack, so that one which is absent was counted 0 times. */
static bool counts_stacks(
    const struct compare *c, const struct metrics *metrics, size_t group)
{
	const struct metric *metric =
	    metrics_find(metrics, groups_cell(c->groups, group, COL_METRIC));
	long stack = schema_find(c->schema, TEXT("stack"));

	return metric && metric->is_count && stack >= 0 &&
	       groups_cell(c->groups, group, (size_t)stack).len;
}

static void note_stacks(struct compare *c, const struct metrics *metrics)
{
	for (size_t group = 0; group < c->known; group++)
		for (size_t side = 0; side < c->sides; side++)
			if (counts_stacks(c, metrics, group))
				absence_add(&c->side[side].absence, c->family[group],
				    values_of(c, side, group));
}

/* The values of a group that tell of a success: a metric ok of 0 tells of a failure. */
static size_t count_of(
    struct compare *c, const struct metrics *metrics, size_t side, size_t group)
{
	const struct collected *values = values_of(c, side, group);
	size_t count = 0;

	if (counts_stacks(c, metrics, group))
		return absence_samples(&c->side[side].absence, c->family[group]);
	if (!values || !text_is(groups_cell(c->groups, group, COL_METRIC), "ok"))
		return values ? values->count : 0;
	for (size_t i = 0; i < values->count; i++)
		count += values->value[i] > 0;
	return count;
}

/* How one metric is compared: success rates by their mean, all else by the median. */
static struct contrast_how how_of(
    const struct compare *c, const struct metrics *metrics, size_t group)
{
	struct text metric = groups_cell(c->groups, group, COL_METRIC);
	struct text unit = groups_cell(c->groups, group, COL_UNIT);

	return (struct contrast_how){
		.location = text_is(metric, "ok") ? LOCATION_MEAN : LOCATION_MEDIAN,
		.better = metrics_better(metrics, metric, unit),
		.confidence = c->how.confidence,
		.threshold = c->how.threshold,
		.seed = c->how.seed,
	};
}

static void contrast_side(
    struct compare *c, const struct metrics *metrics, size_t group, size_t side)
{
	const struct collected *old = values_of(c, c->reference, group);
	const struct collected *new = values_of(c, side, group);
	struct contrast_how how = how_of(c, metrics, group);
	struct collected zeros[2] = { 0 };
	struct comparison *row;

	if (side == c->reference || (!old && !new))
		return;
	if (counts_stacks(c, metrics, group)) {
		zeros[0] =
		    absence_fill(&c->side[c->reference].absence, c->family[group], old);
		zeros[1] = absence_fill(&c->side[side].absence, c->family[group], new);
		old = &zeros[0];
		new = &zeros[1];
	}
	row = VEC_ADD(c->list, c->count, c->cap);
	*row = (struct comparison){ .group = group, .side = side };
	contrast_measure(old, new, &how, &row->result);
	absence_done(&zeros[0]);
	absence_done(&zeros[1]);
	c->any |=
	    row->result.basis != BASIS_NONE && (count_of(c, metrics, c->reference, group) ||
	                                           count_of(c, metrics, side, group));
}

static void contrast_all(struct compare *c, const struct metrics *metrics)
{
	struct contrast **results;
	size_t tests;

	for (size_t group = 0; group < c->known; group++)
		for (size_t side = 0; side < c->sides; side++)
			contrast_side(c, metrics, group, side);
	results = mem_zero(c->count + 1, sizeof(struct contrast *));
	for (size_t i = 0; i < c->count; i++)
		results[i] = &c->list[i].result;
	tests = contrast_adjust(results, c->count, c->how.adjust);
	for (size_t i = 0; i < c->count; i++) {
		struct contrast_how how = how_of(c, metrics, c->list[i].group);

		contrast_judge(results[i], &how, tests);
	}
	free(results);
}

static void find_vanished(struct compare *c, const struct metrics *metrics)
{
	size_t subjects = groups_count(c->subjects), *values;

	for (size_t side = 0; side < c->sides; side++) {
		if (side == c->reference)
			continue;
		values = mem_zero(2 * subjects + 1, sizeof(*values));
		for (size_t group = 0; group < c->known; group++) {
			size_t *of = &values[2 * c->subject[group]];

			of[0] += count_of(c, metrics, c->reference, group);
			of[1] += count_of(c, metrics, side, group);
		}
		for (size_t s = 0; s < subjects; s++)
			if (values[2 * s] && !values[2 * s + 1])
				*VEC_ADD(c->vanished, c->vanished_count, c->vanished_cap) =
				    (struct vanished){ s, side };
		free(values);
	}
}

static int find_reference(struct compare *c, struct fault *f)
{
	if (!c->how.reference)
		return 0;
	for (size_t s = 0; s < c->sides; s++)
		if (text_is(text_of(c->side[s].name), c->how.reference)) {
			c->reference = s;
			return 0;
		}
	return fault_set(
	    f, "no row has '%s' in the column '%s'", c->how.reference, c->how.by);
}

int compare_finish(struct compare *c, const struct metrics *metrics, struct fault *f)
{
	if (groups_check(c->groups, f) < 0)
		return -1;
	if (c->how.by && c->by < 0)
		return fault_set(f, "the input has no column '%s'", c->how.by);
	if (find_reference(c, f) < 0)
		return -1;
	if (c->how.by && c->sides < 2)
		return fault_set(f,
		    "all rows have the same '%s': there is nothing to compare", c->how.by);
	collect_finish(c->collect);
	note_stacks(c, metrics);
	contrast_all(c, metrics);
	find_vanished(c, metrics);
	return 0;
}

const struct comparison *compare_list(const struct compare *c, size_t *count)
{
	*count = c->count;
	return c->list;
}

const struct vanished *compare_vanished(const struct compare *c, size_t *count)
{
	*count = c->vanished_count;
	return c->vanished;
}

bool compare_any(const struct compare *c)
{
	return c->any;
}

/* Whether a set has a text that the other lacks: the first such one. */
static bool lacks(const struct intern *set, const struct intern *other, struct text *out)
{
	for (size_t i = 0, j = 0; i < set->count; i++) {
		struct text t = intern_text(set, i);

		for (j = 0; j < other->count && !text_equal(t, intern_text(other, j));)
			j++;
		if (j < other->count)
			continue;
		*out = t;
		return true;
	}
	return false;
}

bool compare_machines_differ(const struct compare *c, size_t side, enum column column,
    struct text *old, struct text *new)
{
	size_t which = column == COL_HOST ? 0 : 1;
	const struct intern *before = &c->side[c->reference].machine[which];
	const struct intern *after = &c->side[side].machine[which];
	bool gone, come;

	if (!before->count || !after->count)
		return false;
	*old = intern_text(before, 0);
	*new = intern_text(after, 0);
	gone = lacks(before, after, old);
	come = lacks(after, before, new);
	return gone || come;
}

const struct groups *compare_groups(const struct compare *c)
{
	return c->groups;
}

const struct groups *compare_subjects(const struct compare *c)
{
	return c->subjects;
}

long compare_by(const struct compare *c)
{
	return c->by;
}

size_t compare_sides(const struct compare *c)
{
	return c->sides;
}

size_t compare_reference(const struct compare *c)
{
	return c->reference;
}

struct text compare_side_name(const struct compare *c, size_t side)
{
	return text_of(c->side[side].name);
}

void compare_close(struct compare *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->sides; i++) {
		free(c->side[i].name);
		free(c->side[i].gathering);
		absence_free(&c->side[i].absence);
		for (size_t k = 0; k < MACHINE_COLUMNS; k++)
			intern_free(&c->side[i].machine[k]);
	}
	free(c->side);
	intern_free(&c->values);
	collect_close(c->collect);
	groups_close(c->groups);
	groups_close(c->subjects);
	groups_close(c->families);
	free(c->family);
	free(c->subject);
	free(c->list);
	free(c->vanished);
	free(c);
}
