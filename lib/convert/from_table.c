/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies tables of the other programs that have no measurements: statistics, verdicts,
 * facts and lists of subjects, as CSV or JSON. The file is read twice, first to find its
 * columns. In CSV the name of a column says whether its cells are numbers; the columns up
 * to metric and unit identify a subject, and are strings.
 */
#include <stdlib.h>

#include "convert/from.h"
#include "io/csv_reader.h"
#include "record/stream_header.h"
#include "stats/quantile_name.h"
#include "stats/stats.h"
#include "text/plural.h"
#include "text/units.h"

/* Columns of numbers, other than the statistics of bench-stat. */
static const char *const verdict_numbers[] = { "n_old", "n_new", "old", "new", "ratio",
	"ratio_lo", "ratio_hi", "p", "p_adj", "effect", "runs_needed", "diff", "diff_lo",
	"diff_hi", "margin", "floor", "a12", "shift",       /* bench-compare */
	"before", "after", "slope", "slope_lo", "slope_hi", /* ... --history */
	"share", "error", "cost", "best", "error_best",     /* bench-stat --components */
	"value", "lo", "hi" /* ... --diagnose, --budget */ };
static const char *const subject_numbers[] = { "line", "runs", "params", "macs", "memory" };

struct table_copy {
	const struct source *source;
	struct csv_reader *reader;
	struct metric_filter *filter;
	struct intern names;   /* of all columns */
	struct render *render; /* NULL in the first pass */

	size_t *column;    /* of each field of the current table */
	bool *is_number;   /* of each field */
	size_t fields;     /* 0: there was no header */
	size_t metric;     /* the position of this column, or SIZE_MAX */
	struct cell *cell; /* by column */
	bool has_rows;     /* a table has the columns of rows of bench-csv(5) */
};

static bool is_one_of(struct text name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_is(name, list[i]))
			return true;
	return false;
}

/* Returns whether a record is the header of a table of statistics or verdicts. */
static bool has_statistics(const struct text *field, size_t count)
{
	size_t unit = stream_header_find(field, count, TEXT("unit")),
	       value = stream_header_find(field, count, TEXT("value"));

	if (unit == SIZE_MAX ||
	    stream_header_find(field, count, TEXT("metric")) == SIZE_MAX)
		return false;
	for (size_t i = unit + 1; i < count; i++)
		if (text_is(field[i], "verdict") || text_is(field[i], "finding"))
			return true;
	return value == SIZE_MAX && unit + 1 < count;
}

/* Returns whether columns are those of facts or of a list of subjects. */
static bool is_list(const struct text *field, size_t count, bool json)
{
	size_t at[FACT_FIELDS];

	return stream_header_facts(field, count, json, at) ||
	       stream_header_subjects(field, count, json);
}

/* Returns whether a record of CSV after the first is a header. A row with the cells
 * "metric" and "unit" is not one if it has empty cells, for the columns of other tables. */
static bool is_header(const struct text *field, size_t count)
{
	bool has_empty = false;

	for (size_t i = 0; i < count; i++)
		has_empty |= !field[i].len;
	return is_list(field, count, false) || (!has_empty && has_statistics(field, count));
}

/* Finds the columns of the fields after a header, and which of them are numbers. */
static void take_columns(struct table_copy *c, const struct text *field, size_t count)
{
	bool json = csv_reader_form(c->reader) != RECORD_OF_CSV;
	bool subjects = stream_header_subjects(field, count, json);
	size_t unit = stream_header_find(field, count, TEXT("unit"));
	const char *const *first;
	size_t firsts = json ? stream_header_first(field, count, &first) : 0;

	for (size_t i = 0; i < firsts; i++)
		intern_add(&c->names, text_of(first[i]));
	c->fields = count;
	c->has_rows |= stream_header_rows(field, count);
	c->metric = stream_header_find(field, count, TEXT("metric"));
	c->column = mem_resize(c->column, count, sizeof(*c->column));
	c->is_number = mem_resize(c->is_number, count, sizeof(*c->is_number));
	for (size_t i = 0; i < count; i++) {
		struct quantile_name ignored;

		c->column[i] = intern_add(&c->names, field[i]);
		c->is_number[i] =
		    subjects ? is_one_of(field[i], subject_numbers, COUNT(subject_numbers))
		             : unit < i && (statistic_find(field[i]) ||
		                               quantile_name_parse(field[i], &ignored) ||
		                               is_one_of(field[i], verdict_numbers,
		                                   COUNT(verdict_numbers)));
	}
}

