/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of perf stat; see perf_rows.h.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "convert/from.h"
#include "convert/perf_rows.h"
#include "text/units.h"

#define SECONDS_MAX 9000000000 /* whose ns fit into int64_t */
static const char start_words[] = "# started on ";
const char perf_decimal_comma[] =
    "numbers with a decimal comma: run perf as LC_ALL=C perf stat ...";

bool perf_has_content(struct text line)
{
	line = text_trim(line);
	return line.len && line.ptr[0] != '#';
}

bool perf_comma_number(struct text t)
{
	struct text whole = text_until(&t, ',');
	double x;

	return whole.len && t.len && number_parse(whole, &x) && t.ptr[0] >= '0' &&
	       t.ptr[0] <= '9';
}

/*
 * Returns the time of a clock in ns. The run time of task-clock is its value, if this is
 * the same number rounded to the digits of its text. In JSON, which does not round, the two
 * differ for processors, cgroups and cpu-clock, by the time of switching the counter on.
 */
static double clock_ns(const struct perf_event *e, double ms)
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
static struct text event_name(const struct perf_event *e)
{
	static const char pmu[] = " [software]";
	struct text name = e->name;

	if (text_ends(name, pmu))
		name.len -= strlen(pmu);
	return name;
}

/* Converts the name, the unit and the value of an event. Returns the value, or NAN if it
 * was not counted. */
static double scale_event(
    const struct perf_event *e, struct text *metric, struct text *unit)
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
			return units[i].scale > 0 ? value * units[i].scale
			                          : clock_ns(e, value);
		}
	return value;
}

/* Notes where in a run an event is. Returns whether it is of all intervals. */
static bool see_interval(struct perf_reading *r, const struct perf_event *e, bool has_time)
{
	bool is_total = !has_time && !isnan(r->interval_s);

	if (is_total && !e->is_total && !r->has_totals) {
		r->has_totals = true;
		row_builder_note(r->out,
		    "%s: counts after those of intervals are read as totals, with the "
		    "factor "
		    "intervals=all",
		    r->name);
	}
	if (has_time && e->interval_s < r->interval_s)
		r->sample = r->sample < 0 ? 1 : r->sample + 1;
	if (has_time)
		r->interval_s = e->interval_s;
	r->has_rows = true;
	return is_total || e->is_total;
}

static void forget_events(struct perf_reading *r)
{
	sample_counts_free(&r->events);
	r->events = (struct sample_counts){ .number = NULL };
}

/* Returns how often an event occurred so far in a run or interval, with this one; 0 if the
 * file does not say where runs begin. */
static int64_t count_event(
    struct perf_reading *r, const struct perf_event *e, bool has_time, bool is_total)
{
	double interval_s = has_time ? e->interval_s : -1;
	int64_t earlier;
	char *key;

	if (!r->knows_runs && !has_time)
		return 0;
	if (r->sample != r->events_sample || interval_s != r->events_interval_s) {
		forget_events(r);
		r->events_sample = r->sample;
		r->events_interval_s = interval_s;
	}
	key = str_format("%d %.*s\n%.*s\n%.*s", is_total, (int)e->name.len,
	    e->name.len ? e->name.ptr : "", (int)e->place.len,
	    e->place.len ? e->place.ptr : "", (int)e->cgroup.len,
	    e->cgroup.len ? e->cgroup.ptr : "");
	earlier = sample_counts_next(&r->events, text_of(key));
	free(key);
	if (earlier && !r->has_occurrences) {
		r->has_occurrences = true;
		row_builder_note(r->out,
		    "%s: the event %.*s and perhaps others occur several times in a run: "
		    "the "
		    "factor occurrence numbers them",
		    r->name, (int)e->name.len, e->name.ptr);
	}
	return earlier + 1;
}

int perf_put_event(struct perf_reading *r, const struct perf_event *e, struct fault *f)
{
	struct row_builder *out = r->out;
	struct text metric, unit;
	double value = scale_event(e, &metric, &unit);
	bool has_time = isfinite(e->interval_s) && fabs(e->interval_s) < 9e9;
	bool is_total = see_interval(r, e, has_time);
	int64_t occurrence = count_event(r, e, has_time, is_total);

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_set(out, COL_BENCH, r->bench);
	row_builder_set(out, COL_TIME, text_of(r->started));
	if (e->cgroup.len)
		row_builder_factor(out, TEXT("cgroup"), e->cgroup);
	if (e->place.len)
		row_builder_factor(out, TEXT("place"), e->place);
	if (is_total)
		row_builder_factor(out, TEXT("intervals"), TEXT("all"));
	if (occurrence > 1)
		row_builder_factor(out, TEXT("occurrence"),
		    text_of(arena_format(&out->texts, "%lld", (long long)occurrence)));
	row_builder_set(out, COL_STATUS,
	    isfinite(value)                        ? TEXT("ok")
	    : text_is(e->value, "<not supported>") ? TEXT("unsupported")
	                                           : TEXT("skipped"));
	out->row.sample = has_time && r->sample < 0 ? 0 : r->sample;
	out->row.iterations = r->iterations;
	if (has_time)
		out->row.t = (int64_t)decimal_shift(e->interval_s, 9);
	if (isfinite(value) && isfinite(e->running_pct)) {
		out->row.has_running_pct = true;
		out->row.running_pct = e->running_pct;
	}
	if (row_builder_put(out, metric, unit, value, f) < 0)
		return -1;
	out->row.has_running_pct = false;
	out->row.iterations = ROW_NONE;
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

void perf_local_time(struct text t, char out[PROVENANCE_TIME_MAX])
{
	struct tm time = { 0 };
	time_t winter, summer;
	bool in_winter, in_summer;
	char *text = mem_text(t.ptr, t.len);

	out[0] = '\0';
	if (strptime(text, "%a %b %d %H:%M:%S %Y", &time)) {
		in_winter = find_local(&time, 0, &winter);
		in_summer = find_local(&time, 1, &summer);
		if (in_winter != in_summer || (in_winter && winter == summer))
			provenance_time(
			    out, (int64_t)(in_winter ? winter : summer) * 1000000000);
	}
	free(text);
}

bool perf_see_line(struct perf_reading *r, struct text line)
{
	if (!text_begins(line, start_words))
		return perf_has_content(line);
	forget_events(r);
	r->sample += r->sample >= 0 && r->has_rows;
	r->has_rows = false;
	r->interval_s = NAN;
	perf_local_time(text_after(line, strlen(start_words)), r->started);
	return false;
}

struct perf_reading perf_begin(const struct source *s, struct row_builder *out)
{
	struct text rest = s->text, line;
	size_t starts = 0;

	while (starts < 2 && line_next(&rest, &line))
		starts += text_begins(line, start_words);
	return (struct perf_reading){ .out = out,
		.name = s->name,
		.sample = starts < 2 ? ROW_NONE : 0,
		.interval_s = NAN,
		.iterations = ROW_NONE,
		.knows_runs = starts > 0,
		.events_sample = ROW_NONE,
		.events_interval_s = NAN };
}

void perf_end(struct perf_reading *r)
{
	forget_events(r);
}
