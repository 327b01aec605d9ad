/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads rows of bench-csv(5) as CSV, and as the JSON that --json writes: an array with an
 * object for each row, whose members are the columns. Also melts a foreign wide CSV.
 */
#include <math.h>

#include "convert/from.h"
#include "convert/to.h"
#include "record/bench_csv.h"

/* Removes the next field from a header. Returns false at the end of the record. */
static bool header_field(struct text *rest, struct text *field)
{
	bool quoted = false;
	size_t end = 0;

	if (!rest->len || rest->ptr[0] == '\n' || rest->ptr[0] == '\r')
		return false;
	for (; end < rest->len; end++)
		if (rest->ptr[end] == '"')
			quoted = !quoted;
		else if (!quoted && strchr(",\r\n", rest->ptr[end]))
			break;
	*field = (struct text){ rest->ptr, end };
	end += end < rest->len && rest->ptr[end] == ',';
	*rest = (struct text){ rest->ptr + end, rest->len - end };
	if (field->len > 1 && field->ptr[0] == '"')
		*field = (struct text){ field->ptr + 1, field->len - 2 };
	return true;
}

static bool csv_recognize(const struct source *s)
{
	struct text rest = s->text, line, field;
	bool metric = false, value = false;

	if (s->doc)
		return false;
	if (s->melts)
		return true;
	if (!line_next(&rest, &line))
		return false;
	if (text_is(line, "env,fact,value") || text_begins(line, "kind,bench,subject"))
		return true;
	rest = s->text;
	while (header_field(&rest, &field)) {
		metric |= text_is(field, "metric");
		value |= text_is(field, "value");
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

	bench_csv_keep_extras(stream); /* the builder decides about them */
	if (!s->melts || bench_csv_melt(stream, s->melt, s->melts, f) == 0)
		status = bench_csv_read_text(stream, s->name, s->text, f);
	if (status == 0 && !bench_csv_has_rows(stream))
		status = fault_set(f, "%s: no table of measurements in the input", s->name);
	bench_csv_close(stream);
	return status;
}

/* Returns the rows of bench-run --json, or the samples in the results of bench-run -d. */
static const struct json_t *rows_of(const struct json_t *doc)
{
	return doc_is_object(doc) ? doc_member(doc, "samples") : doc;
}

static bool csv_recognize_json(const struct source *s)
{
	const struct json_t *rows = rows_of(s->doc), *first = doc_item(rows, 0);

	if (doc_member(s->doc, "summary") && doc_is_array(rows) && !first)
		return true;
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

/* Reads a member that is a number. */
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
		return fault_cell(r, name, "not a number", f);
	if (whole && !doc_integer(v, whole))
		return fault_cell(r, name, "not a whole number that fits 64 bits", f);
	if (column == COL_RUNNING_PCT) {
		row->has_running_pct = true;
		row->running_pct = x;
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
	if (column >= 0 && column < COL_FACTORS) {
		if (doc_is_null(v))
			return 0;
		if (!doc_text(v, &text))
			return fault_cell(r, name, "not a string", f);
		row_builder_set(r->out, (enum column)column, text);
	} else if (doc_is_null(v)) /* the columns keep their order */
		row_builder_factor(r->out, name, TEXT(""));
	else if ((doc_is_array(v) || doc_is_object(v)) && column_extra(name))
		return 0;
	else if (doc_is_array(v) || doc_is_object(v))
		return fault_cell(r, name, "neither a string nor a number", f);
	else
		from_factor(r->out, name, v);
	return 0;
}

static int csv_read_json(const struct source *s, struct row_builder *out, struct fault *f)
{
	const struct json_t *rows = rows_of(s->doc);

	for (size_t i = 0; i < doc_length(rows); i++) {
		const struct json_t *object = doc_item(rows, i);
		struct reading r = { s, out, i + 1 };
		double value = NAN;

		if (!doc_member(object, "metric"))
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
	.meaning = "rows of bench-csv(5) as JSON",
	.is_json = true,
	.recognize = csv_recognize_json,
	.read = csv_read_json,
	.writer = &json_writer };