static int table_fault(const struct table_copy *c, uint64_t line, struct text name,
    const char *what, struct fault *f)
{
	return fault_set(f, "%s:%llu: %.*s: %s", c->source->name, (unsigned long long)line,
	    name.len > 60 ? 60 : (int)name.len, name.ptr, what);
}

/* Makes a cell of a field. Returns 0, or -1 if a number was expected. */
static int make_cell(struct cell *cell, struct text field, bool number)
{
	int64_t integer;
	double x;

	*cell = (struct cell){ .kind = CELL_EMPTY };
	if (!field.len)
		return 0;
	if (!number)
		*cell = CELL_OF_TEXT(field);
	else if (integer_parse(field, &integer) && (integer || *field.ptr != '-'))
		*cell = CELL_OF_INTEGER(integer);
	else if (number_parse(field, &x))
		*cell = CELL_OF_NUMBER(x);
	else
		return -1;
	return 0;
}

static int put_record(struct table_copy *c, const struct text *field, size_t count,
    uint64_t line, struct fault *f)
{
	const unsigned char *type = csv_reader_types(c->reader);

	for (size_t i = 0; i < c->names.count; i++)
		c->cell[i] = (struct cell){ .kind = CELL_EMPTY };
	for (size_t i = 0; i < count; i++) {
		struct text name = intern_text(&c->names, c->column[i]);

		if (type && type[i] == FIELD_NESTED)
			return table_fault(
			    c, line, name, "must be a string or a number", f);
		if (type && c->is_number[i] && type[i] != FIELD_NUMBER &&
		    type[i] != FIELD_NULL)
			return table_fault(c, line, name, "must be a number or null", f);
		if (make_cell(&c->cell[c->column[i]], field[i],
		        type ? type[i] == FIELD_NUMBER : c->is_number[i]) < 0)
			return table_fault(c, line, name, "not a decimal number", f);
	}
	if (c->render)
		render_row(c->render, c->cell);
	return 0;
}

/* Returns whether a record is a header, or has the names of the rows after it. */
static bool begins_table(const struct table_copy *c, const struct text *field, size_t count)
{
	const enum record_form form = csv_reader_form(c->reader);

	if (form == RECORD_OF_CSV)
		return !c->fields || is_header(field, count);
	return form != RECORD_JSON_ROW;
}

/* Takes the columns of a header. Returns 0, or -1 and the message. */
static int take_header(struct table_copy *c, const struct text *field, size_t count,
    uint64_t line, struct fault *f)
{
	const bool json = csv_reader_form(c->reader) != RECORD_OF_CSV;
	const size_t columns = c->names.count;

	if (!c->fields && !is_list(field, count, json) && !has_statistics(field, count))
		return fault_set(f,
		    "%s:%llu: no header of statistics, verdicts, facts or subjects",
		    c->source->name, (unsigned long long)line);
	if (stream_header_check(field, count, f) < 0)
		return fault_prefix(
		    f, "%s:%llu", c->source->name, (unsigned long long)line);
	take_columns(c, field, count);
	if (c->names.count > columns)
		c->cell = mem_resize(c->cell, c->names.count, sizeof(*c->cell));
	return 0;
}

