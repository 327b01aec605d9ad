/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows as CSV, as an aligned table or as JSON; see render.h. Each format is a row of a
 * table of functions.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "io/csv_reader.h"
#include "io/json_doc.h"
#include "io/render.h"
#include "io/row_output.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/units.h"

enum { GAP = 2 };

struct printed {
	size_t start, len, width; /* bytes in the buffer; columns on a terminal */
	bool right;
	enum tint tint;
};

struct render_kind {
	void (*row)(struct render *r, const struct cell *cells);
	void (*end)(struct render *r); /* may be NULL */
};

struct render {
	const struct render_kind *format;
	bool colour;
	char **name;
	bool *hidden;
	size_t columns;
	struct row_output to;
	struct printed *printed; /* cells of the table, row by row */
	size_t cells, cap;       /* rows of JSON */
};

static bool missing(const struct cell *c)
{
	return c->kind == CELL_EMPTY || (c->kind == CELL_NUMBER && !isfinite(c->number));
}

/* Returns whether a cell is missing in CSV and JSON. */
static bool is_null(const struct cell *c)
{
	return missing(c) || c->above;
}

/* Appends an integer, faster than snprintf(), because rows have several. */
static void put_integer(struct buf *b, int64_t number)
{
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
	char text[24];
	size_t at = sizeof(text);

	do
		text[--at] = (char)('0' + rest % 10);
	while (rest /= 10);
	if (number < 0)
		text[--at] = '-';
	buf_put(b, text + at, sizeof(text) - at);
}

static void put_number(struct buf *b, const struct cell *c)
{
	char text[NUMBER_TEXT_MAX];

	if (c->kind == CELL_INTEGER)
		put_integer(b, c->integer);
	else
		buf_put(b, text, number_print(text, c->number));
}

static void put_csv_row(struct render *r, const struct cell *cells, bool bounds)
{
	for (size_t i = 0; i < r->columns; i++) {
		const struct cell *c = &cells[i];
		bool null = bounds ? missing(c) : is_null(c);

		if (i)
			buf_byte(&r->to.bytes, ',');
		if (null || (c->kind == CELL_TEXT && !c->text.len)) {
			if (r->columns == 1)
				buf_str(&r->to.bytes, "\"\"");
		} else if (c->kind == CELL_TEXT)
			csv_reader_put_field(&r->to.bytes, c->text);
		else {
			if (c->above)
				buf_byte(&r->to.bytes, '>');
			put_number(&r->to.bytes, c);
		}
	}
	buf_byte(&r->to.bytes, '\n');
	row_output_end_row(&r->to);
}

static void csv_row(struct render *r, const struct cell *cells)
{
	put_csv_row(r, cells, false);
}

static void bounds_row(struct render *r, const struct cell *cells)
{
	put_csv_row(r, cells, true);
}

static void table_row(struct render *r, const struct cell *cells)
{
	for (size_t i = 0; i < r->columns; i++) {
		const struct cell *c = &cells[i];
		struct printed *p = VEC_ADD(r->printed, r->cells, r->cap);
		char text[64];

		*p = (struct printed){ .start = r->to.bytes.len,
			.tint = c->tint,
			.right = c->kind != CELL_TEXT };
		if (c->above && !missing(c))
			buf_byte(&r->to.bytes, '>');
		if (missing(c))
			buf_byte(&r->to.bytes, '-');
		else if (c->kind == CELL_TEXT)
			display_text_clean(&r->to.bytes, c->text);
		else if (c->unit)
			display_text_clean(&r->to.bytes,
			    (struct text){
			        text, units_print(text, sizeof(text),
			                  c->kind == CELL_INTEGER ? (double)c->integer
			                                          : c->number,
			                  c->unit) });
		else
			put_number(&r->to.bytes, c);
		p->len = r->to.bytes.len - p->start;
		p->width =
		    display_width((struct text){ r->to.bytes.ptr + p->start, p->len });
	}
}

static const char *const tint_code[] = {
	[TINT_NONE] = "",
	[TINT_GOOD] = "\033[32m",
	[TINT_BAD] = "\033[31m",
	[TINT_DIM] = "\033[2m",
};

static void put_spaces(struct buf *b, size_t n)
{
	while (n--)
		buf_byte(b, ' ');
}

static void put_cell(
    struct render *r, struct buf *out, const struct printed *p, size_t width, bool last)
{
	bool tinted = r->colour && p->tint != TINT_NONE;

	if (p->right)
		put_spaces(out, width - p->width);
	if (tinted)
		buf_str(out, tint_code[p->tint]);
	buf_put(out, r->to.bytes.ptr + p->start, p->len);
	if (tinted)
		buf_str(out, "\033[0m");
	if (!p->right && !last)
		put_spaces(out, width - p->width);
}

static void table_end(struct render *r)
{
	size_t *width = mem_zero(r->columns, sizeof(*width)), last = 0;
	struct buf out = { 0 };

	for (size_t i = 0; i < r->cells; i++)
		if (r->printed[i].width > width[i % r->columns])
			width[i % r->columns] = r->printed[i].width;
	for (size_t i = 0; i < r->columns; i++)
		last = r->hidden[i] ? last : i;
	for (size_t i = 0; i < r->cells; i++) {
		size_t column = i % r->columns;
		struct printed *p = &r->printed[i];

		/* A header is aligned like its numbers. */
		if (i < r->columns && i + r->columns < r->cells)
			p->right = r->printed[i + r->columns].right;
		if (!r->hidden[column]) {
			put_cell(r, &out, p, width[column], column == last);
			if (column != last)
				put_spaces(&out, GAP);
		}
		if (column + 1 == r->columns)
			buf_byte(&out, '\n');
	}
	free(width);
	buf_free(&r->to.bytes);
	r->to.bytes = out;
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
		put_integer(b, c->integer);
}

