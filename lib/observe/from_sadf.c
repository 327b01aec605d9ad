/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the tables of sadf -d, whose fields semicolons separate. A line that begins with
 * "# hostname;interval;timestamp;" names the columns of the lines after it. Some of
 * these columns may be labels, such as CPU or DEV.
 */
#include "observe/sysstat_table.h"
#include "record/provenance.h"
#include "text/stamp.h"
#include "text/units.h"

static const char header[] = "# hostname;interval;timestamp;";

/* Returns whether there is a header, even after other lines, which are then rejected. */
static bool sadf_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line))
		if (text_begins(line, header))
			return true;
	return false;
}

struct sadf_reading {
	struct row_builder *out;
	const char *name; /* of the file */
	size_t line;
	struct sysstat_table table; /* the columns after the timestamp */
	bool is_listed;             /* one column in the header is several in the lines */
	struct observed_series series;
	char time[PROVENANCE_TIME_MAX]; /* of the beginning; "": unknown */
};

static int read_header(struct sadf_reading *r, struct text line, struct fault *f)
{
	struct text rest = text_after(line, strlen(header)), column;

	r->table.columns = 0;
	r->is_listed = false;
	while (rest.len) {
		if (r->table.columns == SYSSTAT_COLUMNS_MAX)
			return fault_set(f, "%s:%zu: a header with more than %d columns",
			    r->name, r->line, SYSSTAT_COLUMNS_MAX);
		column = text_until(&rest, ';');
		r->is_listed |= text_ends(column, "*");
		r->table.column[r->table.columns++] = column;
	}
	return 0;
}

/*
 * Sets *seconds to a timestamp: "2026-11-29 22:41:34 UTC", a local time without a zone, or
 * seconds since 1970. Sets *is_utc to whether the zone is known. Returns false if the
 * string is not a timestamp.
 */
static bool parse_timestamp(struct text t, int64_t *seconds, bool *is_utc)
{
	char stamp[] = "0000-00-00T00:00:00";
	int64_t ns;
	int digits;

	*is_utc = true;
	if (integer_parse(t, seconds))
		return *seconds >= 0;
	*is_utc = text_ends(t, " UTC");
	t.len -= *is_utc ? strlen(" UTC") : 0;
	if (t.len != strlen(stamp) || t.ptr[10] != ' ')
		return false;
	memcpy(stamp, t.ptr, t.len);
	stamp[10] = 'T';
	if (!stamp_parse(text_of(stamp), &ns, &digits))
		return false;
	*seconds = ns / 1000000000;
	return true;
}

/* Begins the series at a time before which an interval was observed. */
static void begin_series(
    struct sadf_reading *r, int64_t seconds, int64_t interval_s, bool is_utc)
{
	const int64_t s_ns = 1000000000;

	if (r->series.has_begin)
		return;
	if (interval_s > 0 && interval_s <= seconds)
		seconds -= interval_s;
	observed_begin(&r->series, seconds);
	if (is_utc && seconds < INT64_MAX / s_ns)
		provenance_time(r->time, seconds * s_ns);
}

/* Splits the values of a line. Returns false if they are not as many as the columns. */
static bool split_values(
    const struct sysstat_table *table, struct text values, struct text *field)
{
	size_t fields = 0;

	while (values.len && fields < table->columns)
		field[fields++] = text_until(&values, ';');
	return fields && fields == table->columns && !values.len;
}

static int read_values(struct sadf_reading *r, struct text line, struct fault *f)
{
	struct text host = text_until(&line, ';'), interval = text_until(&line, ';'),
	            timestamp = text_until(&line, ';'), field[SYSSTAT_COLUMNS_MAX];
	int64_t seconds, interval_s;
	struct fault wrong;
	bool is_utc;

	if (!integer_parse(interval, &interval_s) ||
	    !parse_timestamp(timestamp, &seconds, &is_utc))
		return fault_set(f,
		    "%s:%zu: no line of sadf -d: it has no interval in seconds, or no time",
		    r->name, r->line);
	if (text_begins(line, "LINUX-RESTART") || text_begins(line, "COM "))
		return 0;
	begin_series(r, seconds, interval_s, is_utc);
	if (r->is_listed)
		return 0;
	if (!split_values(&r->table, line, field))
		return fault_set(f,
		    "%s:%zu: not as many values as columns: the file is damaged", r->name,
		    r->line);
	row_builder_clear(r->out);
	row_builder_set(r->out, COL_HOST, host);
	row_builder_set(r->out, COL_TIME, text_of(r->time));
	r->out->row.sample = 0;
	r->out->row.t = observed_offset(&r->series, seconds);
	if (r->out->row.t == ROW_NONE)
		return fault_set(f,
		    "%s:%zu: a time before the first one: convert the parts of the file "
		    "separately",
		    r->name, r->line);
	if (!sysstat_table_has_values(&r->table))
		return 0;
	if (sysstat_table_check(&r->table, field, &wrong) < 0)
		return fault_set(f, "%s:%zu: %s", r->name, r->line, wrong.text);
	return sysstat_table_put(&r->table, field, r->out, f);
}

static int sadf_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct sadf_reading r = { .out = out, .name = s->name };
	struct text rest = s->text, line;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		r.line++;
		if (text_begins(line, header))
			status = read_header(&r, line, f);
		else if (line.len)
			status = read_values(&r, line, f);
	}
	return status;
}

const struct format format_sadf = { .name = "sadf",
	.meaning = "tables of sysstat (sadf -d)",
	.whole_lines = true,
	.recognize = sadf_recognize,
	.read = sadf_read };
