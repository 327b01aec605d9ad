/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of perf stat -x and -j. A line of -x is
 *   [time,][place,[processors,]]value,unit,event,[cgroup,][variance%,]runtime,running%[,...]
 * where time is written by -I, place by -A, --per-socket and similar options, cgroup by -G
 * and --for-each-cgroup, and variance by -r (before the run time, unlike its manual says).
 * task-clock is rounded to 10 us, but its run time is the same number in ns. Headers of
 * groups and lines with only metrics have no event and are ignored: derived metrics are
 * computed again from counts, because those of perf 6.1 can be wrong. perf has already
 * scaled the values. perf follows the locale; numbers with a decimal comma are rejected,
 * because with -x, they cannot be distinguished from two fields. Commas between slashes
 * belong to the name of an event.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "convert/from.h"
#include "record/provenance.h"
#include "text/units.h"

enum { FIELDS_MAX = 24 };
#define SECONDS_MAX 9000000000 /* of which int64_t holds the ns */
static const char decimal_comma[] =
    "numbers with a decimal comma: run perf as LC_ALL=C perf stat ...";

struct event {
	struct text value, unit, name, place, cgroup;
	double interval_s, variance_pct, runtime_ns, running_pct; /* NAN: missing */
	bool comma; /* its numbers have decimal commas */
};

struct reading {
	struct row_builder *out;
	char started[PROVENANCE_TIME_MAX]; /* or "" */
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

/* Perf writes the percentage of the run time with two decimals. */
static bool is_percentage(struct text t)
{
	return is_number(t) && memchr(t.ptr, '.', t.len);
}

/* Returns the position of the run time in the fields from `at` on, which a variance may
 * precede, or 0 if there is none. */
static size_t runtime_at(const struct text *field, size_t n, size_t at)
{
	at += at < n && text_ends(field[at], "%");
	return at + 1 < n && is_number(field[at]) && is_percentage(field[at + 1]) ? at : 0;
}

/* Sets the parts of an event that follow its name, from field `at` on. Returns whether they
 * are complete. */
static bool split_tail(const struct text *field, size_t n, size_t at, struct event *e)
{
	if (!runtime_at(field, n, at) && runtime_at(field, n, at + 1))
		e->cgroup = field[at++];
	if (at < n && text_ends(field[at], "%"))
		e->variance_pct = percent(field[at++]);
	if (at + 1 >= n || !number_parse(field[at], &e->runtime_ns))
		return false;
	e->running_pct = percent(field[at + 1]);
	e->comma |= field[at + 1].len && !is_percentage(field[at + 1]);
	return true;
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
	*e = (struct event){ .value = field[at],
		.unit = field[at + 1],
		.interval_s = NAN,
		.variance_pct = NAN,
		.comma = is_comma_number(field[at]) };
	for (size_t i = 0; i < at; i++)
		if (i == 0 && number_parse(field[0], &e->interval_s))
			continue;
		else if (!e->place.len && !is_number(field[i]))
			e->place = field[i];
	at += 2;
	e->name = whole_name(field, n, &at);
	return split_tail(field, n, at, e);
}

static bool has_content(struct text line)
{
	line = line_trim(line);
	return line.len && line.ptr[0] != '#';
}

/* Returns the separator of a line that reports an event, or NUL. */
static char line_separator(struct text line)
{
	static const char separators[] = ",;|\t:!";
	struct event e;

	for (const char *s = separators; *s; s++)
		if (split_line(line, *s, &e))
			return *s;
	return '\0';
}

static char separator_of(struct text text)
{
	struct text line;
	char separator = '\0';

	for (int lines = 0; !separator && lines < 100 && line_next(&text, &line);)
		if (has_content(line)) {
			lines++;
			separator = line_separator(line);
		}
	return separator;
}

static bool perf_recognize(const struct source *s)
{
	return !s->doc && separator_of(s->text);
}

/*
 * Returns the time of a clock in ns. The run time of task-clock is its value, if this is
 * the same number rounded to the digits of its text. In JSON, which does not round, the two
 * differ for processors, cgroups and cpu-clock, by the time of switching the counter on.
 */
static double clock_ns(const struct event *e, double ms)
{
	const char *point = memchr(e->value.ptr, '.', e->value.len);
	size_t digits = point ? e->value.len - (size_t)(point + 1 - e->value.ptr) : 0;
	double ns = decimal_shift(ms, 6);

	return text_begins(e->name, "task-clock") && !e->place.len && !e->cgroup.len &&
	               digits < 6 &&
	               fabs(e->runtime_ns - ns) <= decimal_shift(0.5, 6 - (int)digits)
	           ? e->runtime_ns
	           : ns;
}

/* Returns the name of an event without the PMU of software events, which perf 6.12 appends
 * with -A. That of processors with several kinds of cores distinguishes events. */
static struct text event_name(const struct event *e)
{
	static const char pmu[] = " [software]";
	struct text name = e->name;

