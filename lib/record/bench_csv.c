/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads streams; see bench_csv.h. A stream is a sequence of tables of three kinds: rows,
 * facts and subjects. Headers of CSV are recognized among the records, so that files joined
 * with cat can be read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "io/csv_thread.h"
#include "record/bench_csv.h"
#include "record/each_metrics.h"
#include "record/melt.h"
#include "record/row_fields.h"
#include "record/stream_header.h"
#include "text/units.h"

enum kind { KIND_NONE, KIND_ROWS, KIND_FACTS, KIND_SUBJECTS };

struct bench_csv {
	const struct bench_csv_sink *sink;
	void *ctx;
	struct csv_reader *reader;
	const char *file;
	struct schema schema;

	enum kind kind;
	uint64_t tables; /* number of tables of rows */
	bool continues;  /* the next header of JSON belongs to the last table of rows */
	bool has_facts;  /* whether a table of facts was read */
	bool keeps_facts;
	struct facts facts;
	size_t columns; /* of the current table */
	size_t *id; /* position -> column id; NOT_A_CELL: melted, or extra and skipped */
	size_t position[COL_FACTORS]; /* column id -> position, or SIZE_MAX */
	size_t aa;                    /* the position of the column aa, or SIZE_MAX */
	size_t fact_at[FACT_FIELDS];  /* positions in a table of facts */
	struct buf names;             /* the bytes of the header of a table of subjects */
	struct text *name;            /* names of its columns, by position */

	struct melt *melt;
	size_t melts;
	bool extras;                       /* extra columns are part of the rows */
	struct intern skipped;             /* names of extra columns that are not */
	struct metric_filter *filter;      /* NULL: all metrics */
	struct row_conditions *conditions; /* NULL: none */
	struct each_metrics each;

	struct text *cell; /* by column id */
	struct row row;
	struct row_fields fields;
	bool value_read; /* the value of the current record is already in the row */
};

#define NOT_A_CELL SIZE_MAX

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

/* Returns which kind of table a record begins, or KIND_NONE if it belongs to the
 * current table. */
static enum kind header_kind(struct bench_csv *s, const struct text *field, size_t count)
{
	enum record_form form = csv_reader_form(s->reader);
	bool json = form != RECORD_OF_CSV;
	size_t at[FACT_FIELDS];

	s->value_read = false;
	s->continues &= form != RECORD_JSON_TABLE;
	if (form == RECORD_JSON_ROW)
		return KIND_NONE;
	if (stream_header_facts(field, count, json, at)) {
		memcpy(s->fact_at, at, sizeof(at));
		return KIND_FACTS;
	}
	if (stream_header_subjects(field, count, json))
		return KIND_SUBJECTS;
	if (!json && s->kind == KIND_ROWS && value_may_be_number(s, field, count))
		return KIND_NONE;
	return names_rows(s, field, count) ? KIND_ROWS : KIND_NONE;
}

static int record_fault(struct bench_csv *s, uint64_t line, struct fault *f,
    const char *fmt, ...) PRINTF_LIKE(4, 5);

static int record_fault(
    struct bench_csv *s, uint64_t line, struct fault *f, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;
	char what[512];

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	buf_printf(&b, "%s:%" PRIu64 ": %s", s->file, line, what);
	fault_set(f, "%s", b.ptr);
	buf_free(&b);
	return -1;
}

static int shown_length(struct text t)
{
	return t.len > 60 ? 60 : (int)t.len;
}

static void begin_rows(struct bench_csv *s, const struct text *field, size_t count)
{
	struct buf name = { 0 };

	memset(s->position, 0xff, sizeof(s->position));
	s->aa = SIZE_MAX;
	for (size_t i = 0; i < count; i++) {
		size_t m = melt_find(s->melt, s->melts, field[i]);

		if (m != SIZE_MAX) {
			s->melt[m].at = i;
			s->id[i] = NOT_A_CELL;
			continue;
		}
		if (!s->extras && column_extra(field[i])) {
			intern_add(&s->skipped, field[i]);
			s->id[i] = NOT_A_CELL;
			continue;
		}
		if (s->melts)
			melt_name_factor(&name, field, count, i);
		s->id[i] = schema_add(
		    &s->schema, s->melts ? (struct text){ name.ptr, name.len } : field[i]);
		if (s->id[i] < COL_FACTORS)
			s->position[s->id[i]] = i;
		if (text_is(field[i], COLUMN_AA))
			s->aa = i;
	}
	buf_free(&name);
	s->cell = mem_resize(s->cell, s->schema.count, sizeof(*s->cell));
	for (size_t i = 0; i < s->schema.count; i++)
		s->cell[i] = (struct text){ "", 0 };
	s->tables += !s->continues;
	s->continues = csv_reader_form(s->reader) != RECORD_OF_CSV;
	s->row = (struct row){ .schema = &s->schema,
		.cell = s->cell,
		.file = s->file,
		.table = s->tables - 1 };
}

static void begin_subjects(struct bench_csv *s, const struct text *field, size_t count)
{
	size_t at = 0;

	s->names.len = 0;
	for (size_t i = 0; i < count; i++)
		buf_text(&s->names, field[i]);
	s->name = mem_resize(s->name, count, sizeof(*s->name));
	for (size_t i = 0; i < count; at += field[i++].len)
		s->name[i] = (struct text){ s->names.ptr + at, field[i].len };
}

