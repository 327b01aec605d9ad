/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows as CSV, as an aligned table or as JSON; see render.h. Each format is a row of the
 * table `kinds`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "io/csv_reader.h"
#include "io/json_doc.h"
#include "io/pager.h"
#include "io/render.h"
#include "io/row_output.h"
#include "io/table_layout.h"
#include "io/terminal.h"

/* A format: functions of which only `row` is required. */
struct render_kind {
	void (*begin)(struct render *r, const struct render_column *columns);
	void (*row)(struct render *r, const struct cell *cells);
	/* Appends an object with other members than those of the rows. */
	void (*object)(struct render *r, const char *const *name, const struct cell *cells,
	    size_t count);
	void (*end)(struct render *r);
	bool streams; /* what was written so far is of use before the end */
};

struct render {
	const struct render_kind *kind;
	struct output output; /* its format is not RENDER_AUTO */
	char **name;          /* NULL: the column is hidden */
	size_t columns, shown;
	struct row_output rows;
	struct table_layout *table; /* NULL for other formats */
	size_t objects;             /* of JSON */
};

/* Returns whether a cell is missing in CSV and JSON. */
static bool is_null(const struct cell *c)
{
	return cell_missing(c) || c->above;
}

/* The last number of a row that was written, and its text. */
struct written_number {
	const struct cell *cell; /* NULL: none */
	size_t at, len;
};

/* Appends a number. The statistics of a single value are equal, and copying the text of one
 * takes less time than printing it again. */
static void put_csv_number(struct buf *b, const struct cell *c, struct written_number *last)
{
	if (last->cell && c->kind == CELL_NUMBER && last->cell->kind == CELL_NUMBER &&
	    memcmp(&last->cell->number, &c->number, sizeof(c->number)) == 0) {
		buf_room(b, last->len);
		buf_put(b, b->ptr + last->at, last->len);
		return;
	}
	*last = (struct written_number){ .cell = c, .at = b->len };
	cell_put_number(b, c);
	last->len = b->len - last->at;
}

static void put_csv_row(struct render *r, const struct cell *cells, bool bounds)
{
	struct written_number number = { 0 };
	bool first = true;

	for (size_t i = 0; i < r->columns; i++) {
		const struct cell *c = &cells[i];
		bool null = bounds ? cell_missing(c) : is_null(c);

		if (!r->name[i])
			continue;
		if (!first)
			buf_byte(&r->rows.bytes, ',');
		first = false;
		if (null || (c->kind == CELL_TEXT && !c->text.len)) {
			if (r->shown == 1)
				buf_str(&r->rows.bytes, "\"\"");
		} else if (c->kind == CELL_TEXT)
			csv_reader_put_field(&r->rows.bytes, c->text);
		else {
			if (c->above)
				buf_byte(&r->rows.bytes, '>');
			put_csv_number(&r->rows.bytes, c, &number);
		}
	}
	buf_byte(&r->rows.bytes, '\n');
	row_output_end_row(&r->rows);
}

/* Writes the names of the columns of CSV. */
static void csv_begin(struct render *r, const struct render_column *columns)
{
	struct cell *header = mem_zero(r->columns, sizeof(*header));

	(void)columns;
	for (size_t i = 0; i < r->columns; i++)
		if (r->name[i])
			header[i] = CELL_OF_TEXT(text_of(r->name[i]));
	r->kind->row(r, header);
	free(header);
}

static void csv_row(struct render *r, const struct cell *cells)
{
	put_csv_row(r, cells, false);
}

static void bounds_row(struct render *r, const struct cell *cells)
{
	put_csv_row(r, cells, true);
}

/* Returns the columns that lines may have; 0 if there is no limit. */
static size_t line_limit(const struct output *out)
{
	int fd = fileno(out->file);

	if (out->wide || fd < 0)
		return 0;
	return isatty(fd) ? terminal_width(fd) : terminal_columns_wanted();
}

static void table_begin(struct render *r, const struct render_column *columns)
{
	struct table_layout_opts opts = { line_limit(&r->output),
		terminal_color(r->output.file), terminal_utf8() };

	r->table = table_layout_open(&opts, columns, r->name, r->columns);
}

static void table_row(struct render *r, const struct cell *cells)
{
	table_layout_row(r->table, cells);
}

static void table_end(struct render *r)
{
	const int fd = fileno(r->rows.out);
	const bool paged = r->output.pager && fd >= 0 && isatty(fd);

	/* The pager takes the whole table. */
	while (table_layout_print(r->table, &r->rows.bytes))
		if (!paged)
			row_output_end_row(&r->rows);
	table_layout_free(r->table);
}

static void put_json_cell(struct buf *b, const struct cell *c)
{
	if (is_null(c))
		buf_str(b, "null");
	else if (c->kind == CELL_TEXT)
		doc_put_text(b, c->text);
	else if (c->kind == CELL_NUMBER)
		doc_put_number(b, c->number);
	else
		cell_put_number(b, c);
}

