/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a report about data quality and machines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host_check.h"
#include "io/csv_reader.h"
#include "report/report_items_priv.h"
#include "text/units.h"

/* Appends a record of CSV. */
static void put_fields(struct buf *b, const char *const *field, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_byte(b, ',');
		csv_reader_put_field(b, text_of(field[i]));
	}
	buf_byte(b, '\n');
}

/* Returns the name of a machine, or else its env. */
static const char *machine_name(const struct machine *m)
{
	const struct host_fact *name = host_find(&m->host, "host");

	return name && *name->value ? name->value : m->env;
}

void report_plan_warnings(struct report *r, struct part *p)
{
	struct item *it = part_add(p, ITEM_TABLE, "problems with the samples and machines");
	static const char *const names[] = { "level", "machine", "check", "found",
		"advice" };
	struct host_advice advice[HOST_CHECKS_MAX];
	char found[64];

	it->nothing =
	    r->machines ? "No problems found." : "No problems found in the samples.";
	put_fields(&it->out, names, COUNT(names));
	if (r->inventory.failed) {
		snprintf(found, sizeof(found), "%zu of %zu", r->inventory.failed,
		    r->inventory.rows);
		put_fields(&it->out,
		    (const char *[]){ "unfit", "", "failed rows", found,
		        "they enter no statistic; the column failed counts them" },
		    COUNT(names));
	}
	if (r->inventory.envs.count > 1) {
		snprintf(found, sizeof(found), "%zu", r->inventory.envs.count);
		put_fields(&it->out,
		    (const char *[]){ "note", "", "environments", found,
		        "compare only values from one machine in one state" },
		    COUNT(names));
	}
	for (size_t m = 0; m < r->machines; m++) {
		size_t count = host_check(&r->machine[m].host, advice);

		for (size_t i = 0; i < count; i++)
			put_fields(&it->out,
			    (const char *[]){
			        advice[i].severity == HOST_UNFIT ? "unfit" : "note",
			        machine_name(&r->machine[m]), advice[i].check,
			        advice[i].found, advice[i].advice },
			    COUNT(names));
	}
	if (!r->machines)
		part_add(p, ITEM_TEXT,
		    "The machine was not checked: the stream has no facts about it, which "
		    "bench-env writes.");
}

/* Appends a fact with its unit, which is the end of its name. */
static void put_fact(struct buf *b, const struct machine *m, const char *fact)
{
	static const struct {
		const char *end, *unit;
	} units[] = { { "_bytes", "B" }, { "_hz", "Hz" } };
	const struct host_fact *found = host_find(&m->host, fact);
	const char *value = found ? found->value : "";
	size_t len = strlen(fact);
	char text[64];
	double number;

	for (size_t i = 0; i < COUNT(units); i++) {
		size_t n = strlen(units[i].end);

		if (len <= n || strcmp(fact + len - n, units[i].end) != 0 ||
		    !number_parse(text_of(value), &number))
			continue;
		units_print(text, sizeof(text), number, units[i].unit);
		value = text;
	}
	csv_reader_put_field(b, text_of(value));
}

/* Returns whether a fact is the same on all machines. */
static bool is_shared(const struct report *r, const char *fact)
{
	for (size_t m = 0; m < r->machines; m++) {
		const struct host_fact *a = host_find(&r->machine[0].host, fact),
		                       *b = host_find(&r->machine[m].host, fact);

		if (!a || !b || strcmp(a->value, b->value) != 0)
			return false;
	}
	return true;
}

/* Returns whether another machine has a fact before. */
static bool is_repeated(const struct report *r, size_t fact)
{
	for (size_t i = 0; i < fact; i++)
		if (strcmp(r->fact[i], r->fact[fact]) == 0)
			return true;
	return false;
}

/* Appends the facts that are the same on all machines, or those that are not. */
static void put_facts(const struct report *r, struct item *it, bool shared)
{
	buf_str(&it->out, "fact");
	for (size_t m = 0; m < (shared ? 1 : r->machines); m++) {
		char *name = shared && r->machines > 1
		                 ? str_copy("all machines")
		                 : str_format("%s (%s)", machine_name(&r->machine[m]),
		                       r->machine[m].env);

		buf_byte(&it->out, ',');
		csv_reader_put_field(&it->out, text_of(name));
		free(name);
	}
	buf_byte(&it->out, '\n');
	for (size_t i = 0; i < r->facts; i++) {
		if (is_shared(r, r->fact[i]) != shared || is_repeated(r, i))
			continue;
		csv_reader_put_field(&it->out, text_of(r->fact[i]));
		for (size_t m = 0; m < (shared ? 1 : r->machines); m++) {
			buf_byte(&it->out, ',');
			put_fact(&it->out, &r->machine[m], r->fact[i]);
		}
		buf_byte(&it->out, '\n');
	}
}

void report_plan_machines(struct report *r, struct part *p)
{
	struct item *it;

	if (r->machines > 1) {
		it = part_add(p, ITEM_TABLE, "facts in which the machines differ");
		it->id = "machines-differ";
		it->nothing = "The machines have the same facts.";
		put_facts(r, it, false);
	}
	it = part_add(p, ITEM_TABLE,
	    r->machines > 1 ? "facts of all machines" : "facts of the machine");
	it->id = "machines-table";
	it->fold = r->machines > 1 ? "Facts that are equal on all machines" : NULL;
	put_facts(r, it, true);
}
