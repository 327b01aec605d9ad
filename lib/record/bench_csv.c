/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads streams; see bench_csv.h. A stream is a sequence of tables of three kinds: rows,
 * facts and subjects. Headers of CSV are recognized among the records, so that files joined
 * with cat can be read. bench_csv_table.c begins the tables.
 */
#include <stdlib.h>
#include <string.h>

#include "io/csv_thread.h"
#include "record/bench_csv_priv.h"
#include "record/foreign_input.h"
#include "record/stream_header.h"
#include "text/plural.h"
#include "text/units.h"

static csv_reader_record on_record;

struct bench_csv *bench_csv_open(const struct bench_csv_sink *sink, void *ctx)
{
	struct bench_csv *s = mem_zero(1, sizeof(*s));

	s->sink = sink;
	s->ctx = ctx;
	s->reader = csv_reader_open(on_record, s);
	schema_init(&s->schema);
	return s;
}

int bench_csv_melt(
    struct bench_csv *s, const char *const *specs, size_t count, struct fault *f)
{
	s->melt = mem_zero(count, sizeof(*s->melt));
	if (melt_parse(s->melt, specs, count, f) < 0)
		return -1;
	s->melts = count;
	return 0;
}

void bench_csv_keep_extras(struct bench_csv *s)
{
	s->extras = true;
}

void bench_csv_select(
    struct bench_csv *s, struct metric_filter *filter, struct row_conditions *conditions)
{
	s->filter = filter;
	s->conditions = conditions;
}

void bench_csv_watch_ends(struct bench_csv *s, struct run_ends *ends)
{
	s->ends = ends;
}

static bool names_rows(const struct bench_csv *s, const struct text *field, size_t count)
{
	if (!s->melts && s->continues) /* only the first row of JSON must have a value */
		return stream_header_find(field, count, TEXT("metric")) != SIZE_MAX;
	if (!s->melts)
		return stream_header_rows(field, count);
	for (size_t i = 0; i < s->melts; i++)
		if (stream_header_find(field, count, s->melt[i].column) == SIZE_MAX)
			return false;
	return true;
}

/*
 * Returns whether the field in the value column of the current table is empty or a
 * number. The number is stored in the row, because the record most likely is a row.
 */
static bool value_may_be_number(struct bench_csv *s, const struct text *field, size_t count)
{
	size_t at = s->melts ? s->melt[0].at : s->position[COL_VALUE];

	s->value_read = at < count && number_parse(field[at], &s->row.value);
	return s->value_read || (at < count && field[at].len == 0);
}

/* Returns which kind of table a record begins, or TABLE_NONE if it belongs to the
 * current table. */
static enum bench_csv_table header_kind(
    struct bench_csv *s, const struct text *field, size_t count)
{
	enum record_form form = csv_reader_form(s->reader);
	bool json = form != RECORD_OF_CSV;
	size_t at[FACT_FIELDS];

	s->value_read = false;
	s->continues &= form != RECORD_JSON_TABLE;
	if (form == RECORD_JSON_ROW)
		return TABLE_NONE;
	if (stream_header_facts(field, count, json, at)) {
		memcpy(s->fact_at, at, sizeof(at));
		return TABLE_FACTS;
	}
	if (stream_header_subjects(field, count, json))
		return TABLE_SUBJECTS;
	if (!json && s->kind == TABLE_ROWS && value_may_be_number(s, field, count))
		return TABLE_NONE;
	return names_rows(s, field, count) ? TABLE_ROWS : TABLE_NONE;
}

static int shown_length(struct text t)
{
	return t.len > 60 ? 60 : (int)t.len;
}

