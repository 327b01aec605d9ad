/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Our own rows, as CSV and as the JSON that --json writes: an array with an object for each
 * row, whose members are the columns of bench-csv(5). A foreign wide CSV is melted.
 */
#include <math.h>

#include "convert/from.h"
#include "convert/to.h"
#include "record/bench_csv.h"

static bool csv_recognize(const struct source *s)
{
	struct text rest = s->text, line, cell;
	bool metric = false, value = false;

	if (s->doc)
		return false;
	if (s->melts)
		return true;
	if (!line_next(&rest, &line))
		return false;
	if (text_is(line, "env,fact,value") || text_begins(line, "kind,bench,subject"))
		return true;
	while (line.len) {
		cell = text_until(&line, ',');
		if (cell.len > 1 && cell.ptr[0] == '"')
			cell = (struct text){ cell.ptr + 1, cell.len - 2 };
		metric |= text_is(cell, "metric");
		value |= text_is(cell, "value");
	}
	return metric && value;
}

static void copy_numbers(struct row_builder *out, const struct row *row)
{
	out->row.process = row->process;
	out->row.sample = row->sample;
	out->row.t = row->t;
	out->row.iterations = row->iterations;
	out->row.has_running_pct = row->has_running_pct;
	out->row.running_pct = row->running_pct;
}

static int on_row(void *ctx, const struct row *row, struct fault *f)
{
	struct row_builder *out = ctx;
	const struct schema *schema = row->schema;

	row_builder_clear(out);
	for (size_t i = 0; i < schema->count; i++) {
		if (i >= COL_FACTORS)
			row_builder_factor(out, text_of(schema->name[i]), row->cell[i]);
		else if (column_kind(i) != COLUMN_MEASUREMENT || i == COL_STATUS)
			if (row->cell[i].len || i != COL_BENCH)
				row_builder_set(out, (enum column)i, row->cell[i]);
	}
	copy_numbers(out, row);
	return row_builder_put(out, row->cell[COL_METRIC], row->cell[COL_UNIT],
	    row->has_value ? row->value : NAN, f);
}

static int csv_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = on_row };
	struct bench_csv *stream = bench_csv_open(&sink, out);
	int status = -1;

	if (!s->melts || bench_csv_melt(stream, s->melt, s->melts, f) == 0)
		status = bench_csv_read_text(stream, s->name, s->text, f);
	if (status == 0 && !bench_csv_has_rows(stream))
		status = fault_set(f, "%s: no table of measurements in the input", s->name);
	bench_csv_close(stream);
	return status;
}

static bool csv_recognize_json(const struct source *s)
{
	const struct json_t *first = doc_item(s->doc, 0);

	return doc_member(first, "metric") && doc_member(first, "value");
}

struct reading {
	const struct source *source;
	struct row_builder *out;
	size_t number;
};

static int fault_cell(
    const struct reading *r, struct text name, const char *what, struct fault *f)
{
	return fault_set(f, "%s: row %zu: %.*s is %s", r->source->name, r->number,
	    name.len > 60 ? 60 : (int)name.len, name.ptr, what);
}

/* The members that are numbers. */
static int on_number(struct reading *r, size_t column, struct text name,
    const struct json_t *v, struct fault *f)
{
	struct row *row = &r->out->row;
	int64_t *whole = column == COL_PROCESS      ? &row->process
	                 : column == COL_SAMPLE     ? &row->sample
	                 : column == COL_T          ? &row->t
	                 : column == COL_ITERATIONS ? &row->iterations
	                                            : NULL;
	double x;

	if (doc_is_null(v))
		return 0;
	if (!doc_number(v, &x))
		return fault_cell(r, name, "no number", f);
	if (column == COL_RUNNING_PCT) {
		row->has_running_pct = true;
		row->running_pct = x;
	} else if (whole) {
		if (x != floor(x) || fabs(x) >= 0x1p63)
			return fault_cell(r, name, "no whole number", f);
		*whole = (int64_t)x;
	}
	return 0;
}

static int on_member(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct reading *r = ctx;
	long column = schema_find(&r->out->schema, name);
	struct text text;

	if (column >= 0 && column < COL_FACTORS &&
	    column_kind((size_t)column) == COLUMN_MEASUREMENT && column != COL_STATUS)
		return on_number(r, (size_t)column, name, v, f);
	if (doc_is_null(v))
		return 0;
	if (column >= 0 && column < COL_FACTORS) {
		if (!doc_text(v, &text))
			return fault_cell(r, name, "no text", f);
		row_builder_set(r->out, (enum column)column, text);
	} else if (doc_is_array(v) || doc_is_object(v))
		return fault_cell(r, name, "neither text nor number", f);
	else
		from_factor(r->out, name, v);
	return 0;
}

static int csv_read_json(const struct source *s, struct row_builder *out, struct fault *f)
{
	for (size_t i = 0; i < doc_length(s->doc); i++) {
		const struct json_t *object = doc_item(s->doc, i);
		struct reading r = { s, out, i + 1 };
		double value = NAN;

		if (!from_text(object, "metric").len)
			return fault_set(f, "%s: row %zu has no metric", s->name, i + 1);
		row_builder_clear(out);
		if (doc_each(object, on_member, &r, f) < 0)
			return -1;
		doc_number(doc_member(object, "value"), &value);
		if (row_builder_put(out, from_text(object, "metric"),
		        from_text(object, "unit"), value, f) < 0)
			return -1;
	}
	return 0;
}

const struct format format_csv = { .name = "csv",
	.meaning = "bench-csv(5), and with -m any other CSV",
	.recognize = csv_recognize,
	.read = csv_read,
	.writer = &csv_writer };
const struct format format_json = { .name = "json",
	.meaning = "the same rows as JSON",
	.is_json = true,
	.recognize = csv_recognize_json,
	.read = csv_read_json,
	.writer = &json_writer };
