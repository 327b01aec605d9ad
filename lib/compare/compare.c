/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the rows of the sides; see compare.h. Each (group, side) has a gathering of its
 * values.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare_priv.h"

const char *const severity_names[] = { [SEVERITY_NONE] = "",
	[SEVERITY_WARNING] = "warning",
	[SEVERITY_CRITICAL] = "critical" };

static const enum column machine_column[SIDES_MACHINE] = { COL_HOST, COL_ENV };

/* Returns the number of the new side. */
static size_t add_side(struct sides *s, struct text name)
{
	*VEC_ADD(s->side, s->count, s->cap) =
	    (struct side){ .name = mem_text(name.ptr, name.len) };
	return s->count - 1;
}

/* Remembers the host and env of a row. */
static void note_machine(struct side *s, const struct row *row)
{
	for (size_t i = 0; i < SIDES_MACHINE; i++) {
		struct text t = row->cell[machine_column[i]];
		struct intern *seen = &s->machine[i];

		if (!t.len ||
		    (seen->count && text_equal(t, intern_text(seen, s->machine_last[i]))))
			continue;
		s->machine_last[i] = intern_add(seen, t);
	}
}

/* Finds the first text of a set that the other set lacks. */
static bool lacks(const struct intern *set, const struct intern *other, struct text *out)
{
	for (size_t i = 0; i < set->count; i++) {
		struct text t = intern_text(set, i);

		if (intern_find(other, t) >= 0)
			continue;
		*out = t;
		return true;
	}
	return false;
}

static bool machines_differ(const struct side *old_side, const struct side *new_side,
    enum column column, struct text *old, struct text *new)
{
	size_t which = column == COL_HOST ? 0 : 1;
	const struct intern *before = &old_side->machine[which],
	                    *after = &new_side->machine[which];
	bool gone, come;

	if (!before->count || !after->count)
		return false;
	*old = intern_text(before, 0);
	*new = intern_text(after, 0);
	gone = lacks(before, after, old);
	come = lacks(after, before, new);
	return gone || come;
}

static void free_sides(struct sides *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->side[i].name);
		for (size_t k = 0; k < SIDES_MACHINE; k++)
			intern_free(&s->side[i].machine[k]);
	}
	free(s->side);
}

static bool names_aa(const struct compare_opts *opts)
{
	for (size_t i = 0; opts->names && i < opts->count; i++)
		if (strcmp(opts->names[i], COLUMN_AA) == 0)
			return true;
	return opts->by && strcmp(opts->by, COLUMN_AA) == 0;
}

const char **compare_unkeyed(
    const struct compare *c, const char *const *others, size_t count, size_t *left_out)
{
	const size_t n = (c->opts.by != NULL) + c->opts.pairs + count;
	const char **list = mem_zero(2 * (n + 2), sizeof(*list)), **to = list;

	if (c->opts.by)
		*to++ = c->opts.by;
	for (size_t i = 0; i < c->opts.pairs; i++)
		*to++ = c->opts.pair[i];
	for (size_t i = 0; i < count; i++)
		*to++ = others[i];
	memcpy(list + n + 2, list, n * sizeof(*list));
	list[n] = "metric";
	list[n + 1] = "unit";
	list[2 * n + 2] = "stack";
	list[2 * n + 3] = "comm";
	*left_out = n;
	return list;
}

struct compare *compare_open(const struct schema *schema, const struct compare_opts *opts)
{
	struct compare *c = mem_zero(1, sizeof(*c));
	struct group_by by = { .names = opts->names, .count = opts->count };
	size_t left_out;

	c->opts = *opts;
	c->schema = schema;
	c->by = -1;
	if (opts->pairs)
		c->pairs = pair_keys_open(schema, opts->pair, opts->pairs);
	by.except = c->unkeyed = compare_unkeyed(c, NULL, 0, &left_out);
	by.excepts = left_out;
	c->groups = groups_open(schema, &by);
	by.excepts = left_out + 2;
	c->subjects = groups_open(schema, &by);
	by.except = c->unkeyed + left_out + 2;
	c->families = groups_open(schema, &by);
	c->collect =
	    collect_open(c->groups, COLLECT_IDENTITY | COLLECT_SAMPLES | COLLECT_COMPACT);
	c->halves = !names_aa(opts);
	c->floors = noise_floor_open(schema);
	return c;
}

void compare_side(struct compare *c, const char *name)
{
	c->now = add_side(&c->sides, text_of(name));
}

