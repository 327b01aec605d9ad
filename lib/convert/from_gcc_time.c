/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the tables that gcc -ftime-report prints, one for each source file: for each part
 * of the compiler the seconds of user, system and wall time, rounded to 10 ms, and the
 * memory that it allocated. GCC 12 prints all four columns; the header names them.
 */
#include <math.h>

#include "convert/from.h"
#include "text/units.h"

static const char gcc_time_mark[] = "Time variable ";

/* The columns that are read. */
static const struct gcc_time_column {
	const char *name, *metric, *unit;
} gcc_time_columns[] = {
	{ "usr", "user", "ns" },
	{ "sys", "sys", "ns" },
	{ "wall", "wall", "ns" },
	{ "GGC", "alloc_bytes", "B" },
};

/* A table: its columns by position, and its number in the file, from 1. */
struct gcc_time_table {
	const struct gcc_time_column *column[COUNT(gcc_time_columns)];
	size_t columns, number;
};

static bool gcc_time_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line))
		if (text_begins(line, gcc_time_mark) && text_ends(line, " GGC"))
			return true;
	return false;
}

/* Reads the names of the columns. Returns false if one is unknown. */
static bool gcc_time_header(struct gcc_time_table *t, struct text line)
{
	struct text word;

	t->columns = 0;
	line = text_after(line, strlen(gcc_time_mark));
	while ((word = line_word(&line)).len) {
		size_t i = 0;

		while (
		    i < COUNT(gcc_time_columns) && !text_is(word, gcc_time_columns[i].name))
			i++;
		if (i == COUNT(gcc_time_columns) || t->columns == COUNT(t->column))
			return false;
		t->column[t->columns++] = &gcc_time_columns[i];
	}
	return t->columns > 0;
}

/* Reads the next value of a line, and passes over its percentage. Returns false if there is
 * none. */
static bool gcc_time_value(
    struct text *line, const struct gcc_time_column *column, double *value)
{
	const bool is_time = strcmp(column->unit, "ns") == 0;
	struct text word = line_word(line), rest = text_trim(*line);
	double factor = 1;

	if (!is_time && word.len && memchr("kMG", word.ptr[word.len - 1], 3)) {
		const char suffix = word.ptr[--word.len];

		factor = suffix == 'k' ? 0x1p10 : suffix == 'M' ? 0x1p20 : 0x1p30;
	}
	if (!number_parse(word, value) || *value < 0)
		return false;
	*value = is_time ? decimal_shift(*value, 9) : *value * factor;
	if (text_begins(rest, "(")) {
		text_until(&rest, ')');
		*line = rest;
	}
	return true;
}

/* Adds the rows of a part of the compiler. A value of 0 was only rounded to 0. */
static int gcc_time_put(struct row_builder *out, const struct gcc_time_table *t,
    struct text name, struct text values, bool *damaged, struct fault *f)
{
	double value[COUNT(gcc_time_columns)];

	for (size_t i = 0; i < t->columns && !*damaged; i++)
		*damaged = !gcc_time_value(&values, t->column[i], &value[i]);
	*damaged |= text_trim(values).len > 0;
	if (*damaged)
		return 0;
	row_builder_clear(out);
	if (text_begins(name, "|"))
		name = text_after(name, 1);
	row_builder_factor(out, TEXT("phase"), name);
	row_builder_factor_number(out, TEXT("report"), (double)t->number);
	for (size_t i = 0; i < t->columns; i++)
		if (value[i] > 0 && row_builder_put(out, text_of(t->column[i]->metric),
		                        text_of(t->column[i]->unit), value[i], f) < 0)
			return -1;
	return 0;
}

/* Splits a line of a table into the name of the part and its values. */
static bool gcc_time_split(struct text line, struct text *name, struct text *values)
{
	*values = line;
	*name = text_trim(text_until(values, ':'));
	return name->len && values->len;
}

static int gcc_time_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct gcc_time_table t = { 0 };
	struct text rest = s->text, line, name, values;
	bool in_table = false, damaged = false;

	for (size_t number = 1; line_next(&rest, &line); number++) {
		if (text_begins(line, gcc_time_mark)) {
			damaged = in_table || !gcc_time_header(&t, line);
			t.number++;
			in_table = true;
		} else if (in_table && text_begins(text_trim(line), "`-")) {
			continue; /* of -ftime-report-details: inside the part before */
		} else if (in_table) {
			damaged = !gcc_time_split(line, &name, &values);
			if (!damaged &&
			    gcc_time_put(out, &t, name, values, &damaged, f) < 0)
				return -1;
			in_table = !text_is(name, "TOTAL");
		}
		if (damaged)
			return fault_set(f,
			    "%s:%zu: this is no line of a time report of gcc: the file is "
			    "damaged",
			    s->name, number);
	}
	return in_table
	           ? fault_set(f,
	                 "%s: a time report of gcc has no line TOTAL: the file was cut "
	                 "off",
	                 s->name)
		   : 0;
}

const struct format format_gcc_time = { .name = "gcc-time-report",
	.meaning = "the times that gcc -ftime-report prints",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = gcc_time_recognize,
	.read = gcc_time_read };