/* Appends an object, whose members are separated by a comma and this string. */
static void put_object(struct buf *b, const char *const *name, const struct cell *cells,
    size_t count, const char *between)
{
	bool first = true;

	buf_byte(b, '{');
	for (size_t i = 0; i < count; i++) {
		if (!name[i])
			continue;
		buf_str(b, first ? "" : ",");
		buf_str(b, !first || *between == '\n' ? between : "");
		first = false;
		doc_put_text(b, text_of(name[i]));
		buf_str(b, ": ");
		put_json_cell(b, &cells[i]);
	}
}

static void json_object(
    struct render *r, const char *const *name, const struct cell *cells, size_t count)
{
	buf_str(&r->rows.bytes, r->objects++ ? ",\n " : "[\n ");
	put_object(&r->rows.bytes, name, cells, count, "\n  ");
	buf_str(&r->rows.bytes, "\n }");
	row_output_end_row(&r->rows);
}

static void json_line(
    struct render *r, const char *const *name, const struct cell *cells, size_t count)
{
	put_object(&r->rows.bytes, name, cells, count, " ");
	buf_str(&r->rows.bytes, "}\n");
	row_output_end_row(&r->rows);
}

static void json_row(struct render *r, const struct cell *cells)
{
	r->kind->object(r, (const char *const *)r->name, cells, r->columns);
}

static void json_end(struct render *r)
{
	buf_str(&r->rows.bytes, r->objects ? "\n]\n" : "[]\n");
}

static const struct render_kind kinds[] = {
	[RENDER_CSV] = { .begin = csv_begin, .row = csv_row, .streams = true },
	[RENDER_BOUNDS] = { .begin = csv_begin, .row = bounds_row, .streams = true },
	[RENDER_TABLE] = { .begin = table_begin, .row = table_row, .end = table_end },
	[RENDER_JSON] = { .row = json_row, .object = json_object, .end = json_end },
	[RENDER_JSON_LINES] = { .row = json_row, .object = json_line, .streams = true },
};

/*
 * Gives each column a name that no later column has, by appending underscores: readers
 * find columns by name, and the columns that a program adds come last. Hidden columns
 * have none.
 */
static void name_columns(struct render *r, const struct render_column *columns)
{
	const bool table = r->output.format == RENDER_TABLE, json = r->kind->object;
	struct intern taken = { 0 };

	for (size_t i = r->columns; i-- > 0;) {
		struct buf name = { 0 }, quoted = { 0 };
		struct text written;

		if (table ? columns[i].plain_only && !r->output.wide
		          : columns[i].table_only)
			continue;
		r->shown++;
		buf_str(&name, columns[i].name);
		for (;; buf_byte(&name, '_')) {
			quoted.len = 0;
			if (json)
				doc_put_text(&quoted, text_in(&name));
			written = json ? text_in(&quoted)
			               : text_in(&name);
			if (intern_find(&taken, written) < 0) {
				intern_add(&taken, written);
				break;
			}
		}
		buf_free(&quoted);
		r->name[i] = name.ptr;
	}
	intern_free(&taken);
}

bool render_is_table(const struct output *out)
{
	return out->format == RENDER_TABLE ||
	       (out->format == RENDER_AUTO && isatty(fileno(out->file)));
}

bool render_all_rows(const struct output *out)
{
	return out->all_rows || !render_is_table(out);
}

struct render *render_open(
    const struct output *out, const struct render_column *columns, size_t count)
{
	struct render *r = mem_zero(1, sizeof(*r));

	r->output = *out;
	if (out->format == RENDER_AUTO)
		r->output.format = render_is_table(out) ? RENDER_TABLE : RENDER_CSV;
	row_output_init(&r->rows, out->file);
	r->kind = &kinds[r->output.format];
	r->columns = count;
	r->name = mem_zero(count, sizeof(*r->name));
	name_columns(r, columns);
	if (r->kind->begin)
		r->kind->begin(r, columns);
	return r;
}

void render_row(struct render *r, const struct cell *cells)
{
	r->kind->row(r, cells);
}

void render_object(
    struct render *r, const char *const *name, const struct cell *cells, size_t count)
{
	if (r->kind->object)
		r->kind->object(r, name, cells, count);
}

int render_flush(struct render *r)
{
	if (r->kind->streams)
		return row_output_flush(&r->rows);
	errno = r->rows.error;
	return r->rows.error ? -1 : 0;
}

/* Shows a table in the pager if it is too long for the terminal. */
static void show_table(struct render *r)
{
	int fd = fileno(r->rows.out);

	if (!r->table || !r->output.pager || fd < 0 || fflush(r->rows.out) != 0)
		return;
	if (pager_show(
	        fd, text_in(&r->rows.bytes), r->output.wide))
		r->rows.bytes.len = 0;
}

static void free_render(struct render *r)
{
	for (size_t i = 0; i < r->columns; i++)
		free(r->name[i]);
	free(r->name);
	row_output_free(&r->rows);
	free(r);
}

int render_close(struct render *r)
{
	int status, error;

	if (r->kind->end)
		r->kind->end(r);
	show_table(r);
	status = row_output_flush(&r->rows);
	error = errno;
	free_render(r);
	errno = error;
	return status;
}

void render_cancel(struct render *r)
{
	if (r->table)
		table_layout_free(r->table);
	free_render(r);
}