	if (text_ends(name, pmu))
		name.len -= strlen(pmu);
	return name;
}

/* Converts the name, the unit and the value of an event. Returns the value, or NAN if it
 * was not counted. */
static double scale_event(const struct event *e, struct text *metric, struct text *unit)
{
	static const struct {
		const char *event, *metric;
	} times[] = { { "duration_time", "wall" }, { "user_time", "user" },
		{ "system_time", "sys" } };
	static const struct {
		const char *unit, *ours;
		double scale;
	} units[] = { { "", "1", 1 }, { "msec", "ns", 0 }, { "ns", "ns", 1 },
		{ "Joules", "J", 1 }, { "Watts", "W", 1 }, { "MiB", "B", 1048576 } };
	double value;

	*metric = event_name(e);
	*unit = e->unit;
	if (!number_parse(e->value, &value))
		value = NAN;
	for (size_t i = 0; i < COUNT(times); i++)
		if (text_is(e->name, times[i].event))
			*metric = text_of(times[i].metric);
	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(e->unit, units[i].unit)) {
			*unit = text_of(units[i].ours);
			return units[i].scale > 0 ? value * units[i].scale : clock_ns(e, value);
		}
	return value;
}

static int put_event(struct reading *r, const struct event *e, struct fault *f)
{
	struct row_builder *out = r->out;
	struct text metric, unit;
	double value = scale_event(e, &metric, &unit);

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_set(out, COL_TIME, text_of(r->started));
	if (e->cgroup.len)
		row_builder_factor(out, TEXT("cgroup"), e->cgroup);
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

/* Returns whether a time exists in the local time zone, with or without daylight saving
 * time, and sets *seconds to it. */
static bool find_local(const struct tm *time, int summer, time_t *seconds)
{
	struct tm wanted = *time, found;

	wanted.tm_isdst = summer;
	*seconds = mktime(&wanted);
	return *seconds > -SECONDS_MAX && *seconds < SECONDS_MAX &&
	       localtime_r(seconds, &found) && found.tm_min == time->tm_min &&
	       found.tm_hour == time->tm_hour && found.tm_mday == time->tm_mday &&
	       found.tm_mon == time->tm_mon && found.tm_year == time->tm_year;
}

/* Notes the time of a comment such as "# started on Sat Nov 28 01:28:44 2026", which -o
 * writes in the local time zone. The hour that occurs twice when daylight saving time ends
 * is no time. Returns whether the line has more than a comment. */
static bool see_line(struct reading *r, struct text line)
{
	static const char words[] = "# started on ";
	struct tm time = { 0 };
	time_t winter, summer;
	bool in_winter, in_summer;
	char *text;

	if (!text_begins(line, words))
		return has_content(line);
	r->started[0] = '\0';
	text = mem_text(line.ptr, line.len);
	if (strptime(text + strlen(words), "%a %b %d %H:%M:%S %Y", &time)) {
		in_winter = find_local(&time, 0, &winter);
		in_summer = find_local(&time, 1, &summer);
		if (in_winter != in_summer || (in_winter && winter == summer))
			provenance_time(r->started,
			    (int64_t)(in_winter ? winter : summer) * 1000000000);
	}
	free(text);
	return false;
}

static int perf_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line;
	char separator = separator_of(s->text);
	struct reading r = { .out = out };
	struct event e;

	for (size_t number = 1; separator && line_next(&rest, &line); number++) {
		if (!see_line(&r, line))
			continue;
		if (!split_line(line, separator, &e)) {
			if (line_separator(line))
				return fault_set(f,
				    "%s:%zu: another separator than in the lines before: "
				    "convert the output of each perf by itself",
				    s->name, number);
			continue;
		}
		if (e.comma)
			return fault_set(f, "%s:%zu: %s", s->name, number, decimal_comma);
		if (put_event(&r, &e, f) < 0)
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
static const char *const places[] = { "cpu", "core", "cluster", "cache", "die", "socket",
	"node", "thread" };

/* Returns the text after the first occurrence of these words, or "". */
static struct text text_after(struct text t, const char *words)
{
	const char *at = memmem(t.ptr, t.len, words, strlen(words));

	if (!at)
		return TEXT("");
	at += strlen(words);
	return (struct text){ at, t.len - (size_t)(at - t.ptr) };
}

static int read_json_line(struct reading *r, const struct source *s, struct text line,
    size_t number, struct fault *f)
{
	char *name = str_format("%s:%zu", s->name, number);
	struct json_t *doc = doc_read(line, name, f);
	struct event e = { .interval_s = from_number(doc_member(doc, "interval"), 0),
		.variance_pct = from_number(doc_member(doc, "variance"), 0),
		.runtime_ns = from_number(doc_member(doc, "event-runtime"), 0),
		.running_pct = from_number(doc_member(doc, "pcnt-running"), 0),
		.cgroup = from_text(doc, "cgroup"),
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
		status = put_event(r, &e, f);
	else if (doc && !doc_member(doc, "metric-value"))
		status =
		    fault_set(f, "%s:%zu: neither an event nor a metric of perf stat -j",
		        s->name, number);
	if (doc)
		doc_free(doc);
	return status;
}

static int perf_read_json(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line;
	struct reading r = { .out = out };

	for (size_t number = 1; line_next(&rest, &line); number++)
		if (see_line(&r, line) && read_json_line(&r, s, line, number, f) < 0)
			return -1;
	return 0;
}

const struct format format_perf = { .name = "perf",
	.meaning = "perf stat -x",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = perf_recognize,
	.read = perf_read };
const struct format format_perf_json = { .name = "perf-json",
	.meaning = "perf stat -j",
	.is_json_lines = true,
	.recognize = perf_recognize_json,
	.read = perf_read_json };
