/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of bench-csv(5) and their kinds; see record.h.
 */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

static const struct {
	const char *name;
	enum column_kind kind;
} fixed[COL_FACTORS] = {
	[COL_RUN] = { "run", COLUMN_PROVENANCE },
	[COL_TIME] = { "time", COLUMN_PROVENANCE },
	[COL_HOST] = { "host", COLUMN_PROVENANCE },
	[COL_ENV] = { "env", COLUMN_PROVENANCE },
	[COL_COMMIT] = { "commit", COLUMN_PROVENANCE },
	[COL_KIND] = { "kind", COLUMN_SUBJECT },
	[COL_BENCH] = { "bench", COLUMN_SUBJECT },
	[COL_PROCESS] = { "process", COLUMN_MEASUREMENT },
	[COL_SAMPLE] = { "sample", COLUMN_MEASUREMENT },
	[COL_T] = { "t", COLUMN_MEASUREMENT },
	[COL_ITERATIONS] = { "iterations", COLUMN_MEASUREMENT },
	[COL_METRIC] = { "metric", COLUMN_SUBJECT },
	[COL_UNIT] = { "unit", COLUMN_SUBJECT },
	[COL_VALUE] = { "value", COLUMN_MEASUREMENT },
	[COL_STATUS] = { "status", COLUMN_MEASUREMENT },
	[COL_RUNNING_PCT] = { "running_pct", COLUMN_MEASUREMENT },
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

bool column_reserved(struct text name)
{
	for (size_t i = 0; i < COL_FACTORS; i++)
		if (text_is(name, fixed[i].name))
			return true;
	return false;
}

void schema_order(const struct schema *s, size_t *order)
{
	size_t n = 0;

	for (size_t id = 0; id <= COL_BENCH; id++)
		order[n++] = id;
	for (size_t id = COL_FACTORS; id < s->count; id++)
		order[n++] = id;
	for (size_t id = COL_BENCH + 1; id < COL_FACTORS; id++)
		order[n++] = id;
}

bool row_is_end_mark(const struct row *r)
{
	return !r->cell[COL_KIND].len && !r->cell[COL_BENCH].len && r->cell[COL_RUN].len &&
	       r->has_value && r->process == ROW_NONE && r->sample == ROW_NONE &&
	       r->t == ROW_NONE && text_is(r->cell[COL_METRIC], END_MARK_METRIC) &&
	       text_is(r->cell[COL_UNIT], "1");
}
