/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of llama-bench -o sql: a line INSERT INTO for each test, with the names
 * and values of the CSV that llama-bench also writes. The lines are converted to this CSV.
 */
#include "convert/from.h"
#include "io/csv_reader.h"

static const char insert[] = "INSERT INTO ";

static bool llama_recognize_sql(const struct source *s)
{
	struct text rest = s->text, line;

	while (line_next(&rest, &line))
		if (text_begins(line, insert) && memmem(line.ptr, line.len, "avg_ts", 6) &&
		    memmem(line.ptr, line.len, "n_prompt", 8))
			return true;
	return false;
}

/* Removes a string from the begin of a line, and blanks before and after it. Returns
 * whether it is there. */
static bool take(struct text *line, const char *what)
{
	struct text t = text_trim(*line);

	if (!text_begins(t, what))
		return false;
	*line = text_trim(text_after(t, strlen(what)));
	return true;
}

/* Removes a value in quotes, in which two quotes are one, from the begin of a line, and
 * sets value to it. Returns whether it is there. */
static bool take_value(struct text *line, struct buf *value)
{
	value->len = 0;
	if (!text_begins(*line, "'"))
		return false;
	for (size_t i = 1; i < line->len; i++) {
		if (line->ptr[i] == '\'') {
			if (i + 1 == line->len || line->ptr[i + 1] != '\'') {
				*line = text_trim(text_after(*line, i + 1));
				return true;
			}
			i++;
		}
		buf_byte(value, line->ptr[i]);
	}
	return false;
}

/* Appends the values of a line as a row of CSV. Returns their number, or 0 if the line is
 * damaged. */
static size_t put_values(struct text line, struct buf *csv)
{
	struct buf value = { 0 };
	size_t count = 0;
	bool whole = false;

	do {
		if (!take_value(&line, &value))
			break;
		if (count++)
			buf_byte(csv, ',');
		csv_reader_put_field(csv, text_in(&value));
		whole = take(&line, ")") && take(&line, ";") && !line.len;
	} while (take(&line, ","));
	buf_free(&value);
	return whole ? count : 0;
}

static size_t count_names(struct text names)
{
	size_t count = 0;

	for (; names.len; count++)
		text_until(&names, ',');
	return count;
}

/* The lines of a file as CSV. */
struct sql_table {
	const char *file; /* for messages */
	struct text names;
	struct buf csv;
	size_t lines; /* of the CSV, which are empty where the file has other lines */
};

/* Converts a line, whose names are the header if it is the first. */
static int convert_line(
    struct sql_table *t, size_t number, struct text line, struct fault *f)
{
	struct text these;
	size_t values;

	text_until(&line, '(');
	these = text_until(&line, ')');
	if (!t->names.len) {
		t->names = these;
		while (these.len) {
			struct text name = text_trim(text_until(&these, ','));

			csv_reader_put_field(&t->csv, name);
			buf_str(&t->csv, these.len ? "," : "\n");
		}
		t->lines = 1;
	} else if (!text_equal(these, t->names)) {
		return fault_set(f,
		    "%s:%zu: columns other than those of the lines before: convert each "
		    "file "
		    "separately",
		    t->file, number);
	}
	for (; t->lines + 1 < number; t->lines++)
		buf_byte(&t->csv, '\n');
	values = take(&line, "VALUES") && take(&line, "(") ? put_values(line, &t->csv) : 0;
	buf_byte(&t->csv, '\n');
	t->lines++;
	if (!values)
		return fault_set(f, "%s:%zu: the statement is damaged", t->file, number);
	if (values != count_names(t->names))
		return fault_set(f, "%s:%zu: %zu values for %zu columns", t->file, number,
		    values, count_names(t->names));
	return 0;
}

static int llama_read_sql(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct sql_table t = { .file = s->name };
	struct source csv = *s;
	struct text rest = s->text, line;
	int status = 0;

	for (size_t number = 1; status == 0 && line_next(&rest, &line); number++)
		if (text_begins(line, insert))
			status = convert_line(&t, number, line, f);
	csv.text = text_in(&t.csv);
	if (status == 0 && csv.text.len)
		status = format_llama_csv.read(&csv, out, f);
	buf_free(&t.csv);
	return status;
}

const struct format format_llama_sql = { .name = "llama-bench-sql",
	.meaning = "llama-bench -o sql",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = llama_recognize_sql,
	.read = llama_read_sql };