static int emit_row(struct bench_csv *s, uint64_t line, struct fault *f)
{
	struct row *r = &s->row;
	struct text column = s->melts ? s->cell[COL_METRIC] : TEXT("value");
	struct fault why;
	bool selected;

	r->has_value = true;
	if ((s->melts || !s->value_read) && row_fields_number(column, s->cell[COL_VALUE],
	                                        &r->has_value, &r->value, &why) < 0)
		return bench_csv_fault(s, line, f, "%s", why.text);
	if (!s->melts && row_is_end_mark(r)) {
		if (s->ends)
			run_ends_mark(s->ends, r);
		return s->sink->end_mark ? s->sink->end_mark(s->ctx, r, f) : 0;
	}
	selected = row_conditions_met(s->conditions, r) && metric_filter_row(s->filter, r);
	if (s->ends && !s->melts)
		run_ends_row(s->ends, r, selected);
	if (!s->sink->row || !selected)
		return 0;
	return each_metrics_mark(&s->each, r, f) < 0 ? -1 : s->sink->row(s->ctx, r, f);
}

static int emit_melted(
    struct bench_csv *s, const struct text *field, uint64_t line, struct fault *f)
{
	for (size_t i = 0; i < s->melts; i++) {
		s->cell[COL_METRIC] = s->melt[i].column;
		s->cell[COL_UNIT] = s->melt[i].unit;
		s->cell[COL_VALUE] = field[s->melt[i].at];
		if (emit_row(s, line, f) < 0)
			return -1;
	}
	return 0;
}

static int read_aa(struct bench_csv *s, struct text t, uint64_t line, struct fault *f)
{
	s->row.aa = t.len == 1 ? *t.ptr : '\0';
	if (!t.len || s->row.aa == 'a' || s->row.aa == 'b')
		return 0;
	return bench_csv_fault(s, line, f,
	    "%s: '%.*s' is not a or b, the halves of bench-run --aa; rename the column",
	    COLUMN_AA, shown_length(t), t.ptr);
}

/* Fills in the cells. An extra column that is an array or object is empty. */
static int take_cells(struct bench_csv *s, const struct text *field, size_t count,
    uint64_t line, struct fault *f)
{
	const unsigned char *type = csv_reader_types(s->reader);
	struct fault why;

	for (size_t i = 0; type && i < s->melts; i++)
		if (stream_type_check(
		        COL_VALUE, s->melt[i].column, type[s->melt[i].at], &why) < 0)
			return bench_csv_fault(s, line, f, "%s", why.text);
	for (size_t i = 0; type && i < count; i++)
		if (s->id[i] != NOT_A_CELL &&
		    stream_type_check(
		        s->id[i], text_of(s->schema.name[s->id[i]]), type[i], &why) < 0)
			return bench_csv_fault(s, line, f, "%s", why.text);
	for (size_t i = 0; i < count; i++)
		if (s->id[i] != NOT_A_CELL)
			s->cell[s->id[i]] =
			    type && type[i] == FIELD_NESTED ? TEXT("") : field[i];
	return 0;
}

static int on_row(struct bench_csv *s, const struct text *field, size_t count,
    uint64_t line, struct fault *f)
{
	struct row *r = &s->row;
	struct fault why;

	if (take_cells(s, field, count, line, f) < 0)
		return -1;
	r->file = s->file;
	r->line = line;
	if (s->aa != SIZE_MAX && read_aa(s, field[s->aa], line, f) < 0)
		return -1;
	if (row_fields_read(&s->fields, r, csv_reader_types(s->reader), &why) < 0)
		return bench_csv_fault(s, line, f, "%s", why.text);
	r->ok = !s->cell[COL_STATUS].len || text_is(s->cell[COL_STATUS], "ok");
	if (s->melts && !melt_is_status(s->cell[COL_STATUS]))
		return bench_csv_fault(s, line, f,
		    "status: '%.*s' is not a status of bench-csv(5); rename the column",
		    shown_length(s->cell[COL_STATUS]), s->cell[COL_STATUS].ptr);
	return s->melts ? emit_melted(s, field, line, f) : emit_row(s, line, f);
}

static int on_subject(struct bench_csv *s, const struct text *field, size_t count,
    uint64_t line, struct fault *f)
{
	struct subject_row row = { .name = s->name,
		.cell = field,
		.count = count,
		.file = s->file,
		.line = line };

	return s->sink->subject ? s->sink->subject(s->ctx, &row, f) : 0;
}

