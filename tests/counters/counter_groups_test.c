/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the groups of events on processors some of whose counters do not count.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counters/counter_groups.h"
#include "tests/lib/tap.h"

enum { EVENTS_MOST = 16 };

/* The events of a set in a letter each: h is an event of the processor, s one of the kernel;
 * a digit before it is its bond, and ! before that makes the bond strict. */
static struct counter_set parse_set(const char *text)
{
	struct counter_set set = { 0 };

	while (*text) {
		struct counter c = { .strict = *text == '!' };

		text += c.strict;
		if (*text >= '0' && *text <= '9')
			c.bond = (uint32_t)(*text++ - '0');
		c.attr.type = *text == 's' ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE;
		*VEC_ADD(set.counter, set.count, set.cap) = c;
		text++;
	}
	return set;
}

/* Writes the group of each event, as a letter, '-' for none, 'E' for one that is canceled,
 * and the size of the group after its leader if it has copies. */
static char *groups_text(
    const struct counter_set *set, const struct counter_groups *g, const int *error)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < set->count; i++) {
		if (g->leader[i] == NO_GROUP)
			buf_byte(&text, error[i] == ECANCELED ? 'E' : '-');
		else
			buf_byte(&text, (char)('a' + g->leader[i]));
		if (g->copies[i])
			buf_printf(&text, "+%zu", g->copies[i]);
	}
	buf_byte(&text, '\0');
	return text.ptr;
}

/* Returns whether no two groups of events of the processor fit on it together, and each
 * fits on the counters that count. */
static bool takes_turns(
    const struct counter_set *set, const struct counter_groups *g, struct dead_counters dead)
{
	size_t size[EVENTS_MOST] = { 0 };

	for (size_t i = 0; i < set->count; i++)
		if (g->leader[i] != NO_GROUP && counter_is_of_processor(&set->counter[i]))
			size[g->leader[i]] += 1 + g->copies[i];
	for (size_t i = 0; i < set->count; i++)
		for (size_t j = 0; j < i; j++)
			if (size[i] && size[j] && size[i] + size[j] <= dead.among)
				return false;
	for (size_t i = 0; i < set->count; i++)
		if (size[i] > dead.alive)
			return false;
	return true;
}

int main(void)
{
	static const struct {
		const char *events, *want, *what;
		struct dead_counters dead;
	} cases[] = {
		{ "hhs", "abc", "each event has its own group if all counters count", { 0 } },
		{ "1h2h1h2hh", "ababe", "a bond is a group if all counters count", { 0 } },
		{ "hhhhh", "aaaae+2", "events share groups of counters that count", { 4, 6 } },
		{ "hhshh", "aacae+1", "events of the kernel do not take counters",
		    { 3, 4 } },
		{ "h1h1h1hh", "a+2bbbe+2", "a bond stays together in one group", { 3, 5 } },
		{ "1h1h1h1h", "aaad+1", "a bond that is too large is dissolved",
		    { 3, 4 } },
		{ "!1h!1h!1hh", "EEEd+1", "a group that is too large is canceled",
		    { 2, 3 } },
		{ "!1h!1hh", "aac+2", "a group in braces takes no other events",
		    { 3, 4 } },
		{ "!1h!1sh", "EEc+1", "a group of events of both kinds is canceled",
		    { 2, 3 } },
		{ "hhhs", "aa-d", "only the first group is counted if two fit", { 2, 4 } },
		{ "hs", "-b", "no event of the processor is counted if no counter counts",
		    { 0, 4 } },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct counter_set set = parse_set(cases[i].events);
		int error[EVENTS_MOST] = { 0 };
		struct counter_groups g;

		counter_groups_make(&g, &set, error, cases[i].dead);
		char *got = groups_text(&set, &g, error);
		tap_ok(strcmp(got, cases[i].want) == 0, "%s: %s (%s)", cases[i].what,
		    cases[i].want, got);
		if (cases[i].dead.among)
			tap_ok(takes_turns(&set, &g, cases[i].dead),
			    "groups take turns on the counters that count: %s",
			    cases[i].what);
		free(got);
		counter_groups_free(&g);
		free(set.counter);
	}

	struct counter_set set = parse_set("hh");
	int error[] = { EACCES, 0 };
	struct counter_groups g;

	counter_groups_make(&g, &set, error, (struct dead_counters){ 0 });
	tap_ok(g.leader[0] == NO_GROUP && g.leader[1] == 1 && g.files == 2,
	    "an event that cannot be opened has no group");
	counter_groups_free(&g);
	free(set.counter);
	return tap_end();
}
