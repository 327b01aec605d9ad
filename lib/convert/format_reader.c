/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks over the records of a file and makes rows of them; see format_reader.h. CSV is read
 * as an array of objects whose members are texts.
 */
#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "convert/format_reader.h"
#include "convert/from.h"
#include "convert/name_parts.h"
#include "convert/page_rows.h"
#include "io/csv_table.h"
#include "record/provenance.h"
#include "text/units.h"

/* Appends the current row as an object. */
static void put_row(struct buf *json, const struct csv_table *table)
{
	buf_byte(json, '{');
	for (size_t c = 0; c < table->columns; c++) {
		buf_str(json, c ? "," : "");
		doc_put_text(json, text_of(csv_table_name(table, c)));
		buf_byte(json, ':');
		doc_put_text(json, csv_table_field(table, c));
	}
	buf_byte(json, '}');
}

/* Returns 1 if there is another row with the right number of fields, 0 if there is none, or
 * -1 and the message. */
static int next_row(struct csv_table *table, bool may_be_short, struct fault *f)
{
	int more = csv_table_next(table, f);

	if (more <= 0 || (may_be_short && csv_table_fields(table) < table->columns))
		return more;
	return csv_table_expect(table, table->columns, f) < 0 ? -1 : 1;
}

/* Opens CSV whose columns have different names. Returns 0, or -1 and the message. */
static int open_table(
    struct csv_table *table, struct text csv, const char *name, struct fault *f)
{
	struct intern names = { 0 };
	int status = csv_table_open(table, csv, name, f);

	for (size_t i = 0; i < table->columns && status == 0; i++) {
		size_t first = intern_add(&names, text_of(csv_table_name(table, i)));

		if (first != i)
			status =
			    fault_set(f, "%s: columns %zu and %zu have the same name '%s'",
			        name, first + 1, i + 1, csv_table_name(table, i));
	}
	intern_free(&names);
	return status;
}

/* Returns whether the current row has the names of the columns, as where another file was
 * appended. */
static bool repeats_header(const struct csv_table *table)
{
	for (size_t c = 0; c < table->columns; c++)
		if (c >= csv_table_fields(table) ||
		    !text_is(csv_table_field(table, c), csv_table_name(table, c)))
			return false;
	return true;
}

/* Returns CSV as a document, at most this number of rows; NULL and the message if it cannot
 * be read. */
static struct json_t *csv_doc(const struct format_page *page, struct text csv, size_t rows,
    const char *name, struct fault *f)
{
	/* A file that was cut off has no end of line. */
	bool may_be_short = page->has_short_rows && text_ends(csv, "\n");
	struct csv_table table = { 0 };
	struct buf json = { 0 };
	struct json_t *doc = NULL;
	int more = open_table(&table, csv, name, f) < 0 ? -1 : 1;

	buf_byte(&json, '[');
	for (size_t row = 0; more > 0 && row < rows; row++) {
		more = next_row(&table, may_be_short, f);
		if (more > 0 && !repeats_header(&table)) {
			buf_str(&json, json.len > 1 ? "," : "");
			put_row(&json, &table);
		}
	}
	buf_byte(&json, ']');
	if (more >= 0)
		doc = doc_read((struct text){ json.ptr, json.len }, name, f);
	csv_table_free(&table);
	buf_free(&json);
	return doc;
}

/* Returns the first two records, the header of CSV and its first row, which quoted line
 * feeds make longer than two lines. */
static struct text first_records(struct text t)
{
	struct text rest = t, line;
	size_t quotes = 0;

	for (int lines = 0, records = 0; records < 2 && lines < 1000; lines++) {
		if (!line_next(&rest, &line))
			break;
		for (size_t i = 0; i < line.len; i++)
			quotes += line.ptr[i] == '"';
		records += quotes % 2 == 0;
	}
	t.len -= rest.len;
	return t;
}

/* Returns the first condition of the page that does not hold, or NULL. */
static const struct page_condition *find_need(
    const struct format_page *page, const struct page_node *at)
{
	for (size_t i = 0; i < page->needs.count; i++)
		if (!page_condition_exists(&page->needs.at[i], at))
			return &page->needs.at[i];
	return NULL;
}

