/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of perf stat -x and -j. A line of -x is
 *   [time,][place,[processors,]]value,unit,event,[variance%,]runtime,running%[,metric,unit]
 * where time is written by -I, place by -A, --per-socket and similar options, and variance
 * by -r (before the run time, unlike its manual says). Headers of groups and lines with
 * only metrics have no event and are ignored: derived metrics are computed again from
 * counts, because those of perf 6.1 can be wrong. perf has already scaled the values. perf
 * follows the locale; numbers with a decimal comma are rejected, because with -x, they
 * cannot be distinguished from two fields. Commas between slashes belong to the name of an
 * event.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "text/units.h"

enum { FIELDS_MAX = 24 };
static const char decimal_comma[] =
    "numbers with a decimal comma: run perf as LC_ALL=C perf stat ...";

struct event {
	struct text value, unit, name, place;
	double interval_s, variance_pct, running_pct; /* NAN: missing */
	bool comma;                                   /* its numbers have decimal commas */
};

static bool is_number(struct text t)
{
	double x;

	return number_parse(t, &x);
}

static double percent(struct text t)
{
	double x;

	if (text_ends(t, "%"))
		t.len--;
	return number_parse(t, &x) ? x : NAN;
}

/* Returns whether a text is a number with a decimal comma, such as "3,97". */
static bool is_comma_number(struct text t)
{
	struct text whole = text_until(&t, ',');

	return whole.len && t.len && is_number(whole) && t.ptr[0] >= '0' && t.ptr[0] <= '9';
}

static bool is_value(struct text t)
{
	return is_number(t) || is_comma_number(t) || text_begins(t, "<not ") ||
	       text_is(t, "nan") || text_is(t, "-nan") || text_is(t, "inf");
}

/*
 * Returns the name of an event that begins in field *at, and moves *at to the field after
 * it. "cpu/event=0x3c,umask=0x1/u" is one name even if commas separate the fields.
 */
static struct text whole_name(const struct text *field, size_t n, size_t *at)
{
	struct text name = field[(*at)++];
	const char *slash = name.len ? memchr(name.ptr, '/', name.len) : NULL;

	if (!slash || memchr(slash + 1, '/', name.len - (size_t)(slash + 1 - name.ptr)))
		return name;
	for (size_t i = *at; i < n; i++)
		if (field[i].len && memchr(field[i].ptr, '/', field[i].len)) {
			*at = i + 1;
			name.len = (size_t)(field[i].ptr - name.ptr) + field[i].len;
			return name;
		}
	return name;
}

/* Splits a line into the parts of an event. Returns whether the line reports one. */
static bool split_line(struct text line, char separator, struct event *e)
{
	struct text field[FIELDS_MAX];
	size_t n = 0, at = 0;

	for (; n < FIELDS_MAX && line.len; n++)
		field[n] = line_trim(text_until(&line, separator));
	while (at + 4 < n && !(is_value(field[at]) && !is_value(field[at + 1]) &&
	                         field[at + 2].len && !is_value(field[at + 2])))
		at++;
	if (at + 4 >= n || at > 3)
		return false;
	*e = (struct event){ field[at], field[at + 1], TEXT(""), TEXT(""), NAN, NAN, NAN,
		is_comma_number(field[at]) };
	for (size_t i = 0; i < at; i++)
		if (i == 0 && number_parse(field[0], &e->interval_s))
			continue;
		else if (!e->place.len && !is_number(field[i]))
			e->place = field[i];
	at += 2;
	e->name = whole_name(field, n, &at);
	if (at < n && text_ends(field[at], "%"))
		e->variance_pct = percent(field[at++]);
	if (at + 1 >= n || !is_number(field[at]))
		return false;
	e->running_pct = percent(field[at + 1]);
	/* perf always writes the percentage with two decimals. */
	if (field[at + 1].len && !memchr(field[at + 1].ptr, '.', field[at + 1].len))
		e->comma = true;
	return true;
}

static bool has_content(struct text line)
{
	line = line_trim(line);
	return line.len && line.ptr[0] != '#';
}

static char separator_of(struct text text)
{
	static const char separators[] = ",;|\t:!";
	struct text line;
	struct event e;

	for (int lines = 0; lines < 100 && line_next(&text, &line);)
		if (has_content(line)) {
			lines++;
			for (const char *s = separators; *s; s++)
				if (split_line(line, *s, &e))
					return *s;
		}
	return '\0';
}

static bool perf_recognize(const struct source *s)
{
	return !s->doc && separator_of(s->text);
}

/* Converts the name and unit of an event to a metric and unit. Returns the power of ten by
 * which its value is scaled. */
