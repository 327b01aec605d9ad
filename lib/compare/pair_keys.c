/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs by columns; see pair_keys.h. The values of a pair are kept as one string, in which
 * a NUL follows each of them.
 */
#include <stdlib.h>
#include <string.h>

#include "compare/pair_keys.h"
#include "text/display_text.h"

struct pair_keys {
	const struct schema *schema;
	const char *const *column;
	size_t columns;
	struct intern pairs; /* their values */
	struct intern runs;  /* names of the runs of pairs */
	uint32_t *pair;      /* of each of these */
	size_t count, cap;
	uint32_t *of_run; /* by the numbers of the collection */
	struct buf text;  /* scratch space */
	struct text *cell;
	size_t cells;
};

struct pair_keys *pair_keys_open(
    const struct schema *schema, const char *const *column, size_t columns)
{
	struct pair_keys *k = mem_zero(1, sizeof(*k));

	k->schema = schema;
	k->column = column;
	k->columns = columns;
	return k;
}

/* Returns the number of the pair of a row. */
static size_t pair_of(struct pair_keys *k, const struct row *row)
{
	k->text.len = 0;
	for (size_t i = 0; i < k->columns; i++) {
		long id = schema_find(k->schema, text_of(k->column[i]));

		if (id >= 0)
			buf_text(&k->text, row->cell[id]);
		buf_byte(&k->text, '\0');
	}
	return intern_add(&k->pairs, text_in(&k->text));
}

/* Returns the name of the run of a row for its pair. That of a run without a name, which is
 * its table, begins with a NUL, so that it remains a run without a name. */
static struct text name_of(struct pair_keys *k, const struct row *row)
{
	size_t pair = pair_of(k, row), known = k->runs.count, number;
	struct text run = row->cell[COL_RUN];

	k->text.len = 0;
	if (!run.len)
		buf_byte(&k->text, '\0');
	buf_printf(&k->text, "%zu ", pair);
	if (run.len)
		buf_text(&k->text, run);
	else
		buf_printf(&k->text, "%llu", (unsigned long long)row->table);
	number = intern_add(&k->runs, text_in(&k->text));
	if (number == known)
		*VEC_ADD(k->pair, k->count, k->cap) = (uint32_t)pair;
	return intern_text(&k->runs, number);
}

struct row pair_keys_row(struct pair_keys *k, const struct row *row)
{
	struct row keyed = *row;

	if (k->cells < k->schema->count) {
		k->cells = k->schema->count;
		k->cell = mem_resize(k->cell, k->cells, sizeof(*k->cell));
	}
	memcpy(k->cell, row->cell, k->schema->count * sizeof(*k->cell));
	k->cell[COL_RUN] = name_of(k, row);
	keyed.cell = k->cell;
	return keyed;
}

int pair_keys_finish(struct pair_keys *k, const struct collect *c, struct fault *f)
{
	size_t runs = collect_runs(c);

	for (size_t i = 0; i < k->columns; i++)
		if (schema_need(k->schema, k->column[i], f) < 0)
			return -1;
	k->of_run = mem_zero(runs + 1, sizeof(*k->of_run));
	for (size_t i = 0; i < runs; i++)
		k->of_run[i] = k->pair[intern_find(&k->runs, collect_run(c, (uint32_t)i))];
	return 0;
}

const uint32_t *pair_keys_of_runs(const struct pair_keys *k)
{
	return k->of_run;
}

void pair_keys_put_columns(struct buf *b, const struct pair_keys *k)
{
	for (size_t i = 0; i < k->columns; i++) {
		buf_str(b, i ? "," : "");
		display_text_clean(b, text_of(k->column[i]));
	}
}

void pair_keys_put(struct buf *b, const struct pair_keys *k, uint32_t pair)
{
	const char *value = intern_text(&k->pairs, pair).ptr;

	for (size_t i = 0; i < k->columns; i++, value += strlen(value) + 1) {
		buf_str(b, i ? " " : "");
		if (k->columns > 1) {
			display_text_clean(b, text_of(k->column[i]));
			buf_byte(b, '=');
		}
		display_text_clean(b, text_of(*value || k->columns > 1 ? value : "''"));
	}
}

void pair_keys_close(struct pair_keys *k)
{
	if (!k)
		return;
	intern_free(&k->pairs);
	intern_free(&k->runs);
	free(k->pair);
	free(k->of_run);
	buf_free(&k->text);
	free(k->cell);
	free(k);
}