static int on_fact(struct bench_csv *s, const struct text *field, struct fault *f)
{
	struct text env = field[s->fact_at[FACT_ENV]], name = field[s->fact_at[FACT_NAME]],
	            value = field[s->fact_at[FACT_VALUE]];

	if (s->keeps_facts)
		facts_add(&s->facts, env, name, value);
	return s->sink->fact ? s->sink->fact(s->ctx, env, name, value, f) : 0;
}

static int on_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct bench_csv *s = ctx;
	enum bench_csv_table kind = header_kind(s, field, count);
	const unsigned char *type = csv_reader_types(s->reader);

	if (kind != TABLE_NONE)
		return bench_csv_begin_table(s, kind, field, count, line, f);
	if (s->kind == TABLE_NONE ||
	    (type && csv_reader_form(s->reader) != RECORD_JSON_ROW))
		return bench_csv_no_header(s, field, count, line, f);
	if (count != s->columns)
		return bench_csv_fault(s, line, f,
		    "%zu field%s where the header has %zu (%s column %zu)", count,
		    plural_s(count), s->columns,
		    count < s->columns ? "nothing in" : "one too many:",
		    count < s->columns ? count + 1 : s->columns + 1);
	for (size_t i = 0; type && s->kind != TABLE_ROWS && i < count; i++)
		if (type[i] == FIELD_NESTED)
			return bench_csv_fault(
			    s, line, f, "an array or object in a fact or a subject");
	switch (s->kind) {
	case TABLE_FACTS:
		return on_fact(s, field, f);
	case TABLE_SUBJECTS:
		return on_subject(s, field, count, line, f);
	default:
		return on_row(s, field, count, line, f);
	}
}

/* Returns the status of a file that was read, and explains it if the file has no known
 * header. */
static int explained(const struct bench_csv *s, int status, struct fault *f)
{
	if (status < 0 && s->kind == TABLE_NONE && !s->melts)
		foreign_input_explain(s->file, f);
	return status;
}

int bench_csv_read(struct bench_csv *s, const char *path, struct fault *f)
{
	const int fd = input_open(path, &s->file, f);

	if (fd < 0)
		return -1;
	s->kind = TABLE_NONE;
	s->continues = false;
	const int status = csv_thread_read(s->reader, fd, s->file, f);

	input_close(fd);
	return explained(s, status, f);
}

int bench_csv_read_text(
    struct bench_csv *s, const char *name, struct text t, struct fault *f)
{
	s->file = name;
	s->kind = TABLE_NONE;
	s->continues = false;
	return explained(s, csv_reader_text(s->reader, name, t, f), f);
}

int bench_csv_read_all(
    struct bench_csv *s, char *const *path, size_t count, struct fault *f)
{
	if (!count)
		return bench_csv_read(s, "-", f);
	for (size_t i = 0; i < count; i++)
		if (bench_csv_read(s, path[i], f) < 0)
			return -1;
	return 0;
}

const struct intern *bench_csv_skipped(const struct bench_csv *s)
{
	return &s->skipped;
}

const struct schema *bench_csv_schema(const struct bench_csv *s)
{
	return &s->schema;
}

bool bench_csv_has_rows(const struct bench_csv *s)
{
	return s->tables > 0;
}

bool bench_csv_has_facts(const struct bench_csv *s)
{
	return s->has_facts;
}

const struct facts *bench_csv_facts(struct bench_csv *s)
{
	s->keeps_facts = true;
	return &s->facts;
}

void bench_csv_close(struct bench_csv *s)
{
	if (!s)
		return;
	csv_reader_close(s->reader);
	schema_free(&s->schema);
	intern_free(&s->skipped);
	facts_free(&s->facts);
	buf_free(&s->names);
	free(s->name);
	free(s->melt);
	free(s->id);
	free(s->cell);
	each_metrics_free(&s->each);
	free(s);
}
