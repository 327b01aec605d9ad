/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the files of ab (ApacheBench): percentiles of the latency (-e), and the times of
 * each request (-g), which ab sorts by latency and rounds to milliseconds.
 */
#include <math.h>

#include "convert/from.h"
#include "record/provenance.h"
#include "text/units.h"

static const char percentiles_header[] = "Percentage served,Time in ms",
                  requests_header[] = "starttime\tseconds\tctime\tdtime\tttime\twait";

/* Returns whether a string begins with a line that has these columns, or these and more. */
static bool has_header(struct text t, const char *header, char separator)
{
	struct text line;

	if (!line_next(&t, &line) || !text_begins(line, header))
		return false;
	line = text_after(line, strlen(header));
	return !line.len || line.ptr[0] == separator;
}

static bool percentiles_recognize(const struct source *s)
{
	return has_header(s->text, percentiles_header, ',');
}

static bool requests_recognize(const struct source *s)
{
	return has_header(s->text, requests_header, '\t');
}

/* Removes the next field from a line. Returns whether it is a number of at least 0. */
static bool number_next(struct text *line, char separator, double *out)
{
	return number_parse(text_until(line, separator), out) && *out >= 0;
}

static int put_percentile(
    struct row_builder *out, double percent, double ms, struct fault *f)
{
	char number[NUMBER_TEXT_MAX];
	const char *name = "latency_min";

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	if (percent >= 100)
		name = "latency_max";
	else if (percent > 0)
		name = arena_format(&out->texts, "latency_p%.*s",
		    (int)number_print(number, percent), number);
	return row_builder_put(
	    out, text_of(name), TEXT("ns"), ms > 0 ? decimal_shift(ms, 6) : NAN, f);
}

static int percentiles_read(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line;
	double percent, ms;
	size_t number = 1;

	if (!percentiles_recognize(s) || !line_next(&rest, &line))
		return fault_set(f, "%s:1: the header is not \"%s\", as ab -e writes it",
		    s->name, percentiles_header);
	while (line_next(&rest, &line)) {
		number++;
		if (!number_next(&line, ',', &percent) || percent > 100 ||
		    !number_next(&line, ',', &ms))
			return fault_set(
			    f, "%s:%zu: not a percentile of ab -e", s->name, number);
		if (put_percentile(out, percent, ms, f) < 0)
			return -1;
	}
	return 0;
}

/* The times of a request, in the order of their columns. */
static const char *const time_metrics[] = { "connect", "processing", "latency", "waiting" };
enum { LATENCY = 2 };
static const int64_t s_ns = 1000000000;

/* A line of ab -g. */
struct request {
	int64_t seconds; /* since 1970 */
	double ms[COUNT(time_metrics)];
};

/* Parses a line. Returns false if it is not a request. */
static bool parse_request(struct text line, struct request *r)
{
	text_until(&line, '\t');
	if (!integer_parse(text_until(&line, '\t'), &r->seconds) || r->seconds < 0 ||
	    r->seconds >= INT64_MAX / s_ns)
		return false;
	for (size_t i = 0; i < COUNT(r->ms); i++)
		if (!number_next(&line, '\t', &r->ms[i]))
			return false;
	return true;
}

static int put_request(
    struct row_builder *out, const struct request *r, int64_t sample, struct fault *f)
{
	char time[PROVENANCE_TIME_MAX];
	struct text t = { time, provenance_time(time, r->seconds * s_ns) };

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_set(out, COL_TIME, text_of(arena_text(&out->texts, t)));
	out->row.sample = sample;
	for (size_t i = 0; i < COUNT(r->ms); i++)
		if (row_builder_put(out, text_of(time_metrics[i]), TEXT("ns"),
		        decimal_shift(r->ms[i], 6), f) < 0)
			return -1;
	return 0;
}

static int requests_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line;
	size_t number = 0, requests = 0, zeros = 0;
	struct request r;

	if (!requests_recognize(s))
		return fault_set(
		    f, "%s:1: the header is not that which ab -g writes", s->name);
	while (line_next(&rest, &line)) {
		number++;
		if (text_begins(line, requests_header)) /* also where files were joined */
			continue;
		if (!parse_request(line, &r))
			return fault_set(
			    f, "%s:%zu: not a request of ab -g", s->name, number);
		if (put_request(out, &r, (int64_t)requests++, f) < 0)
			return -1;
		zeros += r.ms[LATENCY] == 0;
	}
	if (zeros)
		row_builder_note(out,
		    "%s: %zu of %zu latencies are 0, because ab rounded them to "
		    "milliseconds",
		    s->name, zeros, requests);
	return 0;
}

const struct format format_ab_csv = { .name = "ab-csv",
	.meaning = "CSV of ab (-e), percentiles of the latency",
	.whole_lines = true,
	.recognize = percentiles_recognize,
	.read = percentiles_read };
const struct format format_ab_gnuplot = { .name = "ab-gnuplot",
	.meaning = "the requests of ab (-g), for gnuplot",
	.whole_lines = true,
	.recognize = requests_recognize,
	.read = requests_read };
