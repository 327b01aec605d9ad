/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the tables that iostat prints for people: reports with the means of the processors,
 * of the devices, or of both. The first report is about the time since the machine was
 * started, and its values are no sample.
 */
#include "observe/sysstat_table.h"
#include "text/stamp.h"

static const char cpu_mark[] = "avg-cpu:", device_mark[] = "Device";

/* Returns whether there is a report, even after other lines, which are then rejected. */
static bool iostat_recognize(const struct source *s)
{
	struct text rest = s->text, line, host;
	bool has_first = false;

	while (!s->doc && line_next(&rest, &line)) {
		if (has_first &&
		    (text_begins(line, cpu_mark) || text_begins(line, device_mark)))
			return true;
		has_first |= sysstat_first_line(line, &host);
	}
	return false;
}

struct iostat_reading {
	struct row_builder *out;
	struct observed_lines lines;
	struct text host;
	struct sysstat_table table;
	int64_t reports;
	bool is_after_cpu; /* the devices are of the same report */
	bool has_time;     /* of the report */
	int64_t seconds;
	struct observed_series series;
	struct observed_days days;
};

/* Parses the line that -t prints before a report: a date in the format of the language and
 * the time of day, or "2026-11-29T22:57:52+0000". Its date is not needed. */
static bool read_time(struct iostat_reading *r, struct text line)
{
	struct text word = line_word(&line);
	static const char date[] = "2026-11-29T", time[] = "22:57:52";
	int64_t clock;
	bool is_clock;

	if (word.len > strlen(date) + strlen(time) && word.ptr[strlen(date) - 1] == 'T') {
		word = (struct text){ word.ptr + strlen(date), strlen(time) };
		line = TEXT("");
	} else
		word = line_word(&line);
	is_clock = observed_clock(word, &line, &clock);
	if (!is_clock || text_trim(line).len)
		return false;
	r->has_time = true;
	r->seconds = observed_day_time(&r->days, clock);
	observed_begin(&r->series, r->seconds);
	return true;
}

static int read_columns(
    struct iostat_reading *r, struct text names, bool begins_report, struct fault *f)
{
	const char *wrong = sysstat_table_columns(&r->table, names);

	r->reports += begins_report;
	return wrong ? observed_lines_fault(&r->lines, wrong, f) : 0;
}

static int put_line(struct iostat_reading *r, struct text line, struct fault *f)
{
	struct text field[SYSSTAT_COLUMNS_MAX];
	struct row *row = &r->out->row;
	struct fault wrong;

	if (!sysstat_table_split(&r->table, line, field))
		return observed_lines_fault(&r->lines,
		    "not as many values as columns: the output of iostat must be "
		    "alone in the file",
		    f);
	if (sysstat_table_check(&r->table, field, &wrong) < 0)
		return observed_lines_fault(&r->lines, wrong.text, f);
	row_builder_clear(r->out);
	row_builder_set(r->out, COL_HOST, r->host);
	row->sample = r->reports - 2;
	row->t = ROW_NONE;
	if (r->has_time && row->sample >= 0) {
		row->sample = 0;
		row->t = observed_offset(&r->series, r->seconds);
		if (row->t == ROW_NONE)
			return observed_lines_fault(&r->lines, "a time before the first one", f);
	}
	return sysstat_table_put(&r->table, field, r->out, f);
}

static int read_line(struct iostat_reading *r, struct text line, struct fault *f)
{
	struct text host;
	bool begins;

	if (!text_trim(line).len)
		return 0;
	if (sysstat_first_line(line, &host)) {
		if (r->lines.number > 1)
			return observed_lines_fault(&r->lines,
			    "lines before the name of the machine: the output of "
			    "iostat must be alone in the file",
			    f);
		r->host = host;
		return 0;
	}
	if (text_begins(line, cpu_mark)) {
		r->is_after_cpu = true;
		return read_columns(r, text_after(line, strlen(cpu_mark)), true, f);
	}
	if (text_begins(line, device_mark)) {
		begins = !r->is_after_cpu;
		r->is_after_cpu = false;
		return read_columns(r, line, begins, f);
	}
	return read_time(r, line) ? 0 : put_line(r, line, f);
}

static int iostat_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct iostat_reading r = { .out = out, .lines = observed_lines_of(s) };
	struct text line;
	int status = 0;

	while (status == 0 && observed_lines_next(&r.lines, &line))
		status = read_line(&r, line, f);
	return status;
}

const struct format format_iostat = { .name = "iostat",
	.meaning = "iostat",
	.whole_lines = true,
	.recognize = iostat_recognize,
	.read = iostat_read };
