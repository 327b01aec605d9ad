/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes JSON of CSV; see csv_doc.h.
 */
#include "base/intern.h"
#include "io/csv_doc.h"
#include "io/csv_table.h"

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

struct json_t *csv_doc(
    struct text csv, bool may_be_short, size_t rows, const char *name, struct fault *f)
{
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
		doc = doc_read(text_in(&json), name, f);
	csv_table_free(&table);
	buf_free(&json);
	return doc;
}
