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
		{ TEXT("a,b\n1,2\n3,4\n"), "2|4|",
		    "csv_table_next reads the rows in their order" },
		{ TEXT("b,a\n1,2\n"), "1|",
		    "csv_table_locate finds columns by their names" },
		{ TEXT("b,b\n1,2\n"), "2|",
		    "csv_table_locate finds the last of two columns with one name" },
		{ TEXT("a,b\n1\n1,2,3\n"), "|2|",
		    "csv_table_open accepts short and long rows" },
		{ TEXT("a,b\n"), "", "csv_table_open accepts a header without rows" },
		{ TEXT(""), "", "csv_table_require accepts an empty text" },
		{ TEXT("a\n1\n"), "f.csv:1: the header has no column 'b'",
		    "csv_table_require names a missing column" },
		{ TEXT("a,b\n1,2\n3,4\"\n5,6\n"),
		    "2|f.csv:3: a quote inside a field (RFC 4180: quote the whole field "
		    "and double its quotes)",
		    "csv_table_next reads the rows before an error" },
		{ TEXT("\xef\xbb\xbf [{\"a\": 1, \"b\": 2.50}, {\"b\": \"x\"}]"), "2.50|x|",
		    "csv_table_open reads an array of objects" },
		{ TEXT("{\"a\": 1}\n{\"b\": null}\n{\"b\": true, \"c\": 0}"), "||true|",
		    "csv_table_open reads objects with different members" },
		{ TEXT("[]"), "", "csv_table_require accepts an empty array" },
		{ TEXT("[{\"a\": 1}]"), "f.csv:1: the header has no column 'b'",
		    "csv_table_require names a member that no object has" },
		{ TEXT("[{\"b\": 1},\n{\"b\": [2]}]"),
		    "1|f.csv:2: b: neither a text nor a number",
		    "csv_table_next rejects a nested array" },
		{ TEXT("[{\"b\": 1},\n{\"b\": 2"),
		    "f.csv:2: the file ends inside an object: it is cut off",
		    "csv_table_open rejects truncated JSON" },
		{ TEXT("a,b\"\n1,2\n"),
		    "f.csv:1: a quote inside a field (RFC 4180: quote the whole field and "
		    "double its quotes)",
		    "csv_table_open rejects a header that is not CSV" },
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
	    "csv_table_open begins at the header");
	tap_ok(csv_table_next(&t, &f) == 1 && csv_table_line(&t) == 4,
	    "csv_table_line returns the line on which a row ends");
	tap_ok(csv_table_expect(&t, 2, &f) < 0,
	    "csv_table_expect rejects a row with more fields");
	tap_text(f.text, "f.csv:4: 3 fields instead of 2",
	    "the message about a row with more fields has both numbers");
	tap_ok(csv_table_field(&t, SIZE_MAX).len == 0,
	    "csv_table_field returns an empty text for an absent column");
	tap_ok(csv_table_next(&t, &f) == 0 && csv_table_next(&t, &f) == 0,
	    "csv_table_next returns 0 after the end again");
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
	    "csv_table_read reads a whole table");
	tap_text(
	    csv_table_cell(&t, 1, 1), "z", "csv_table_cell finds a cell by row and column");
	csv_table_put_header(&t, &b);
	csv_table_put_row(&t, 0, &b);
	tap_text(
	    b.ptr, "a,b\n1,\"x,y\"\n", "csv_table_put_row writes a row as it was read");
	buf_free(&b);
	csv_table_free(&t);
	tap_ok(csv_table_read(&t, TEXT("a,b\n1,2\n3\n"), &f) < 0 && csv_table_rows(&t) == 1,
	    "csv_table_read rejects a row with fewer fields");
	tap_text(f.text, "a table with rows of 2 and 1 fields",
	    "the message about a row with fewer fields has both numbers");
	csv_table_free(&t);
}

int main(void)
{
	test_rows();
	test_places();
	test_whole();
	return tap_end();
}
