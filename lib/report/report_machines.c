/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a report about data quality and machines.
 */
#include <stdio.h>

#include "host/host_check.h"
#include "io/csv_reader.h"
#include "report/report_items_priv.h"

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

void report_plan_warnings(struct report *r, struct part *p)
{
	struct item *it = part_add(p, ITEM_TABLE, "problems with the samples and machines");
	static const char *const names[] = { "level", "machine", "check", "found",
		"advice" };
	struct host_advice advice[HOST_CHECKS_MAX];
	char found[64];

	it->nothing = "No problems found.";
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
			        r->machine[m].env, advice[i].check, advice[i].found,
			        advice[i].advice },
			    COUNT(names));
	}
	if (!r->machines)
		part_add(p, ITEM_TEXT,
		    "The stream has no facts of the machine; bench-env writes them.");
}

void report_plan_machines(struct report *r, struct part *p)
{
	static const char *const names[] = { "env", "fact", "value" };
	struct item *it = part_add(p, ITEM_TABLE, "facts of the machines");

	it->id = "machines-table";
	put_fields(&it->out, names, COUNT(names));
	for (size_t m = 0; m < r->machines; m++)
		for (size_t i = 0; i < r->machine[m].host.count; i++) {
			const struct host_fact *fact = &r->machine[m].host.fact[i];

			put_fields(&it->out,
			    (const char *[]){ r->machine[m].env, fact->name, fact->value },
			    COUNT(names));
		}
}