/* Checks that the file has what the page needs, because the user can name the page. */
static int check_needs(
    const struct page_rows *r, const struct page_node *at, struct fault *f)
{
	const struct page_condition *need = find_need(r->page, at);

	return need ? fault_set(f, "%s: not of the format %s, which needs '%s'",
	                  r->source->name, r->page->name, need->text)
	            : 0;
}

bool format_page_recognize(const struct format_page *page, const struct source *s)
{
	struct fault ignored;
	struct page_node root = { .v = s->doc };
	struct json_t *csv;
	bool known;

	if (!page->is_csv)
		return s->doc && !find_need(page, &root);
	csv = s->doc ? NULL : csv_doc(page, first_records(s->text), 1, s->name, &ignored);
	if (!csv)
		return false;
	root.v = doc_item(csv, 0);
	known = !find_need(page, &root);
	doc_free(csv);
	return known;
}

/* Sets a column; the text of a time or number is converted. */
static void set_column(struct page_rows *r, enum column column, struct text t)
{
	struct row *row = &r->out->row;
	int64_t *number = column == COL_PROCESS      ? &row->process
	                  : column == COL_SAMPLE     ? &row->sample
	                  : column == COL_ITERATIONS ? &row->iterations
	                                             : NULL;
	double x;

	if (number)
		page_rows_whole(t, number);
	else if (column == COL_TIME && number_parse(t, &x))
		page_rows_time(r, decimal_shift(x, r->page->time_scale + 3));
	else if (column == COL_TIME)
		from_time(r->out, t);
	else
		row_builder_set(r->out, column, t);
}

/* Sets the columns. Returns 0, or -1 and the message if the record has no name. */
static int set_columns(struct page_rows *r, const struct page_node *at, struct fault *f)
{
	const struct format_page *page = r->page;
	bool named = true;

	for (size_t i = 0; i < page->column.count; i++) {
		const struct page_column *c = &page->column.at[i];
		bool is_set = r->out->cell[c->column].len > 0;
		struct text t =
		    is_set ? TEXT("") : page_text_fill(&c->text, at, &r->out->texts);

		if (t.len)
			set_column(r, c->column, t);
		named &= c->column != COL_BENCH;
	}
	if (named || r->out->bench || r->out->cell[COL_BENCH].len)
		return 0;
	return fault_set(f,
	    "%s: record %zu has no name of a benchmark, which the format %s needs",
	    r->source->name, r->records, page->name);
}

/* The factors that are set. */
struct factor_setting {
	struct row_builder *out;
	const struct page_factors *factors;
};

static int on_factor_member(
    void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	const struct factor_setting *s = ctx;

	(void)f;
	if (!page_rows_lists(s->factors->except, name))
		from_factor(s->out, name, v);
	return 0;
}

/* Sets factors from a text of parts "name=value" with separators between them. */
static void split_factors(const struct factor_setting *s, struct text t)
{
	const char *separator = s->factors->split;
	size_t len = strlen(separator);

	while (t.len) {
		const char *end = memmem(t.ptr, t.len, separator, len);
		struct text part = { t.ptr, end ? (size_t)(end - t.ptr) : t.len }, name;
		size_t taken = part.len + (end ? len : 0);

		if (memchr(part.ptr, '=', part.len)) {
			name = line_trim(text_until(&part, '='));
			if (!page_rows_lists(s->factors->except, name))
				row_builder_factor(s->out, name, part);
		}
		t = (struct text){ t.ptr + taken, t.len - taken };
	}
}

static int on_factors(void *ctx, const struct page_node *node, struct fault *f)
{
	struct factor_setting *s = ctx;
	struct text t;

	if (!s->factors->split)
		return doc_each(node->v, on_factor_member, s, f);
	if (doc_text(node->v, &t))
		split_factors(s, t);
	return 0;
}

static void set_factors(struct page_rows *r, const struct page_node *at)
{
	const struct format_page *page = r->page;
	struct fault ignored;

	for (size_t i = 0; i < page->factors.count; i++) {
		struct factor_setting s = { r->out, &page->factors.at[i] };

		page_path_each(&page->factors.at[i].path, at, on_factors, &s, &ignored);
	}
	for (size_t i = 0; i < page->factor.count; i++) {
		struct text t =
		    page_text_fill(&page->factor.at[i].value, at, &r->out->texts);

		if (t.len)
			row_builder_factor(r->out, text_of(page->factor.at[i].name), t);
	}
}

