/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small CSV tables: read as a whole, or row by row through the names of their columns.
 */
#include "io/csv_table.h"
#include "tests/lib/tap.h"

/* Returns the column "b" of all rows, "|" after each, and then the message, if any. */
static char *column_b(struct text csv, struct buf *out)
{
	static const char *const names[] = { "b" };
	struct csv_table t = { 0 };
	struct fault f = { "" };
	size_t at[1];
	int status = csv_table_open(&t, csv, "f.csv", &f);

	if (status == 0)
		status = csv_table_require(&t, names, 1, at, &f);
	while (status == 0 && (status = csv_table_next(&t, &f)) > 0) {
		buf_text(out, csv_table_field(&t, at[0]));
		buf_byte(out, '|');
		status = 0;
	}
	buf_str(out, status < 0 ? f.text : "");
	csv_table_free(&t);
	return out->len ? out->ptr : "";
}

static void test_rows(void)
{
	static const struct {
		struct text csv;
		const char *want, *what;
	} cases[] = {
		{ TEXT("a,b\n1,2\n3,4\n"), "2|4|", "rows come in their order" },
		{ TEXT("b,a\n1,2\n"), "1|", "columns are found by their names" },
		{ TEXT("b,b\n1,2\n"), "2|",
		    "of two columns of a name the last one counts" },
		{ TEXT("a,b\n1\n1,2,3\n"), "|2|", "rows may be short or long" },
		{ TEXT("a,b\n"), "", "a header may be alone" },
		{ TEXT(""), "", "an empty text has no rows, and lacks nothing" },
		{ TEXT("a\n1\n"), "f.csv:1: the header has no column 'b'",
		    "a column that is missing is named" },
		{ TEXT("a,b\n1,2\n3,4\"\n5,6\n"),
		    "2|f.csv:3: a quote inside a field (RFC 4180: quote the whole field "
		    "and double its quotes)",
		    "rows before a mistake are delivered first" },
		{ TEXT("a,b\"\n1,2\n"),
		    "f.csv:1: a quote inside a field (RFC 4180: quote the whole field and "
		    "double its quotes)",
		    "a header that is no CSV is refused" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf out = { 0 };

		tap_text(column_b(cases[i].csv, &out), cases[i].want, cases[i].what);
		buf_free(&out);
	}
}

static void test_places(void)
{
	struct csv_table t = { 0 };
	struct fault f;

	csv_table_open(&t, TEXT("a,b\n\n\"1\n2\",3,4\n"), "f.csv", &f);
	tap_ok(csv_table_line(&t) == 1 && csv_table_expect(&t, 2, &f) == 0,
	    "a table begins at its header");
	tap_ok(csv_table_next(&t, &f) == 1 && csv_table_line(&t) == 4,
	    "the line is the one on which a row ends");
	tap_ok(csv_table_expect(&t, 2, &f) < 0, "a row with more fields is refused");
	tap_text(f.text, "f.csv:4: 3 fields instead of 2", "the message has both numbers");
	tap_ok(csv_table_field(&t, SIZE_MAX).len == 0, "no column is an empty field");
	tap_ok(csv_table_next(&t, &f) == 0 && csv_table_next(&t, &f) == 0,
	    "the end stays the end");
	csv_table_free(&t);
}

static void test_whole(void)
{
	struct csv_table t = { 0 };
	struct buf b = { 0 };
	struct fault f;

	tap_ok(csv_table_read(&t, TEXT("a,b\n1,\"x,y\"\n2,z\n"), &f) == 0 &&
	           csv_table_rows(&t) == 2 && csv_table_column(&t, "b") == 1 &&
	           csv_table_column(&t, "c") == -1,
	    "a table is read as a whole");
	tap_text(csv_table_cell(&t, 1, 1), "z", "cells are found by row and column");
	csv_table_put_header(&t, &b);
	csv_table_put_row(&t, 0, &b);
	tap_text(b.ptr, "a,b\n1,\"x,y\"\n", "rows are written as they were read");
	buf_free(&b);
	csv_table_free(&t);
	tap_ok(csv_table_read(&t, TEXT("a,b\n1,2\n3\n"), &f) < 0 && csv_table_rows(&t) == 1,
	    "a row of another length ends it");
	tap_text(f.text, "a table with rows of 2 and 1 fields", "the message says so");
	csv_table_free(&t);
}

int main(void)
{
	test_rows();
	test_places();
	test_whole();
	return tap_end();
}