static int begin_table(struct bench_csv *s, enum kind kind, const struct text *field,
    size_t count, uint64_t line, struct fault *f)
{
	struct fault why;

	if (stream_header_check(field, count, &why) < 0)
		return record_fault(s, line, f, "%s", why.text);
	s->kind = kind;
	s->has_facts |= kind == KIND_FACTS;
	s->columns = count;
	s->id = mem_resize(s->id, count, sizeof(*s->id));
	if (kind == KIND_ROWS)
		begin_rows(s, field, count);
	else if (kind == KIND_SUBJECTS)
		begin_subjects(s, field, count);
	return 0;
}

static int emit_row(struct bench_csv *s, uint64_t line, struct fault *f)
{
	struct row *r = &s->row;
	struct text column = s->melts ? s->cell[COL_METRIC] : TEXT("value");
	struct fault why;

	r->has_value = true;
	if ((s->melts || !s->value_read) && row_fields_number(column, s->cell[COL_VALUE],
	                                        &r->has_value, &r->value, &why) < 0)
		return record_fault(s, line, f, "%s", why.text);
	if (!s->melts && row_is_end_mark(r))
		return s->sink->end_mark ? s->sink->end_mark(s->ctx, r, f) : 0;
	if (!s->sink->row || !row_conditions_met(s->conditions, r) ||
	    !metric_filter_row(s->filter, r))
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
	return record_fault(s, line, f,
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
			return record_fault(s, line, f, "%s", why.text);
	for (size_t i = 0; type && i < count; i++)
		if (s->id[i] != NOT_A_CELL &&
		    stream_type_check(
		        s->id[i], text_of(s->schema.name[s->id[i]]), type[i], &why) < 0)
			return record_fault(s, line, f, "%s", why.text);
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
		return record_fault(s, line, f, "%s", why.text);
	r->ok = !s->cell[COL_STATUS].len || text_is(s->cell[COL_STATUS], "ok");
	if (s->melts && !melt_is_status(s->cell[COL_STATUS]))
		return record_fault(s, line, f,
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

/* Returns what separates the fields of a header that has no commas, or NULL. */
static const char *other_separator(const struct text *field, size_t count)
{
	static const char *const names[] = { [';'] = "semicolons", ['\t'] = "tabs" };

	for (size_t i = 0; count == 1 && i < field->len; i++)
		if (field->ptr[i] == ';' || field->ptr[i] == '\t')
			return names[(unsigned char)field->ptr[i]];
	return NULL;
}

static int no_header(struct bench_csv *s, const struct text *field, size_t count,
    uint64_t line, struct fault *f)
{
	const char *separator = other_separator(field, count);
	struct fault why;

	if (separator && csv_reader_form(s->reader) == RECORD_OF_CSV)
		return record_fault(s, line, f,
		    "the fields of the header are separated by %s (write the table with commas)",
		    separator);
	for (size_t m = 0; m < s->melts; m++)
		if (stream_header_need(field, count, s->melt[m].column, &why) < 0)
			return record_fault(s, line, f, "%s", why.text);
	if (s->sink->no_header)
		return record_fault(s, line, f, "%s", s->sink->no_header);
	if (csv_reader_form(s->reader) != RECORD_OF_CSV)
		return record_fault(s, line, f,
		    "an object has no members 'metric' and 'value' (convert the JSON of "
		    "other programs with bench-convert)");
	return record_fault(s, line, f,
	    "the header has no columns 'metric' and 'value' (convert the CSV of other "
	    "programs with bench-convert, or name a column of values with -m COLUMN)");
}

static int on_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct bench_csv *s = ctx;
	enum kind kind = header_kind(s, field, count);
	const unsigned char *type = csv_reader_types(s->reader);

	if (kind != KIND_NONE)
		return begin_table(s, kind, field, count, line, f);
	if (s->kind == KIND_NONE || (type && csv_reader_form(s->reader) != RECORD_JSON_ROW))
		return no_header(s, field, count, line, f);
	if (count != s->columns)
		return record_fault(s, line, f,
		    "%zu fields where the header has %zu (%s column %zu)", count,
		    s->columns, count < s->columns ? "nothing in" : "one too many:",
		    count < s->columns ? count + 1 : s->columns + 1);
	for (size_t i = 0; type && s->kind != KIND_ROWS && i < count; i++)
		if (type[i] == FIELD_NESTED)
			return record_fault(
			    s, line, f, "an array or object in a fact or a subject");
	switch (s->kind) {
	case KIND_FACTS:
		return on_fact(s, field, f);
	case KIND_SUBJECTS:
		return on_subject(s, field, count, line, f);
	default:
		return on_row(s, field, count, line, f);
	}
}

int bench_csv_read(struct bench_csv *s, const char *path, struct fault *f)
{
	const int fd = input_open(path, &s->file, f);

	if (fd < 0)
		return -1;
	s->kind = KIND_NONE;
	s->continues = false;
	const int status = csv_thread_read(s->reader, fd, s->file, f);

	input_close(fd);
	return status;
}

int bench_csv_read_text(
    struct bench_csv *s, const char *name, struct text t, struct fault *f)
{
	enum { PIECE = 1 << 18 };

	s->file = name;
	s->kind = KIND_NONE;
	s->continues = false;
	csv_reader_begin(s->reader, name);
	while (t.len) {
		size_t len = t.len < PIECE ? t.len : PIECE;

		if (csv_reader_feed(s->reader, t.ptr, len, f) < 0)
			return -1;
		t = (struct text){ t.ptr + len, t.len - len };
	}
	return csv_reader_end(s->reader, f);
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