static int on_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct table_copy *c = ctx;

	if (csv_reader_form(c->reader) == RECORD_OF_CSV && c->fields &&
	    stream_header_rows(field, count) && !has_statistics(field, count))
		return fault_set(f, "%s:%llu: measurements among tables without them",
		    c->source->name, (unsigned long long)line);
	if (begins_table(c, field, count))
		return take_header(c, field, count, line, f);
	if (count != c->fields)
		return fault_set(f, "%s:%llu: %zu field%s where the header has %zu",
		    c->source->name, (unsigned long long)line, count, plural_s(count),
		    c->fields);
	if (c->filter && c->metric != SIZE_MAX &&
	    !metric_filter_selects(c->filter, field[c->metric]))
		return 0;
	return put_record(c, field, count, line, f);
}

/* Checks that the columns of different tables together are not those of rows of
 * bench-csv(5), for which the programs would take them. */
static int check_columns(const struct table_copy *c, struct fault *f)
{
	struct text *name = mem_zero(c->names.count, sizeof(*name));
	bool are_rows;

	for (size_t i = 0; i < c->names.count; i++)
		name[i] = intern_text(&c->names, i);
	are_rows = !c->has_rows && stream_header_rows(name, c->names.count);
	free(name);
	return are_rows ? fault_set(f,
	                      "%s: facts and statistics cannot become one table: convert "
	                      "them one by one",
	                      c->source->name)
	                : 0;
}

static int read_table(struct table_copy *c, struct fault *f)
{
	enum { PIECE = 1 << 18 };
	struct text t = c->source->text;
	int status = 0;

	c->reader = csv_reader_open(on_record, c);
	c->fields = 0;
	csv_reader_begin(c->reader, c->source->name);
	for (size_t at = 0; at < t.len && status == 0; at += PIECE)
		status = csv_reader_feed(
		    c->reader, t.ptr + at, t.len - at < PIECE ? t.len - at : PIECE, f);
	if (status == 0)
		status = csv_reader_end(c->reader, f);
	csv_reader_close(c->reader);
	return status;
}

static void open_render(struct table_copy *c, const struct output *out)
{
	struct render_column *column = mem_zero(c->names.count, sizeof(*column));
	char **name = mem_zero(c->names.count, sizeof(*name));

	for (size_t i = 0; i < c->names.count; i++) {
		struct text t = intern_text(&c->names, i);

		name[i] = mem_text(t.ptr, t.len);
		column[i].name = name[i];
	}
	c->render = render_open(out, column, c->names.count);
	for (size_t i = 0; i < c->names.count; i++)
		free(name[i]);
	free(name);
	free(column);
}

static int table_copy(const struct source *s, struct metric_filter *filter,
    const struct output *out, struct fault *f)
{
	struct table_copy c = { .source = s, .filter = filter };
	int status = read_table(&c, f);

	if (status == 0 && filter)
		status = metric_filter_check(filter, f);
	if (status == 0 && !c.names.count)
		status = fault_set(f, "%s: no table in the input", s->name);
	if (status == 0)
		status = check_columns(&c, f);
	if (status == 0) {
		open_render(&c, out);
		status = read_table(&c, f);
		if (render_close(c.render) < 0 && status == 0)
			status = fault_set(f, "standard output");
	}
	intern_free(&c.names);
	free(c.column);
	free(c.is_number);
	free(c.cell);
	return status;
}

/* Returns 1 if a record is the header of a table of statistics or verdicts. */
static int see_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	(void)ctx;
	(void)line;
	(void)f;
	return has_statistics(field, count);
}

static bool table_recognize(const struct source *s)
{
	struct fault ignored;

	return !s->doc && !s->melts &&
	       csv_reader_first(s->text, see_record, NULL, &ignored) == 1;
}

const struct format format_table = { .name = "table",
	.meaning = "statistics, verdicts, facts and lists of subjects",
	.is_own = true,
	.recognize = table_recognize,
	.copy = table_copy };
