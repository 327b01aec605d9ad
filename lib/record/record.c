/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of bench-csv(5) and their kinds; see record.h.
 */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "text/near_name.h"

static const struct {
	const char *name;
	enum column_kind kind;
	unsigned rank; /* see column_rank() */
} fixed[COL_FACTORS] = {
	[COL_RUN] = { "run", COLUMN_PROVENANCE, 7 },
	[COL_TIME] = { "time", COLUMN_PROVENANCE, 6 },
	[COL_HOST] = { "host", COLUMN_PROVENANCE, 4 },
	[COL_ENV] = { "env", COLUMN_PROVENANCE, 11 },
	[COL_COMMIT] = { "commit", COLUMN_PROVENANCE, 5 },
	[COL_KIND] = { "kind", COLUMN_SUBJECT, 12 },
	[COL_BENCH] = { "bench", COLUMN_SUBJECT, 0 },
	[COL_PROCESS] = { "process", COLUMN_MEASUREMENT, 3 },
	[COL_SAMPLE] = { "sample", COLUMN_MEASUREMENT, 2 },
	[COL_T] = { "t", COLUMN_MEASUREMENT, 9 },
	[COL_ITERATIONS] = { "iterations", COLUMN_MEASUREMENT, 8 },
	[COL_METRIC] = { "metric", COLUMN_SUBJECT, 0 },
	[COL_UNIT] = { "unit", COLUMN_SUBJECT, 0 },
	[COL_VALUE] = { "value", COLUMN_MEASUREMENT, 0 },
	[COL_STATUS] = { "status", COLUMN_MEASUREMENT, 1 },
	[COL_RUNNING_PCT] = { "running_pct", COLUMN_MEASUREMENT, 10 },
};

void schema_init(struct schema *s)
{
	*s = (struct schema){ 0 };
	for (size_t i = 0; i < COL_FACTORS; i++)
		schema_add(s, text_of(fixed[i].name));
}

void schema_free(struct schema *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->name[i]);
	free(s->name);
	intern_free(&s->ids);
	*s = (struct schema){ 0 };
}

long schema_find(const struct schema *s, struct text name)
{
	return intern_find(&s->ids, name);
}

int schema_need(const struct schema *s, const char *name, struct fault *f)
{
	if (schema_find(s, text_of(name)) >= 0)
		return 0;
	if (column_extra(text_of(name)))
		return fault_set(f,
		    "the column '%s' is skipped, because its name begins with x_; rename "
		    "it",
		    name);
	return schema_unknown(s, "the input has no column", text_of(name), f);
}

int schema_unknown(
    const struct schema *s, const char *what, struct text name, struct fault *f)
{
	size_t *order = mem_zero(s->count, sizeof(*order));
	struct known_names known = { 0 };

	schema_order(s, order);
	for (size_t i = 0; i < s->count; i++)
		known_names_add(&known, text_of(s->name[order[i]]));
	free(order);
	return unknown_name(f, what, name, &known);
}

size_t schema_add(struct schema *s, struct text name)
{
	size_t id = intern_add(&s->ids, name);

	if (id == s->count)
		*VEC_ADD(s->name, s->count, s->cap) = mem_text(name.ptr, name.len);
	return id;
}

enum column_kind column_kind(size_t id)
{
	return id < COL_FACTORS ? fixed[id].kind : COLUMN_SUBJECT;
}

unsigned column_rank(size_t id)
{
	return id < COL_FACTORS ? fixed[id].rank : 0;
}

bool column_reserved(struct text name)
{
	for (size_t i = 0; i < COL_FACTORS; i++)
		if (text_is(name, fixed[i].name))
			return true;
	return column_extra(name);
}

bool column_extra(struct text name)
{
	return name.len > 1 && memcmp(name.ptr, "x_", 2) == 0;
}

static size_t put_ids(const struct schema *s, bool extra, size_t *order, size_t n)
{
	for (size_t id = COL_FACTORS; id < s->count; id++)
		if (column_extra(text_of(s->name[id])) == extra)
			order[n++] = id;
	return n;
}

void schema_order(const struct schema *s, size_t *order)
{
	size_t n = 0;

	for (size_t id = 0; id <= COL_BENCH; id++)
		order[n++] = id;
	n = put_ids(s, false, order, n);
	for (size_t id = COL_BENCH + 1; id < COL_FACTORS; id++)
		order[n++] = id;
	put_ids(s, true, order, n);
}

bool row_is_end_mark(const struct row *r)
{
	return !r->cell[COL_KIND].len && !r->cell[COL_BENCH].len && r->cell[COL_RUN].len &&
	       r->has_value && r->process == ROW_NONE && r->sample == ROW_NONE &&
	       r->t == ROW_NONE && text_is(r->cell[COL_METRIC], END_MARK_METRIC) &&
	       text_is(r->cell[COL_UNIT], "1");
}

struct row row_part_twins(const struct row *row)
{
	struct row part = *row;
	int64_t *number = row->process != ROW_NONE ? &part.process : &part.sample;

	if (*number != ROW_NONE && *number >= 0 && *number < INT64_MAX / 2)
		*number = 2 * *number + (row->aa == 'b');
	return part;
}
