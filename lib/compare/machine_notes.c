/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes on the machines of the sides; see machine_notes.h.
 */
#include <stdlib.h>
#include <string.h>

#include "compare/machine_notes.h"
#include "text/display_text.h"
#include "text/shell_words.h"

/* Notes that the machines of a side and of the old one differ. */
static void note_other_machines(
    const struct compare *c, const char *by, size_t side, struct buf *lines)
{
	static const struct {
		enum column column;
		const char *name;
	} machine[] = { { COL_HOST, "host" }, { COL_ENV, "env" } };
	struct text old, new;

	for (size_t i = 0; i < COUNT(machine); i++) {
		if (!compare_machines_differ(c, side, machine[i].column, &old, &new) ||
		    (by && strcmp(by, machine[i].name) == 0))
			continue;
		buf_printf(lines, "%s differs between the sides (", machine[i].name);
		display_text_clean(lines, old);
		buf_str(lines, " and ");
		display_text_clean(lines, new);
		buf_str(lines, "), so the comparison includes the machines");
		if (machine[i].column == COL_ENV)
			facts_explain(compare_facts(c), old, new, lines);
		buf_byte(lines, '\n');
	}
}

/* Appends the value of -g with which the subjects stay apart, and each host by itself,
 * quoted for the shell. */
static void put_host_columns(const struct compare *c, struct buf *lines)
{
	struct buf list = { 0 }, word = { 0 };
	const struct groups *subjects = compare_subjects(c);
	const struct schema *schema = groups_schema(subjects);
	size_t *id, count = groups_columns(subjects, &id);

	for (size_t i = 0; i < count; i++) {
		if (id[i] != COL_BENCH && groups_constant(subjects, id[i]))
			continue;
		buf_printf(&list, "%s,", schema->name[id[i]]);
	}
	free(id);
	buf_str(&list, schema->name[COL_HOST]);
	shell_words_put(&word, list.ptr);
	display_text_clean(lines, text_in(&word));
	buf_free(&list);
	buf_free(&word);
}

/* Returns whether the rows of different hosts are different rows of the result. */
static bool keeps_hosts_apart(const struct compare *c)
{
	size_t *id, count = groups_columns(compare_subjects(c), &id);
	bool apart = compare_by(c) == COL_HOST;

	for (size_t i = 0; i < count; i++)
		apart |= id[i] == COL_HOST;
	free(id);
	return apart;
}

/* Notes that a side and the old one have values of the same hosts, which are compared as if
 * they were of one. */
static void note_joined_hosts(const struct compare *c, struct buf *lines)
{
	struct text old, new;
	size_t side = 0;

	if (keeps_hosts_apart(c))
		return;
	while (side < compare_sides(c) &&
	       (side == compare_reference(c) || compare_hosts(c, side) < 2 ||
	           compare_machines_differ(c, side, COL_HOST, &old, &new)))
		side++;
	if (side == compare_sides(c))
		return;
	buf_printf(lines,
	    "the values of %zu hosts are compared together, so the differences between the "
	    "hosts may hide a change; use -g ",
	    compare_hosts(c, side));
	put_host_columns(c, lines);
	buf_str(lines, " to compare each host with itself\n");
}

void machine_notes(const struct compare *c, const char *by, struct buf *lines)
{
	for (size_t side = 0; side < compare_sides(c); side++)
		note_other_machines(c, by, side, lines);
	note_joined_hosts(c, lines);
}