void compare_history(struct compare *c)
{
	c->history = true;
}

/*
 * Finds the side of a row of --floor: the side that the row names if the sides are
 * subjects, otherwise ANY_SIDE. Returns false if the named side is not compared.
 */
static bool find_noisy_side(const struct compare *c, struct text value, size_t *side)
{
	long known = intern_find(&c->values, value);

	*side = ANY_SIDE;
	if (!value.len || column_kind((size_t)c->by) != COLUMN_SUBJECT)
		return true;
	*side = (size_t)known;
	return known >= 0;
}

static bool find_side(struct compare *c, const struct row *row, size_t *side)
{
	struct text value;

	*side = c->history ? ANY_SIDE : c->now;
	if (!c->opts.by)
		return true;
	if (c->by < 0)
		c->by = schema_find(c->schema, text_of(c->opts.by));
	value = c->by < 0 ? TEXT("") : row->cell[c->by];
	if (c->history)
		return find_noisy_side(c, value, side);
	*side = intern_add(&c->values, value);
	if (*side == c->sides.count)
		add_side(&c->sides, intern_text(&c->values, *side));
	return true;
}

struct topic compare_topic(const struct compare *c, struct groups *subjects,
    struct groups *families, const struct row *row)
{
	long stack = schema_find(c->schema, TEXT("stack"));
	bool has_stack = stack >= 0 && row->cell[stack].len;

	return (struct topic){ .subject = (uint32_t)groups_find(subjects, row),
		.family = has_stack ? (uint32_t)groups_find(families, row) : 0 };
}

static size_t find_group(struct compare *c, const struct row *row)
{
	size_t group = groups_find(c->groups, row);

	if (group == c->topics)
		*VEC_ADD(c->topic, c->topics, c->topic_cap) =
		    compare_topic(c, c->subjects, c->families, row);
	return group;
}

/* Returns the position of a side among those of a group, or where it belongs. */
static size_t find_place(const struct topic *t, size_t side)
{
	size_t low = 0, high = t->count;

	/* Most streams stay on one side, which is the last one so far. */
	if (high && t->side[high - 1].side == side)
		return high - 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->side[middle].side < side)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void compare_insert_side(struct topic *t, size_t at, const struct topic_side *side)
{
	const size_t after = t->count - at;

	VEC_ADD_MANY(t->side, t->count);
	memmove(&t->side[at + 1], &t->side[at], after * sizeof(*t->side));
	t->side[at] = *side;
}

static size_t find_gathering(struct compare *c, size_t group, size_t side)
{
	struct topic *t = &c->topic[group];
	const size_t at = find_place(t, side);

	if (at == t->count || t->side[at].side != side) {
		compare_insert_side(
		    t, at, &(struct topic_side){ (uint32_t)side, (uint32_t)c->gatherings });
		*VEC_ADD(c->has_rows, c->gatherings, c->gathering_cap) = false;
	}
	return t->side[at].gathering;
}

int compare_row(struct compare *c, const struct row *row)
{
	size_t side, gathering;
	struct row part;

	if (!find_side(c, row, &side))
		return 0;
	gathering = find_gathering(c, find_group(c, row), side);
	part = c->pairs ? pair_keys_row(c->pairs, row) : *row;
	if (c->halves && (row->aa || c->history))
		noise_floor_row(c->floors, &part, gathering, c->history);
	if (c->history)
		return 0;
	c->has_rows[gathering] = true;
	note_machine(&c->sides.side[side], row);
	if (c->halves && row->aa)
		part = row_part_twins(&part);
	return collect_into(c->collect, gathering, &part);
}

long compare_gathering(const struct compare *c, size_t group, size_t side)
{
	const struct topic *t = &c->topic[group];
	const size_t at = find_place(t, side);

	return at < t->count && t->side[at].side == side ? (long)t->side[at].gathering : -1;
}

const struct collected *compare_values(struct compare *c, size_t side, size_t group)
{
	long number = compare_gathering(c, group, side);

	return number >= 0 && c->has_rows[number]
	           ? collect_group(c->collect, (size_t)number)
	           : NULL;
}

const struct collected *compare_identified(struct compare *c, size_t side, size_t group)
{
	const struct collected *values = compare_values(c, side, group);

	if (values)
		collect_identify(c->collect, (size_t)compare_gathering(c, group, side));
	return values;
}

void compare_forget(struct compare *c, size_t side, size_t group)
{
	long number = compare_gathering(c, group, side);

	if (number >= 0)
		collect_forget(c->collect, (size_t)number);
}

