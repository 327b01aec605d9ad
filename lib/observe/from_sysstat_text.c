/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the tables that sar, mpstat and pidstat print for people. The first line names the
 * machine. A line after an empty one names the columns; it and the lines of values begin
 * with the time of day. pidstat -h prints a comment with the columns instead. Averages
 * follow at the end, without a time.
 */
#include "observe/sysstat_table.h"
#include "text/units.h"

static const char header_mark[] = "# Time";
/* Words that follow the time in place of values or columns. */
static const char *const remarks[] = { "LINUX RESTART", "COM " };

/* Returns whether lines begin with one that has a time, which those of iostat lack. */
static bool has_times(struct text lines)
{
	struct text line, word;
	int64_t clock;

	while (line_next(&lines, &line)) {
		if (text_begins(line, header_mark))
			return true;
		word = line_word(&line);
		if (word.len)
			return observed_clock(word, &line, &clock);
	}
	return false;
}

/* Returns whether there are tables, even after other lines, which are then rejected. */
static bool tables_recognize(const struct source *s)
{
	struct text rest = s->text, line, host;

	while (!s->doc && line_next(&rest, &line))
		if (sysstat_first_line(line, &host))
			return has_times(rest);
	return false;
}

struct tables_reading {
	struct row_builder *out;
	struct observed_lines lines;
	struct text host;
	struct sysstat_table table;
	bool after_gap, has_averages;
	struct observed_series series;
	struct observed_days days, table_days; /* now, and at the beginning of the table */
};

/* Reads the names of columns. */
static int read_columns(struct tables_reading *r, struct text names, struct fault *f)
{
	const char *wrong = sysstat_table_columns(&r->table, names);

	return wrong ? observed_lines_fault(&r->lines, wrong, f) : 0;
}

static int put_line(
    struct tables_reading *r, int64_t seconds, struct text line, struct fault *f)
{
	struct text field[SYSSTAT_COLUMNS_MAX];
	struct fault wrong;

	if (!sysstat_table_split(&r->table, line, field))
		return observed_lines_fault(&r->lines, "not as many values as columns", f);
	observed_begin(&r->series, seconds);
	row_builder_clear(r->out);
	row_builder_set(r->out, COL_HOST, r->host);
	r->out->row.sample = 0;
	r->out->row.t = observed_offset(&r->series, seconds);
	if (r->out->row.t == ROW_NONE)
		return observed_lines_fault(&r->lines, "a time before the first one", f);
	if (!sysstat_table_has_values(&r->table))
		return 0;
	if (sysstat_table_check(&r->table, field, &wrong) < 0)
		return observed_lines_fault(&r->lines, wrong.text, f);
	return sysstat_table_put(&r->table, field, r->out, f);
}

/* Begins a table, whose line of columns has the time at which its first interval began. sar
 * prints a file that it recorded as one table after the other, each with averages, and all
 * from the same time. */
static int begin_table(
    struct tables_reading *r, int64_t clock, struct text names, struct fault *f)
{
	if (r->has_averages && clock == r->table_days.last_s)
		r->days = r->table_days;
	r->after_gap = r->has_averages = false;
	observed_begin(&r->series, observed_day_time(&r->days, clock));
	r->table_days = r->days;
	return read_columns(r, names, f);
}

static bool is_remark(struct text t)
{
	for (size_t i = 0; i < COUNT(remarks); i++)
		if (text_begins(t, remarks[i]))
			return true;
	return false;
}

/* Removes the word that marks averages, which depends on the language, from a line. Returns
 * false if there is none. */
static bool take_average_mark(struct text *line)
{
	struct text word = line_word(line);

	return text_ends(word, ":") || text_is(line_word(line), ":");
}

/* Checks a line of averages, or one that names their columns, which is not read. */
static int skip_averages(struct tables_reading *r, struct text line, struct fault *f)
{
	static const char what[] = "neither a time nor averages: the output of sar, mpstat "
	                           "or pidstat must be alone in the file";
	struct text field[SYSSTAT_COLUMNS_MAX];
	struct fault ignored;

	if (!take_average_mark(&line))
		return observed_lines_fault(&r->lines, what, f);
	r->has_averages = true;
	if (r->after_gap) {
		r->after_gap = false;
		return read_columns(r, line, f);
	}
	if (!sysstat_table_split(&r->table, line, field) ||
	    sysstat_table_check(&r->table, field, &ignored) < 0)
		return observed_lines_fault(&r->lines, what, f);
	return 0;
}

static int read_line(struct tables_reading *r, struct text line, struct fault *f)
{
	struct text rest = line, host, word = line_word(&rest);
	int64_t seconds;

	if (!word.len) {
		r->after_gap = true;
		return 0;
	}
	if (sysstat_first_line(line, &host)) {
		if (r->lines.number > 1)
			return observed_lines_fault(&r->lines,
			    "lines before the name of the machine: the output of sar, "
			    "mpstat or pidstat must be alone in the file",
			    f);
		r->host = host;
		return 0;
	}
	if (text_begins(line, header_mark)) {
		r->after_gap = false;
		return read_columns(r, text_after(line, strlen(header_mark)), f);
	}
	if (observed_clock(word, &rest, &seconds)) {
		if (is_remark(text_trim(rest)))
			return 0;
		return r->after_gap
		           ? begin_table(r, seconds, rest, f)
			   : put_line(r, observed_day_time(&r->days, seconds), rest, f);
	}
	/* pidstat -H prints seconds since 1970. */
	if (integer_parse(word, &seconds) && seconds >= 0)
		return put_line(r, seconds, rest, f);
	return skip_averages(r, line, f);
}

static int tables_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct tables_reading r = { .out = out, .lines = observed_lines_of(s) };
	struct text line;
	int status = 0;

	while (status == 0 && observed_lines_next(&r.lines, &line))
		status = read_line(&r, line, f);
	return status;
}

const struct format format_sysstat_text = { .name = "sysstat-text",
	.meaning = "tables that sar, mpstat and pidstat print",
	.whole_lines = true,
	.recognize = tables_recognize,
	.read = tables_read };
