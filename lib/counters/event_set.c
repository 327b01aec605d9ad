/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads sets of events; see event_set.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/dir_names.h"
#include "base/paths.h"
#include "counters/event_set.h"
#include "io/csv_table.h"
#include "text/near_name.h"

enum { NAME, EVENT, FORMULA, UNIT, PMU, GROUP, FIELDS };
static const char *const columns[FIELDS] = { "name", "event", "formula", "unit", "pmu",
	"group" };

struct line {
	const char *field[FIELDS];
	uint64_t number;
};

/* The lines of a file. */
struct event_lines {
	struct csv_table table;
	struct line *line;
	size_t count, cap;
};

static int take_row(struct event_lines *r, const size_t at[FIELDS], struct fault *f)
{
	struct line *l = VEC_ADD(r->line, r->count, r->cap);

	for (size_t c = 0; c < FIELDS; c++)
		l->field[c] = csv_table_field(&r->table, at[c]).ptr;
	l->number = csv_table_line(&r->table);
	return *l->field[NAME] ? 0 : csv_table_fault(&r->table, f, "the name is empty");
}

/* Adds the file and line to a message. */
static int fault_at_line(const struct event_lines *r, const struct line *l, struct fault *f)
{
	return fault_prefix(f, "%s:%llu", r->table.file, (unsigned long long)l->number);
}

static int add_line(struct counter_set *set, const struct line *l, uint32_t bond,
    bool asked, struct fault *f)
{
	const char *const *field = l->field;
	const char *unit = *field[UNIT] ? field[UNIT] : "1";

	if (*field[FORMULA])
		return counter_derive(set, field[NAME], unit, field[FORMULA], f);
	return counter_add_named(
	    set, field[NAME], *field[EVENT] ? field[EVENT] : field[NAME], bond, asked, f);
}

/* Returns whether no line with this name is for this machine. */
static bool lacks_event(
    struct counter_set *set, const struct event_lines *r, const char *name)
{
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->line[i].field[NAME], name) == 0 &&
		    counter_has_pmu(set, r->line[i].field[PMU]))
			return false;
	return true;
}

/* Returns the bond of the group of a line: a number for the first line of the group. */
static uint32_t bond_of(struct counter_set *set, const struct event_lines *r,
    const struct line *l, uint32_t first_bond)
{
	if (!*l->field[GROUP])
		return 0;
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->line[i].field[GROUP], l->field[GROUP]) == 0) {
			uint32_t bond = first_bond + (uint32_t)i;

			if (set->bonds < bond)
				set->bonds = bond;
			return bond;
		}
	return 0;
}

/* Adds the events, and then the formulas, which may refer to later lines. */
static int add_lines(
    struct counter_set *set, struct event_lines *r, bool asked, struct fault *f)
{
	uint32_t first_bond = set->bonds + 1;

	for (int derived = 0; derived < 2; derived++)
		for (size_t i = 0; i < r->count; i++) {
			const struct line *l = &r->line[i];

			if ((*l->field[FORMULA] != '\0') == derived &&
			    counter_has_pmu(set, l->field[PMU]) &&
			    add_line(set, l, bond_of(set, r, l, first_bond), asked, f) < 0)
				return fault_at_line(r, l, f);
		}
	for (size_t i = 0; asked && i < r->count; i++)
		if (*r->line[i].field[FORMULA] &&
		    lacks_event(set, r, r->line[i].field[NAME]))
			counter_add_absent(
			    set, r->line[i].field[NAME], r->line[i].field[UNIT]);
	return 0;
}

static int parse_set(
    struct event_lines *r, const char *file, const struct buf *b, struct fault *f)
{
	size_t at[FIELDS];
	int status = csv_table_open(&r->table, text_in(b), file, f);

	csv_table_locate(&r->table, columns, FIELDS, at);
	if (status == 0)
		status = csv_table_require(&r->table, &columns[NAME], 1, &at[NAME], f);
	while (status == 0 && (status = csv_table_next(&r->table, f)) > 0)
		status = take_row(r, at, f);
	return status;
}

void event_set_names(struct known_names *k)
{
	char *dir = share_path("events"), **file;
	size_t files = dir_names(dir, &file);

	for (size_t i = 0; i < files; i++)
		known_names_add(k, text_of(mem_text(file[i], strcspn(file[i], "."))));
	dir_names_free(file, files);
	free(dir);
}

/* Reports an unknown set with the names of the installed sets. Returns -1. */
static int fault_unknown_set(const char *name, struct fault *f)
{
	struct known_names known = { .owns = true,
		.advice = "for a file of your own, use ./FILE" };

	event_set_names(&known);
	return unknown_name(f, "unknown event set", text_of(name), &known);
}

/*
 * Adds a set by its name, or by the path of its file if the name contains a slash. asked:
 * the user named the set, so that an event that cannot be counted gets a row. Returns 0, or
 * -1 with a message that names the file and line, or the existing sets.
 */
static int add_set(struct counter_set *set, const char *name, bool asked, struct fault *f)
{
	bool own = strchr(name, '/') != NULL;
	char *file = own ? str_copy(name) : str_format("events/%s.csv", name);
	struct event_lines r = { 0 };
	struct buf b = { 0 };
	int status = own ? file_read(file, &b, f) : share_read(file, &b, f);

	if (status < 0 && !own)
		fault_unknown_set(name, f);
	if (status == 0)
		status = parse_set(&r, file, &b, f);
	if (status == 0)
		status = add_lines(set, &r, asked, f);
	free(r.line);
	csv_table_free(&r.table);
	buf_free(&b);
	free(file);
	return status;
}

int event_set_choose(struct counter_set *set, const char *const *events, size_t event_count,
    const char *const *sets, size_t set_count, struct fault *f)
{
	bool none = false;

	for (size_t i = 0; i < event_count; i++)
		if (strcmp(events[i], "none") == 0)
			none = true;
		else if (counter_add(set, events[i], true, f) < 0)
			return -1;
	if (none && (set->count || set_count))
		return fault_set(f, "-e none cannot be combined with other events");
	for (size_t i = 0; i < set_count; i++)
		if (strcmp(sets[i], "energy") != 0 && /* not counted: see energy_source.h */
		    add_set(set, sets[i], true, f) < 0)
			return -1;
	return event_count || set_count ? 0 : add_set(set, "default", false, f);
}
