/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of events; see counter_groups.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "counters/counter_groups.h"

/* A set while its groups are being made. */
struct grouping {
	struct counter_groups *groups;
	struct counter_set *set;
	int *error;
	struct dead_counters dead;
};

bool counter_is_of_processor(const struct counter *c)
{
	return c->attr.type == PERF_TYPE_HARDWARE || c->attr.type == PERF_TYPE_HW_CACHE ||
	       c->attr.type == PERF_TYPE_RAW;
}

/* Returns whether dead counters limit the group of an event. */
static bool is_limited(const struct grouping *g, size_t i)
{
	return g->dead.among && counter_is_of_processor(&g->set->counter[i]);
}

/* Returns whether an event is a later member of a bond that can be counted. */
static bool in_bond(const struct grouping *g, size_t i, size_t first)
{
	return i > first && !g->error[i] && g->set->counter[first].bond &&
	       g->set->counter[i].bond == g->set->counter[first].bond;
}

/* Returns the number of events of a bond and, unless limited is NULL, how many of them dead
 * counters limit. */
static size_t members_of(const struct grouping *g, size_t first, size_t *limited)
{
	size_t members = 1, own = is_limited(g, first);

	for (size_t i = first; i < g->set->count; i++) {
		members += in_bond(g, i, first);
		own += in_bond(g, i, first) && is_limited(g, i);
	}
	if (limited)
		*limited = own;
	return members;
}

static size_t group_size(const struct grouping *g, size_t leader)
{
	size_t size = g->groups->copies[leader];

	for (size_t i = 0; i < g->set->count; i++)
		size += g->groups->leader[i] == leader;
	return size;
}

/* Gives up a bond that is larger than the number of counters that count, or that contains
 * other events, whose copies fill no group up: its events if it is strict, else the bond
 * alone. */
static void limit_bond(struct grouping *g, size_t first)
{
	const struct counter like = g->set->counter[first];
	size_t limited, members = members_of(g, first, &limited);

	if (!limited || (members == limited && members <= g->dead.alive))
		return;
	for (size_t i = first; i < g->set->count; i++) {
		if (i != first && !in_bond(g, i, first))
			continue;
		if (like.strict)
			g->error[i] = ECANCELED;
		else if (i != first)
			g->set->counter[i].bond = 0;
	}
	if (!like.strict)
		g->set->counter[first].bond = 0;
}

/* Returns the last group that dead counters limit, if some more events fit into it;
 * otherwise NO_GROUP. */
static size_t find_room(const struct grouping *g, size_t more)
{
	for (size_t i = g->set->count; i-- > 0;)
		if (g->groups->leader[i] == i && is_limited(g, i))
			return !g->set->counter[i].strict &&
			               group_size(g, i) + more <= g->dead.alive
			           ? i
				   : NO_GROUP;
	return NO_GROUP;
}

/* Puts an event and those of its bond into a group. */
static void put_bond(struct grouping *g, size_t first)
{
	size_t into = NO_GROUP;

	limit_bond(g, first);
	if (g->error[first])
		return;
	if (is_limited(g, first) && !g->set->counter[first].strict)
		into = find_room(g, members_of(g, first, NULL));
	g->groups->leader[first] = into == NO_GROUP ? first : into;
	for (size_t i = first; i < g->set->count; i++)
		if (in_bond(g, i, first))
			g->groups->leader[i] = g->groups->leader[first];
}

/* Refuses the groups that cannot take turns: if two full groups fit on the processor
 * together, all but the first, and if no counter counts, all. */
static void refuse_groups(struct grouping *g)
{
	size_t kept = NO_GROUP;

	if (g->dead.alive * 2 > g->dead.among)
		return;
	for (size_t i = 0; i < g->set->count; i++) {
		if (g->groups->leader[i] == NO_GROUP || !is_limited(g, i))
			continue;
		if (kept == NO_GROUP && g->dead.alive)
			kept = g->groups->leader[i];
		if (g->groups->leader[i] == kept)
			continue;
		g->groups->leader[i] = NO_GROUP;
		g->error[i] = ENOSPC;
	}
}

/* Fills up groups until no two of them fit on the processor together. */
static void fill_groups(struct grouping *g)
{
	size_t smallest = g->dead.alive;

	for (size_t i = 0; i < g->set->count; i++) {
		size_t wanted = g->dead.among + 1 - smallest, size;

		if (g->groups->leader[i] != i || !is_limited(g, i))
			continue;
		wanted = wanted < g->dead.alive ? wanted : g->dead.alive;
		size = group_size(g, i);
		g->groups->copies[i] = size < wanted ? wanted - size : 0;
		size += g->groups->copies[i];
		smallest = size < smallest ? size : smallest;
	}
}

void counter_groups_make(struct counter_groups *groups, struct counter_set *set, int *error,
    struct dead_counters dead)
{
	struct grouping g = { groups, set, error, dead };

	*groups = (struct counter_groups){ .leader = mem_zero(
		                               set->count, sizeof(*groups->leader)),
		.copies = mem_zero(set->count, sizeof(*groups->copies)) };
	for (size_t i = 0; i < set->count; i++)
		groups->leader[i] = NO_GROUP;
	for (size_t i = 0; i < set->count; i++)
		if (groups->leader[i] == NO_GROUP && !error[i])
			put_bond(&g, i);
	refuse_groups(&g);
	fill_groups(&g);
	for (size_t i = 0; i < set->count; i++)
		groups->files += 1 + groups->copies[i];
}

void counter_groups_free(struct counter_groups *g)
{
	free(g->leader);
	free(g->copies);
	*g = (struct counter_groups){ 0 };
}
