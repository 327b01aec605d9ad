/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Building rows; see row_builder.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/row_builder.h"
#include "record/row_settings.h"
#include "text/display_text.h"
#include "text/units.h"
#include "text/utf8.h"

static const struct row no_numbers = { .ok = true,
	.process = ROW_NONE,
	.sample = ROW_NONE,
	.t = ROW_NONE,
	.iterations = ROW_NONE };

void row_builder_init(struct row_builder *r)
{
	*r = (struct row_builder){ .learning = true };
	schema_init(&r->schema);
	row_builder_clear(r);
}

void row_builder_again(struct row_builder *r,
    int (*sink)(void *, const struct row *, struct fault *), void *ctx)
{
	r->learning = false;
	r->sink = sink;
	r->ctx = ctx;
	r->count = r->failed = 0;
	row_builder_clear(r);
}

void row_builder_free(struct row_builder *r)
{
	schema_free(&r->schema);
	buf_free(&r->notes);
	arena_free(&r->texts);
	arena_free(&r->owners);
	free(r->used);
	free(r->cell);
	free(r->owner);
}

/* Makes as many cells as there are columns. */
static void make_cells(struct row_builder *r)
{
	if (r->cells == r->schema.count)
		return;
	r->cell = mem_resize(r->cell, r->schema.count, sizeof(*r->cell));
	r->used = mem_resize(r->used, r->schema.count, sizeof(*r->used));
	r->owner = mem_resize(r->owner, r->schema.count, sizeof(*r->owner));
	for (; r->cells < r->schema.count; r->cells++) {
		r->cell[r->cells] = TEXT("");
		r->owner[r->cells] = NULL;
		r->used[r->cells] = false;
	}
}

void row_builder_clear(struct row_builder *r)
{
	make_cells(r);
	for (size_t i = 0; i < r->cells; i++)
		r->cell[i] = TEXT("");
	arena_free(&r->texts);
	r->row = no_numbers;
	r->row.schema = &r->schema;
}

void row_builder_set(struct row_builder *r, enum column column, struct text t)
{
	r->cell[column] = t;
}

size_t row_builder_column(struct row_builder *r, struct text name)
{
	size_t id = schema_add(&r->schema, name);

	make_cells(r);
	return id;
}

static void set_column(struct row_builder *r, struct text name, struct text value)
{
	/* The column can move the cells. */
	size_t id = row_builder_column(r, name);

	r->cell[id] = value;
}

/* Returns whether a reader sets this extra column. */
static bool extra_known(struct text name)
{
	return text_is(name, EXTRA_MESSAGE) || text_is(name, EXTRA_NAME);
}

static struct text prefixed_name(struct row_builder *r, struct text name)
{
	return text_of(arena_format(&r->texts, "_%.*s", (int)name.len, name.ptr));
}

/*
 * Sets the factor whose name in the other program's file is `given`. The first name that
 * becomes a column's keeps the column in all rows and files.
 */
static void set_foreign(
    struct row_builder *r, struct text name, struct text given, struct text value)
{
	size_t id = schema_add(&r->schema, name);

	make_cells(r);
	while (r->owner[id] && !text_is(given, r->owner[id])) {
		name = text_of(arena_format(&r->texts, "%.*s_", (int)name.len, name.ptr));
		id = schema_add(&r->schema, name);
		make_cells(r);
	}
	if (!r->owner[id])
		r->owner[id] = arena_text(&r->owners, given);
	r->cell[id] = value;
}

/* Returns whether a name may also be what becomes of another name. */
static bool is_ambiguous(struct text name, struct text given)
{
	return name.ptr != given.ptr || name.ptr[0] == '_' || name.ptr[name.len - 1] == '_';
}