/* Appends an object, whose members are separated by a comma and this text. */
static void put_object(struct buf *b, const char *const *name, const struct cell *cells,
    size_t count, const char *between)
{
	buf_byte(b, '{');
	for (size_t i = 0; i < count; i++) {
		buf_str(b, i ? "," : "");
		buf_str(b, i || *between == '\n' ? between : "");
		doc_put_text(b, text_of(name[i]));
		buf_str(b, ": ");
		put_json_cell(b, &cells[i]);
	}
}

static void put_json_row(
    struct render *r, const char *const *name, const struct cell *cells, size_t count)
{
	buf_str(&r->to.bytes, r->cells++ ? ",\n " : "[\n ");
	put_object(&r->to.bytes, name, cells, count, "\n  ");
	buf_str(&r->to.bytes, "\n }");
	row_output_end_row(&r->to);
}

static void put_json_line(
    struct render *r, const char *const *name, const struct cell *cells, size_t count)
{
	put_object(&r->to.bytes, name, cells, count, " ");
	buf_str(&r->to.bytes, "}\n");
	row_output_end_row(&r->to);
}

static void json_row(struct render *r, const struct cell *cells)
{
	put_json_row(r, (const char *const *)r->name, cells, r->columns);
}

static void json_line(struct render *r, const struct cell *cells)
{
	put_json_line(r, (const char *const *)r->name, cells, r->columns);
}

static void json_end(struct render *r)
{
	buf_str(&r->to.bytes, r->cells ? "\n]\n" : "[]\n");
}

static const struct render_kind formats[] = {
	[RENDER_CSV] = { csv_row, NULL },
	[RENDER_BOUNDS] = { bounds_row, NULL },
	[RENDER_TABLE] = { table_row, table_end },
	[RENDER_JSON] = { json_row, json_end },
	[RENDER_JSON_LINES] = { json_line, NULL },
};

/*
 * Gives each column a name that no later column has, by appending underscores: readers
 * find columns by name, and the columns that a program adds come last. Hidden columns
 * keep their names and are ignored.
 */
static void name_columns(struct render *r, const struct render_column *columns, bool json)
{
	struct intern taken = { 0 };

	for (size_t i = r->columns; i-- > 0;) {
		struct buf name = { 0 }, quoted = { 0 };
		struct text written;

		buf_str(&name, columns[i].name);
		for (; !r->hidden[i]; buf_byte(&name, '_')) {
			quoted.len = 0;
			if (json)
				doc_put_text(&quoted, (struct text){ name.ptr, name.len });
			written = json ? (struct text){ quoted.ptr, quoted.len }
			               : (struct text){ name.ptr, name.len };
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

static bool is_json(enum render_format format)
{
	return format == RENDER_JSON || format == RENDER_JSON_LINES;
}

bool render_is_table(FILE *out, enum render_format format)
{
	return format == RENDER_TABLE || (format == RENDER_AUTO && isatty(fileno(out)));
}

struct render *render_open(
    FILE *out, enum render_format format, const struct render_column *columns, size_t count)
{
	struct render *r = mem_zero(1, sizeof(*r));
	struct cell *header = mem_zero(count, sizeof(*header));

	if (format == RENDER_AUTO)
		format = render_is_table(out, format) ? RENDER_TABLE : RENDER_CSV;
	row_output_init(&r->to, out);
	r->format = &formats[format];
	r->colour = render_colour(out);
	r->columns = count;
	r->name = mem_zero(count, sizeof(*r->name));
	r->hidden = mem_zero(count, sizeof(*r->hidden));
	for (size_t i = 0; i < count; i++)
		r->hidden[i] = format == RENDER_TABLE && columns[i].plain_only;
	name_columns(r, columns, is_json(format));
	for (size_t i = 0; i < count; i++) {
		header[i] = CELL_OF_TEXT(text_of(r->name[i]));
		header[i].tint = TINT_DIM;
	}
	if (!is_json(format))
		r->format->row(r, header);
	free(header);
	return r;
}

void render_row(struct render *r, const struct cell *cells)
{
	r->format->row(r, cells);
}

void render_object(
    struct render *r, const char *const *name, const struct cell *cells, size_t count)
{
	if (r->format == &formats[RENDER_JSON])
		put_json_row(r, name, cells, count);
	else if (r->format == &formats[RENDER_JSON_LINES])
		put_json_line(r, name, cells, count);
}

int render_flush(struct render *r)
{
	if (r->format == &formats[RENDER_CSV])
		return row_output_flush(&r->to);
	errno = r->to.error;
	return r->to.error ? -1 : 0;
}

int render_close(struct render *r)
{
	int status, error;

	if (r->format->end)
		r->format->end(r);
	status = row_output_flush(&r->to);
	error = errno;
	for (size_t i = 0; i < r->columns; i++)
		free(r->name[i]);
	free(r->name);
	free(r->hidden);
	free(r->printed);
	row_output_free(&r->to);
	free(r);
	errno = error;
	return status;
}

bool render_colour(FILE *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(out)) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}