static int scale_event(const struct event *e, struct text *metric, struct text *unit)
{
	static const struct {
		const char *event, *metric;
	} times[] = { { "duration_time", "wall" }, { "user_time", "user" },
		{ "system_time", "sys" } };
	static const struct {
		const char *unit, *ours;
		int exponent;
	} units[] = { { "", "1", 0 }, { "msec", "ns", 6 }, { "ns", "ns", 0 },
		{ "Joules", "J", 0 }, { "Watts", "W", 0 } };

	*metric = e->name;
	*unit = e->unit;
	for (size_t i = 0; i < COUNT(times); i++)
		if (text_is(e->name, times[i].event))
			*metric = text_of(times[i].metric);
	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(e->unit, units[i].unit)) {
			*unit = text_of(units[i].ours);
			return units[i].exponent;
		}
	return 0;
}

static int put_event(struct row_builder *out, const struct event *e, struct fault *f)
{
	struct text metric, unit;
	int exponent = scale_event(e, &metric, &unit);
	double value = NAN;

	if (number_parse(e->value, &value))
		value = decimal_shift(value, exponent);
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	if (e->place.len)
		row_builder_factor(out, TEXT("place"), e->place);
	row_builder_set(out, COL_STATUS,
	    isfinite(value)                        ? TEXT("ok")
	    : text_is(e->value, "<not supported>") ? TEXT("unsupported")
	                                           : TEXT("skipped"));
	if (isfinite(e->interval_s) && fabs(e->interval_s) < 9e9) {
		out->row.sample = 0;
		out->row.t = (int64_t)decimal_shift(e->interval_s, 9);
	}
	if (isfinite(value) && isfinite(e->running_pct)) {
		out->row.has_running_pct = true;
		out->row.running_pct = e->running_pct;
	}
	if (row_builder_put(out, metric, unit, value, f) < 0)
		return -1;
	out->row.has_running_pct = false;
	if (!isfinite(value) || !isfinite(e->variance_pct))
		return 0;
	return row_builder_put(out,
	    text_of(arena_format(&out->texts, "%.*s_error", (int)metric.len, metric.ptr)),
	    TEXT("%"), e->variance_pct, f);
}

static int perf_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line;
	char separator = separator_of(s->text);
	struct event e;

	for (size_t number = 1; separator && line_next(&rest, &line); number++) {
		if (!has_content(line) || !split_line(line, separator, &e))
			continue;
		if (e.comma)
			return fault_set(f, "%s:%zu: %s", s->name, number, decimal_comma);
		if (put_event(out, &e, f) < 0)
			return -1;
	}
	return 0;
}

static bool perf_recognize_json(const struct source *s)
{
	struct text rest = s->text, line;

	while (line_next(&rest, &line))
		if (has_content(line))
			return text_begins(line, "{\"") &&
			       (memmem(line.ptr, line.len, "\"counter-value\"", 15) ||
			           memmem(line.ptr, line.len, "\"metric-value\"", 14));
	return false;
}

/* Members that name the part of the machine. */
static const char *const places[] = { "cpu", "core", "die", "socket", "node", "thread" };

/* Returns the text after the first occurrence of these words, or "". */
static struct text text_after(struct text t, const char *words)
{
	const char *at = memmem(t.ptr, t.len, words, strlen(words));

	if (!at)
		return TEXT("");
	at += strlen(words);
	return (struct text){ at, t.len - (size_t)(at - t.ptr) };
}

static int read_json_line(const struct source *s, struct text line, size_t number,
    struct row_builder *out, struct fault *f)
{
	char *name = str_format("%s:%zu", s->name, number);
	struct json_t *doc = doc_read(line, name, f);
	struct event e = { .interval_s = from_number(doc_member(doc, "interval"), 0),
		.variance_pct = from_number(doc_member(doc, "variance"), 0),
		.running_pct = from_number(doc_member(doc, "pcnt-running"), 0),
		.value = from_text(doc, "counter-value"),
		.unit = from_text(doc, "unit"),
		.name = from_text(doc, "event") };
	struct text pct = text_after(line, "\"pcnt-running\" : ");
	int status = doc ? 0 : -1;

	if (!doc && is_comma_number(text_until(&pct, ' ')))
		fault_set(f, "%s: %s", name, decimal_comma);
	free(name);
	for (size_t i = 0; i < COUNT(places) && !e.place.len; i++)
		e.place = from_text(doc, places[i]);
	if (e.name.len && e.value.len)
		status = put_event(out, &e, f);
	if (doc)
		doc_free(doc);
	return status;
}

static int perf_read_json(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line;

	for (size_t number = 1; line_next(&rest, &line); number++)
		if (has_content(line) && read_json_line(s, line, number, out, f) < 0)
			return -1;
	return 0;
}

const struct format format_perf = { .name = "perf",
	.meaning = "perf stat -x",
	.recognize = perf_recognize,
	.read = perf_read };
const struct format format_perf_json = { .name = "perf-json",
	.meaning = "perf stat -j",
	.is_json_lines = true,
	.recognize = perf_recognize_json,
	.read = perf_read_json };