/* Sets the status: that of the first line whose condition holds, otherwise ok. A status
 * that lacks a value is failed. */
static void set_status(struct page_rows *r, const struct page_node *at)
{
	const struct format_page *page = r->page;

	if (page->status.count)
		row_builder_set(r->out, COL_STATUS, TEXT("ok"));
	for (size_t i = 0; i < page->status.count; i++) {
		struct text t;

		if (!page_condition_holds(&page->status.at[i].when, at))
			continue;
		t = page_text_fill(&page->status.at[i].status, at, &r->out->texts);
		row_builder_set(r->out, COL_STATUS, t.len ? t : TEXT("failed"));
		return;
	}
}

/* Sets the name and the factors. A name of which a part is removed, or to which factors
 * belong, is kept as a whole in an extra column. */
static void set_subject(struct page_rows *r, const struct page_node *at)
{
	struct text name = r->out->cell[COL_BENCH];
	bool differs = r->page->settings && name_parts_set(r->out, name, r->page->settings);

	set_factors(r, at);
	for (size_t i = COL_FACTORS; r->page->settings && i < r->out->cells; i++)
		differs |= r->out->cell[i].len > 0;
	if (differs)
		row_builder_extra(r->out, EXTRA_NAME, name);
}

static int read_record(void *ctx, const struct page_node *at, struct fault *f)
{
	struct page_rows *r = ctx;

	r->records++;
	for (size_t i = 0; i < r->page->only.count; i++)
		if (!page_condition_holds(&r->page->only.at[i], at))
			return 0;
	row_builder_clear(r->out);
	if (set_columns(r, at, f) < 0)
		return -1;
	set_subject(r, at);
	if (r->page->numbers_repeats)
		page_rows_number(r);
	set_status(r, at);
	return page_rows_put(r, at, f);
}

static int count_record(void *ctx, const struct page_node *at, struct fault *f)
{
	size_t *records = ctx;

	(void)at;
	(void)f;
	++*records;
	return 0;
}

int format_page_no_rows(const struct source *s, struct fault *f)
{
	const struct format_page *page = s->page;
	const struct page_node root = { .v = s->doc };
	size_t records = 0;
	char *why = NULL;

	if (page->has_each)
		page_path_each(&page->each, &root, count_record, &records, f);
	if (page->has_each && !records)
		why = str_format("'each %s' of its page matches nothing", page->each_text);
	else if (page->only.count)
		why = str_format("no record fulfills 'only %s'%s of its page",
		    page->only.at[0].text,
		    page->only.count > 1 ? " and the other lines 'only'" : "");
	fault_set(f, "%s: no measurements in the format %s%s%s", s->name, page->name,
	    why ? ": " : "", why ? why : "");
	free(why);
	return -1;
}

int format_page_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	static const struct page_path document = { .parts = 0 };
	const struct format_page *page = s->page;
	struct page_part part = { .kind = PART_STAR };
	struct page_path rows = { .part = &part, .parts = 1 };
	struct page_rows r = { .page = page, .source = s, .out = out };
	struct json_t *csv = NULL;
	struct page_node root = { .v = s->doc }, first;
	int status = 0;

	if (page->is_csv) {
		csv = csv_doc(page, s->text, SIZE_MAX, s->name, f);
		if (!csv)
			return -1;
		root.v = csv;
	}
	if (page->is_csv && !text_ends(s->text, "\n"))
		row_builder_note(out,
		    "%s: the last line has no end: its last value is wrong if the file was "
		    "cut off",
		    s->name);
	first = root;
	if (page->is_csv)
		first.v = doc_item(csv, 0);
	if (first.v)
		status = check_needs(&r, &first, f);
	if (status == 0)
		status = page_path_each(page->is_csv     ? &rows
		                        : page->has_each ? &page->each
		                                         : &document,
		    &root, read_record, &r, f);
	page_rows_free(&r);
	if (csv)
		doc_free(csv);
	return status;
}
