/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads rows of bench-csv(5) as CSV or JSON. Also melts a foreign wide table.
 */
#include <math.h>

#include "convert/from.h"
#include "convert/to.h"
#include "io/csv_reader.h"
#include "io/json_rows.h"
#include "record/bench_csv.h"
#include "record/stream_header.h"

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
		else if (!quoted && memchr(",\r\n", rest->ptr[end], 3))
			break;
	*field = (struct text){ rest->ptr, end };
	end += end < rest->len && rest->ptr[end] == ',';
	*rest = text_after(*rest, end);
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

static int on_fact(
    void *ctx, struct text env, struct text fact, struct text value, struct fault *f)
{
	struct row_builder *out = ctx;

	(void)f;
	if (!out->learning && out->fact)
		out->fact(out->ctx, env, fact, value);
	return 0;
}

static int csv_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = on_row, .fact = on_fact };
	struct bench_csv *stream = bench_csv_open(&sink, out);
	int status = -1;

	bench_csv_keep_extras(stream); /* the builder decides about them */
	if (!s->melts || bench_csv_melt(stream, s->melt, s->melts, f) == 0)
		status = bench_csv_read_text(stream, s->name, s->text, f);
	out->no_rows = !bench_csv_has_rows(stream);
	bench_csv_close(stream);
	return status;
}

/* Returns 1 if a header is that of a table of bench-csv(5). */
static int see_header(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	size_t at[FACT_FIELDS];

	(void)ctx;
	(void)line;
	(void)f;
	return stream_header_facts(field, count, true, at) ||
	       stream_header_subjects(field, count, true) ||
	       stream_header_rows(field, count);
}

static bool json_recognize(const struct source *s)
{
	struct fault ignored;

	return !s->doc && json_rows_detect(s->text, true) &&
	       csv_reader_first(s->text, see_header, NULL, &ignored) == 1;
}

const struct format format_csv = { .name = "csv",
	.meaning = "bench-csv(5), and with -m any other CSV",
	.is_own = true,
	.recognize = csv_recognize,
	.read = csv_read,
	.writer = &csv_writer };
const struct format format_json = { .name = "json",
	.meaning = "rows of bench-csv(5) as JSON",
	.is_own = true,
	.is_json_lines = true,
	.recognize = json_recognize,
	.read = csv_read,
	.writer = &json_writer };
const struct format format_json_lines = { .name = "json-lines",
	.meaning = "rows of bench-csv(5) as JSON, an object in each line",
	.is_own = true,
	.is_json_lines = true,
	.recognize = json_recognize,
	.read = csv_read,
	.writer = &json_lines_writer };
