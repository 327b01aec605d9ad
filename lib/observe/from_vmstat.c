/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what vmstat prints: a line of groups, a line of columns, and lines of numbers. The
 * first line of numbers has means since the machine was started, which are no sample.
 */
#include "observe/observed.h"
#include "record/provenance.h"
#include "text/stamp.h"
#include "text/units.h"

/* Without the option -S, vmstat prints memory in units of 1024 bytes. */
static const struct vmstat_column {
	const char *name;
	struct observed_unit unit;
} known_columns[] = {
	{ "r", { "1", 1, 0 } },
	{ "b", { "1", 1, 0 } },
	{ "swpd", { "B", 1024, 0 } },
	{ "free", { "B", 1024, 0 } },
	{ "buff", { "B", 1024, 0 } },
	{ "cache", { "B", 1024, 0 } },
	{ "inact", { "B", 1024, 0 } },
	{ "active", { "B", 1024, 0 } },
	{ "si", { "B/s", 1024, 0 } },
	{ "so", { "B/s", 1024, 0 } },
	{ "bi", { "B/s", 1024, 0 } },
	{ "bo", { "B/s", 1024, 0 } },
	{ "in", { "1/s", 1, 0 } },
	{ "cs", { "1/s", 1, 0 } },
	{ "us", { "%", 1, 0 } },
	{ "sy", { "%", 1, 0 } },
	{ "id", { "%", 1, 0 } },
	{ "wa", { "%", 1, 0 } },
	{ "st", { "%", 1, 0 } },
	{ "gu", { "%", 1, 0 } },
};

/* Returns whether a line is that of the groups of columns. */
static bool is_groups(struct text line)
{
	struct text word = line_word(&line);

	return (text_is(word, "procs") || text_is(word, "--procs--")) &&
	       text_begins(line_word(&line), "--");
}

/* Returns whether there are groups, even after other lines, which are then rejected. */
static bool vmstat_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line))
		if (is_groups(line))
			return true;
	return false;
}

struct vmstat_reading {
	struct row_builder *out;
	struct observed_lines lines;
	const struct vmstat_column *column[COUNT(known_columns)];
	size_t columns;
	bool has_times, is_utc; /* local time unless is_utc */
	int64_t samples;        /* lines of numbers */
	int64_t header_at;      /* their number when the last header came */
	int64_t header_every;   /* lines from the first to the second header; 0: unknown */
	struct observed_series series;
	char begin[PROVENANCE_TIME_MAX]; /* "": unknown */
};

static const struct vmstat_column *find_column(struct text name)
{
	for (size_t i = 0; i < COUNT(known_columns); i++)
		if (text_is(name, known_columns[i].name))
			return &known_columns[i];
	return NULL;
}

/* Reads the names of the columns. With -t, the name of the time zone follows them. */
static int read_columns(struct vmstat_reading *r, struct text line, struct fault *f)
{
	r->columns = 0;
	r->has_times = r->is_utc = false;
	for (struct text word; (word = line_word(&line)).len;) {
		const struct vmstat_column *column = find_column(word);

		if (!column && r->columns && !text_trim(line).len) {
			r->has_times = true;
			r->is_utc = text_is(word, "UTC");
		} else if (!column || r->columns == COUNT(known_columns)) {
			return observed_lines_fault(&r->lines,
			    "no columns of processes, memory and processors, which vmstat "
			    "prints without -d, -D, -f, -m, -p and -s",
			    f);
		} else
			r->column[r->columns++] = column;
	}
	return 0;
}

/* Parses "2026-11-29 22:53:48", the end of a line. */
static bool parse_time(struct text t, int64_t *seconds)
{
	char stamp[] = "0000-00-00T00:00:00";
	int64_t ns;
	int digits;

	t = text_trim(t);
	if (t.len != strlen(stamp) || t.ptr[10] != ' ')
		return false;
	memcpy(stamp, t.ptr, t.len);
	stamp[10] = 'T';
	if (!stamp_parse(text_of(stamp), &ns, &digits) || ns < 0)
		return false;
	*seconds = ns / 1000000000;
	return true;
}

/* Sets the numbers of a sample: the first line has means since the machine was started. */
static int set_sample(struct vmstat_reading *r, int64_t seconds, struct fault *f)
{
	struct row *row = &r->out->row;

	row->t = ROW_NONE;
	row->sample = r->samples++ - 1;
	if (!r->has_times)
		return 0;
	if (!r->series.has_begin && r->is_utc)
		provenance_time(r->begin, seconds * 1000000000);
	observed_begin(&r->series, seconds);
	if (row->sample < 0)
		return 0;
	row->sample = 0;
	row->t = observed_offset(&r->series, seconds);
	return row->t == ROW_NONE ? observed_lines_fault(&r->lines, "a time before the first one", f) : 0;
}

/* Checks that a header repeats the first one. If not, it begins another output, whose first
 * line is no sample either. On a small terminal, both look the same. */
static int begin_header(struct vmstat_reading *r, struct fault *f)
{
	enum { EVERY_LEAST = 21 }; /* vmstat repeats the header when the terminal is full */
	int64_t every = r->samples - r->header_at;

	r->header_at = r->samples;
	if (!r->samples)
		return 0;
	if (!r->header_every)
		r->header_every = every;
	return every >= EVERY_LEAST && every == r->header_every
	           ? 0
		   : observed_lines_fault(&r->lines,
	                 "another output of vmstat: convert each by itself, because its "
	                 "first line has means since the machine was started",
	                 f);
}

static int read_numbers(struct vmstat_reading *r, struct text line, struct fault *f)
{
	double number[COUNT(known_columns)];
	int64_t seconds = 0;

	for (size_t i = 0; i < r->columns; i++)
		if (!number_parse(line_word(&line), &number[i]))
			return observed_lines_fault(&r->lines, "a line without a number in each column", f);
	if (r->has_times ? !parse_time(line, &seconds) : text_trim(line).len > 0)
		return observed_lines_fault(&r->lines, "more numbers than columns, or no time", f);
	row_builder_clear(r->out);
	if (set_sample(r, seconds, f) < 0)
		return -1;
	row_builder_set(r->out, COL_TIME, text_of(r->begin));
	for (size_t i = 0; i < r->columns; i++)
		if (observed_put(r->out, TEXT("vmstat"), text_of(r->column[i]->name),
		        r->column[i]->unit, number[i], f) < 0)
			return -1;
	return 0;
}

static int vmstat_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct vmstat_reading r = { .out = out, .lines = observed_lines_of(s) };
	struct text line;
	bool expects_columns = false;
	int status = 0;

	while (status == 0 && observed_lines_next(&r.lines, &line)) {
		if (is_groups(line))
			status = begin_header(&r, f);
		else
			status = expects_columns ? read_columns(&r, line, f)
			                         : read_numbers(&r, line, f);
		expects_columns = is_groups(line);
	}
	return status;
}

const struct format format_vmstat = { .name = "vmstat",
	.meaning = "vmstat",
	.whole_lines = true,
	.recognize = vmstat_recognize,
	.read = vmstat_read };
