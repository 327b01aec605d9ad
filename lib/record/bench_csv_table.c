/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Begins the tables of streams, and says what is wrong with input that has no header; see
 * bench_csv.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "record/bench_csv_priv.h"

int bench_csv_fault(
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
		    &s->schema, s->melts ? text_in(&name) : field[i]);
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

int bench_csv_begin_table(struct bench_csv *s, enum bench_csv_table kind,
    const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct fault why;

	if (stream_header_check(field, count, &why) < 0)
		return bench_csv_fault(s, line, f, "%s", why.text);
	s->kind = kind;
	s->has_facts |= kind == TABLE_FACTS;
	s->columns = count;
	s->id = mem_resize(s->id, count, sizeof(*s->id));
	if (kind == TABLE_ROWS)
		begin_rows(s, field, count);
	else if (kind == TABLE_SUBJECTS)
		begin_subjects(s, field, count);
	return 0;
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

int bench_csv_no_header(struct bench_csv *s, const struct text *field, size_t count,
    uint64_t line, struct fault *f)
{
	const char *separator = other_separator(field, count);
	struct fault why;

	if (separator && csv_reader_form(s->reader) == RECORD_OF_CSV)
		return bench_csv_fault(s, line, f,
		    "the fields of the header are separated by %s (write the table with "
		    "commas)",
		    separator);
	for (size_t m = 0; m < s->melts; m++)
		if (stream_header_need(field, count, s->melt[m].column, &why) < 0)
			return bench_csv_fault(s, line, f, "%s", why.text);
	if (s->sink->no_header)
		return bench_csv_fault(s, line, f, "%s", s->sink->no_header);
	if (csv_reader_form(s->reader) != RECORD_OF_CSV)
		return bench_csv_fault(s, line, f,
		    "an object has no members 'metric' and 'value' (convert the JSON of "
		    "other programs with bench-convert)");
	return bench_csv_fault(s, line, f,
	    "the header has no columns 'metric' and 'value' (convert the CSV of other "
	    "programs with bench-convert, or name a column of values with -m COLUMN)");
}
