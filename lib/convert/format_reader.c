/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks over the records of a file and makes rows of them; see format_reader.h.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/format_reader.h"
#include "convert/from.h"
#include "convert/name_parts.h"
#include "convert/page_rows.h"
#include "io/csv_doc.h"
#include "record/provenance.h"
#include "text/units.h"

/* Returns whether rows may lack fields. A file that was cut off has no end of line. */
static bool has_short_rows(const struct format_page *page, struct text csv)
{
	return page->has_short_rows && text_ends(csv, "\n");
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
	struct text begin;
	bool known;

	if (!page->is_csv)
		return s->doc && !find_need(page, &root);
	if (s->doc)
		return false;
	begin = first_records(s->text);
	csv = csv_doc(begin, has_short_rows(page, begin), 1, s->name, &ignored);
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
		page_rows_time(r, decimal_shift(x, r->page->time_scale.tens + 3));
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

/* Which records are read. */
struct record_choice {
	char *directory; /* of the file; NULL: the page does not need it */
	bool in_place;   /* only the record of this directory is read */
	size_t records, read;
	/* By factor of a page whose records share their values: */
	struct text *first; /* that of the first record */
	bool *differs;
	struct arena texts;
};

/* A pass over a file. */
struct reading {
	struct page_rows rows;
	struct record_choice choice;
};

/* Returns whether the file of the record is in this directory. */
static bool is_in_place(const struct reading *r, const struct page_node *at)
{
	struct arena memory = { 0 };
	struct text end = page_text_fill(&r->rows.page->directory, at, &memory);
	const char *directory = r->choice.directory;
	size_t len = strlen(directory);
	bool found = end.len && len > end.len && directory[len - end.len - 1] == '/' &&
	             memcmp(directory + len - end.len, end.ptr, end.len) == 0;

	arena_free(&memory);
	return found;
}

static bool takes_record(const struct reading *r, const struct page_node *at)
{
	const struct format_page *page = r->rows.page;

	if (r->choice.in_place)
		return is_in_place(r, at);
	for (size_t i = 0; i < page->only.count; i++)
		if (!page_condition_holds(&page->only.at[i], at))
			return false;
	return true;
}

static int on_place(void *ctx, const struct page_node *at, struct fault *f)
{
	struct reading *r = ctx;

	(void)f;
	r->choice.in_place |= is_in_place(r, at);
	return r->choice.in_place;
}

/* Compares the factors of a record with those of the first one. */
static int on_shared(void *ctx, const struct page_node *at, struct fault *f)
{
	struct reading *r = ctx;
	struct record_choice *c = &r->choice;

	(void)f;
	if (!takes_record(r, at))
		return 0;
	for (size_t i = 0; i < r->rows.page->factor.count; i++) {
		struct text t =
		    page_text_fill(&r->rows.page->factor.at[i].value, at, &c->texts);

		if (!c->records)
			c->first[i] = t;
		c->differs[i] |= !text_equal(t, c->first[i]);
	}
	c->records++;
	return 0;
}

/* Notes that the values are those of several records. */
static void note_shared(const struct reading *r)
{
	const struct format_page *page = r->rows.page;
	struct buf names = { 0 };

	for (size_t i = 0; i < page->factor.count; i++)
		if (r->choice.differs[i])
			buf_printf(&names, "%s %s", names.len ? "," : "; they differ in",
			    page->factor.at[i].name);
	row_builder_note(r->rows.out,
	    "%s: the values are those of %zu records (%s) together%s", r->rows.source->name,
	    r->choice.records, page->each_text, names.len ? names.ptr : "");
	buf_free(&names);
}

/* Chooses the records of a file. */
static void choose_records(struct reading *r, const struct page_node *root)
{
	const struct format_page *page = r->rows.page;
	const char *path = r->rows.source->path;
	struct record_choice *c = &r->choice;
	struct fault ignored;

	if (page->directory_factor && path)
		c->directory = realpath(path, NULL);
	if (c->directory) {
		*strrchr(c->directory, '/') = '\0';
		page_path_each(&page->each, root, on_place, r, &ignored);
	}
	if (!page->is_shared)
		return;
	c->first = mem_zero(page->factor.count + 1, sizeof(*c->first));
	c->differs = mem_zero(page->factor.count + 1, sizeof(*c->differs));
	page_path_each(&page->each, root, on_shared, r, &ignored);
	if (c->records > 1)
		note_shared(r);
}

static void free_reading(struct reading *r)
{
	page_rows_free(&r->rows);
	free(r->choice.directory);
	free(r->choice.first);
	free(r->choice.differs);
	arena_free(&r->choice.texts);
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
			name = text_trim(text_until(&part, '='));
			if (!page_rows_lists(s->factors->except, name))
				row_builder_factor(s->out, name, part);
		}
		t = text_after(t, taken);
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

static void set_factors(struct reading *r, const struct page_node *at)
{
	struct row_builder *out = r->rows.out;
	const struct format_page *page = r->rows.page;
	struct fault ignored;

	for (size_t i = 0; i < page->factors.count; i++) {
		struct factor_setting s = { out, &page->factors.at[i] };

		page_path_each(&page->factors.at[i].path, at, on_factors, &s, &ignored);
	}
	for (size_t i = 0; i < page->factor.count; i++) {
		struct text t = page_text_fill(&page->factor.at[i].value, at, &out->texts);

		if (t.len && !(r->choice.differs && r->choice.differs[i]))
			row_builder_factor(out, text_of(page->factor.at[i].name), t);
	}
	if (r->choice.in_place)
		row_builder_factor(out, text_of(page->directory_factor),
		    text_of(strrchr(r->choice.directory, '/') + 1));
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

/* Sets the name and the factors. A name that loses a part, or to which factors
 * belong, is kept as a whole in an extra column. */
static void set_subject(struct reading *r, const struct page_node *at)
{
	struct row_builder *out = r->rows.out;
	struct text name = out->cell[COL_BENCH];
	const char *settings = r->rows.page->settings;
	bool differs = settings && name_parts_set(out, name, settings);

	set_factors(r, at);
	for (size_t i = COL_FACTORS; settings && i < out->cells; i++)
		differs |= out->cell[i].len > 0;
	if (differs)
		row_builder_extra(out, EXTRA_NAME, name);
}

static int read_record(void *ctx, const struct page_node *at, struct fault *f)
{
	struct reading *reading = ctx;
	struct page_rows *r = &reading->rows;

	r->records++;
	if (!takes_record(reading, at) || (r->page->is_shared && reading->choice.read++))
		return 0;
	row_builder_clear(r->out);
	if (set_columns(r, at, f) < 0)
		return -1;
	set_subject(reading, at);
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
	struct reading r = { .rows = { .page = page, .source = s, .out = out } };
	struct json_t *csv = NULL;
	struct page_node root = { .v = s->doc }, first;
	int status = 0;

	if (page->is_csv) {
		csv = csv_doc(s->text, has_short_rows(page, s->text), SIZE_MAX, s->name, f);
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
		status = check_needs(&r.rows, &first, f);
	if (status == 0)
		choose_records(&r, &root);
	if (status == 0)
		status = page_path_each(page->is_csv     ? &rows
		                        : page->has_each ? &page->each
		                                         : &document,
		    &root, read_record, &r, f);
	free_reading(&r);
	if (csv)
		doc_free(csv);
	return status;
}