void row_builder_factor(struct row_builder *r, struct text name, struct text value)
{
	struct text given = name;

	if (!name.len)
		name = TEXT("unnamed");
	if (r->extras == ROW_EXTRAS_RENAME && utf8_skip_mark(name).len < name.len) {
		name = prefixed_name(r, name);
	} else if (column_extra(name)) {
		if (r->extras == ROW_EXTRAS_SKIP ||
		    (r->extras == ROW_EXTRAS_KNOWN && !extra_known(name)))
			return;
		if (r->extras == ROW_EXTRAS_RENAME)
			name = prefixed_name(r, name);
	} else if (column_reserved(name) ||
	           (r->extras == ROW_EXTRAS_RENAME &&
	               (text_is(name, COLUMN_AA) || text_is(name, "subject")))) {
		name = text_of(arena_format(&r->texts, "%.*s_", (int)name.len, name.ptr));
	}
	if (r->extras != ROW_EXTRAS_RENAME || !is_ambiguous(name, given))
		set_column(r, name, value);
	else
		set_foreign(r, name, given, value);
}

void row_builder_extra(struct row_builder *r, const char *name, struct text value)
{
	if (!r->no_extras)
		set_column(r, text_of(name), value);
}

void row_builder_factor_number(struct row_builder *r, struct text name, double value)
{
	char text[NUMBER_TEXT_MAX];

	size_t len = number_print(text, value);

	row_builder_factor(
	    r, name, text_of(arena_text(&r->texts, (struct text){ text, len })));
}

static void learn_columns(struct row_builder *r)
{
	const struct row *row = &r->row;

	for (size_t i = 0; i < r->cells; i++)
		r->used[i] |= r->cell[i].len > 0;
	r->used[COL_PROCESS] |= row->process != ROW_NONE;
	r->used[COL_SAMPLE] |= row->sample != ROW_NONE;
	r->used[COL_T] |= row->t != ROW_NONE;
	r->used[COL_ITERATIONS] |= row->iterations != ROW_NONE;
	r->used[COL_RUNNING_PCT] |= row->has_running_pct;
	r->used[COL_METRIC] = r->used[COL_UNIT] = r->used[COL_VALUE] = true;
}

/* Passes the row on, or learns its columns. */
static int put_row(struct row_builder *r, struct fault *f)
{
	struct row *row = &r->row;

	r->count++;
	row->ok = !r->cell[COL_STATUS].len || text_is(r->cell[COL_STATUS], "ok");
	r->failed += !row->ok;
	if (!r->learning)
		return r->sink(r->ctx, row, f);
	learn_columns(r);
	return 0;
}

int row_builder_put(struct row_builder *r, struct text metric, struct text unit,
    double value, struct fault *f)
{
	struct row *row = &r->row;
	struct text status = r->cell[COL_STATUS];
	int result;

	r->cell[COL_METRIC] = metric;
	r->cell[COL_UNIT] = unit;
	row->cell = r->cell;
	row->has_value = isfinite(value);
	row->value = value;
	if (row_is_end_mark(row))
		return 0;
	if (r->bench && !r->cell[COL_BENCH].len)
		r->cell[COL_BENCH] = text_of(r->bench);
	if (r->run && !r->cell[COL_RUN].len)
		r->cell[COL_RUN] = text_of(r->run);
	if (r->settings && row_settings_apply(r->settings, r, f) < 0)
		return -1;
	row->cell = r->cell;
	if (r->marks_missing && !row->has_value && (!status.len || text_is(status, "ok")))
		r->cell[COL_STATUS] = TEXT("skipped");
	result = row_conditions_met(r->conditions, row) && metric_filter_row(r->filter, row)
	             ? put_row(r, f)
	             : 0;
	r->cell[COL_STATUS] = status;
	return result;
}

void row_builder_note(struct row_builder *r, const char *fmt, ...)
{
	va_list ap;
	char line[512];

	if (!r->learning)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	display_text_clean(&r->notes, text_of(line));
	buf_byte(&r->notes, '\n');
}

double decimal_shift(double x, int exponent)
{
	char text[NUMBER_TEXT_MAX + 16];
	size_t len;
	double shifted;
	char *e;

	if (!isfinite(x))
		return NAN;
	if (!exponent)
		return x;
	len = number_print(text, x);
	text[len] = '\0';
	e = strchr(text, 'e');
	if (e) {
		int64_t own = 0;

		integer_parse(text_of(e + 1), &own);
		exponent += (int)own;
		len = (size_t)(e - text);
	}
	len += (size_t)snprintf(text + len, sizeof(text) - len, "e%d", exponent);
	if (!number_parse((struct text){ text, len }, &shifted))
		return NAN;
	return shifted;
}