const struct comparison *compare_list(const struct compare *c, size_t *count)
{
	*count = c->count;
	return c->list;
}

size_t compare_tests(const struct compare *c)
{
	return c->tests ? c->tests : 1;
}

double compare_confidence(const struct compare *c)
{
	return c->opts.inference.confidence;
}

size_t compare_repeated(const struct compare *c)
{
	return c->repeated;
}

const struct vanished *compare_vanished(const struct compare *c, size_t *count)
{
	*count = c->vanished_count;
	return c->vanished;
}

const struct lost_samples *compare_lost(const struct compare *c, size_t *count)
{
	*count = c->lost_count;
	return c->lost;
}

bool compare_any(const struct compare *c)
{
	return c->any;
}

bool compare_has_floors(const struct compare *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (!isnan(c->list[i].floor))
			return true;
	return false;
}

bool compare_constant(const struct comparison *row)
{
	return row->result.basis != BASIS_NONE && !row->result.can_differ &&
	       !row->result.censored_old && !row->result.censored_new;
}

/* Returns whether the interval of a comparison excludes any difference. */
static bool is_no_difference(const struct two_sample *r)
{
	return (r->ratio_lo >= 1 && r->ratio_hi <= 1) ||
	       (r->diff_lo >= 0 && r->diff_hi <= 0);
}

bool compare_same_samples(const struct compare *c)
{
	bool varies = false;

	for (size_t i = 0; i < c->count && !c->opts.by; i++) {
		const struct comparison *row = &c->list[i];

		if (row->result.basis == BASIS_NONE)
			continue;
		/* Samples of different runs may be pairs by columns. */
		if (!basis_is_paired(row->result.basis) ||
		    row->result.basis == BASIS_PAIR || !is_no_difference(&row->result))
			return false;
		varies |= row->result.can_differ;
	}
	return varies;
}

bool compare_shares_samples(const struct compare *c)
{
	return c->shares;
}

bool compare_machines_differ(const struct compare *c, size_t side, enum column column,
    struct text *old, struct text *new)
{
	return machines_differ(
	    &c->sides.side[c->reference], &c->sides.side[side], column, old, new);
}

size_t compare_hosts(const struct compare *c, size_t side)
{
	return c->sides.side[side].machine[0].count;
}

const struct run_ends *compare_ends(const struct compare *c)
{
	return c->opts.ends;
}

const struct thresholds *compare_thresholds(const struct compare *c)
{
	return c->opts.thresholds;
}

const struct facts *compare_facts(const struct compare *c)
{
	return c->opts.facts;
}

const struct groups *compare_groups(const struct compare *c)
{
	return c->groups;
}

const struct groups *compare_subjects(const struct compare *c)
{
	return c->subjects;
}

size_t compare_subject(const struct compare *c, size_t group)
{
	return c->topic[group].subject;
}

long compare_by(const struct compare *c)
{
	return c->by;
}

const char *const *compare_implied(const struct compare *c, size_t *count)
{
	*count = c->implied_count;
	return c->implied_count ? c->implied_except + (c->opts.by != NULL) + c->opts.pairs
	                        : NULL;
}

const struct pair_keys *compare_pair_keys(const struct compare *c)
{
	return c->pairs;
}

size_t compare_sides(const struct compare *c)
{
	return c->sides.count;
}

size_t compare_reference(const struct compare *c)
{
	return c->reference;
}

struct text compare_side_name(const struct compare *c, size_t side)
{
	return text_of(c->sides.side[side].name);
}

void compare_close(struct compare *c)
{
	if (!c)
		return;
	for (size_t i = 0; c->implicit_zeros && i < c->sides.count; i++)
		implicit_zeros_free(&c->implicit_zeros[i]);
	free(c->implicit_zeros);
	free_sides(&c->sides);
	for (size_t i = 0; i < c->topics; i++)
		free(c->topic[i].side);
	free(c->topic);
	free(c->has_rows);
	intern_free(&c->values);
	collect_close(c->collect);
	noise_floor_close(c->floors);
	groups_close(c->groups);
	groups_close(c->subjects);
	groups_close(c->families);
	free(c->implied_except);
	free(c->unkeyed);
	pair_keys_close(c->pairs);
	free(c->list);
	free(c->vanished);
	free(c->failing);
	free(c->lost);
	unmet_close(c->unmet);
	free(c);
}
