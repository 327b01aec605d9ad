/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the JSON of Google Benchmark for its compare.py: each value is a repetition, in
 * ns. The processor time is that of the same sample, from any metric that has it.
 */
#include <math.h>
#include <stdio.h>

#include "convert/from.h"
#include "convert/to.h"
#include "text/display_text.h"
#include "text/units.h"

/* The aggregates of a subject that has a summary instead of samples. */
static const struct aggregate {
	const char *name, *suffix; /* of metrics */
} aggregates[] = { { "mean", "" }, { "median", "_median" }, { "stddev", "_sd" } };

/* The metrics of a subject; those after wall are of the same samples as its values. */
struct gbench_subject {
	const struct subject_values *all;
	const struct metric_values *wall;
	struct text name;                  /* of values that do not have their own */
	struct text label;                 /* of values that have their own name */
	const struct aggregate *aggregate; /* that its values are; NULL: repetitions */
	int64_t threads;
	struct value_pairs cpu_time, user, sys, task_clock, bytes, items;
	bool lacks_cpu_time; /* of some value that did not fail */
};

/* Returns a metric of a subject, or the aggregate of it; NULL if there is none. */
static const struct metric_values *find_metric(const struct subject_values *t,
    size_t subject, const struct aggregate *aggregate, const char *metric, const char *unit)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s", metric, aggregate ? aggregate->suffix : "");
	return subject_values_find(t, subject, name, unit);
}

static struct value_pairs pairs_of(
    const struct gbench_subject *s, const char *metric, const char *unit)
{
	return (struct value_pairs){ .values = find_metric(s->all, s->wall->subject,
		                         s->aggregate, metric, unit) };
}

/* Returns the processor time of a value, or NAN. */
static double cpu_time(struct gbench_subject *s, size_t i)
{
	double time = value_pairs_next(&s->cpu_time, s->wall, i),
	       user = value_pairs_next(&s->user, s->wall, i),
	       sys = value_pairs_next(&s->sys, s->wall, i),
	       clock = value_pairs_next(&s->task_clock, s->wall, i);

	return isfinite(time) ? time : isfinite(user + sys) ? user + sys : clock;
}

static void put_text(struct buf *out, const char *name, struct text value)
{
	buf_printf(out, ",\n      \"%s\": ", name);
	doc_put_text(out, value);
}

static void put_number(struct buf *out, const char *name, double value)
{
	buf_printf(out, ",\n      \"%s\": ", name);
	doc_put_number(out, value);
}

/* Appends why a value does not count. */
static void put_failure(
    const struct subject_values *t, const struct value_origin *origin, struct buf *out)
{
	static const char *const skips[] = { "skipped", "unsupported", "denied" };
	struct text status = subject_values_text(t, origin->status),
	            message = subject_values_text(t, origin->message);
	bool skipped = false;

	for (size_t i = 0; i < COUNT(skips); i++)
		skipped |= text_is(status, skips[i]);
	buf_printf(out, ",\n      \"%s\": true", skipped ? "skipped" : "error_occurred");
	put_text(out, skipped ? "skip_message" : "error_message",
	    message.len ? message : status);
}

/* Appends the beginning of an entry: its names, and what its values are. */
static void put_names(const struct gbench_subject *s, struct text name, struct buf *out)
{
	struct buf whole = { 0 };

	buf_text(&whole, name);
	if (s->aggregate)
		buf_printf(&whole, "_%s", s->aggregate->name);
	buf_str(out, "    {\n      \"name\": ");
	doc_put_text(out, text_in(&whole));
	put_text(out, "run_name", name);
	put_text(out, "run_type", s->aggregate ? TEXT("aggregate") : TEXT("iteration"));
	if (s->aggregate) {
		put_text(out, "aggregate_name", text_of(s->aggregate->name));
		put_text(out, "aggregate_unit", TEXT("time"));
	}
	buf_free(&whole);
}

static void put_entry(struct gbench_subject *s, size_t i, struct buf *out)
{
	const struct value_origin *origin = &s->wall->origin[i];
	struct text name =
	    origin->name ? subject_values_text(s->all, origin->name) : s->name;
	double real = s->wall->value[i], cpu = cpu_time(s, i),
	       bytes = value_pairs_next(&s->bytes, s->wall, i),
	       items = value_pairs_next(&s->items, s->wall, i);

	put_names(s, name, out);
	buf_printf(out, ",\n      \"repetitions\": %zu", s->wall->count);
	if (!s->aggregate)
		buf_printf(out, ",\n      \"repetition_index\": %zu", i);
	buf_printf(out, ",\n      \"threads\": %lld", (long long)s->threads);
	if (origin->status) {
		put_failure(s->all, origin, out);
		/* As Google Benchmark has it, because compare.py needs numbers. */
		real = isfinite(real) ? real : 0;
		cpu = isfinite(cpu) ? cpu : 0;
	}
	if (origin->iterations != ROW_NONE)
		buf_printf(
		    out, ",\n      \"iterations\": %lld", (long long)origin->iterations);
	put_number(out, "real_time", real);
	if (isfinite(cpu))
		put_number(out, "cpu_time", cpu);
	else
		s->lacks_cpu_time = true;
	buf_str(out, ",\n      \"time_unit\": \"ns\"");
	if (isfinite(bytes))
		put_number(out, "bytes_per_second", bytes);
	if (isfinite(items))
		put_number(out, "items_per_second", items);
	if (origin->name && s->label.len)
		put_text(out, "label", s->label);
	buf_str(out, "\n    }");
}

static struct text factor_of(const struct subject_values *t, size_t group, struct text name)
{
	long id = schema_find(groups_schema(t->groups), name);

	return id < 0 ? TEXT("") : groups_cell(t->groups, group, (size_t)id);
}

/* Appends an entry for each value of a subject. Returns whether all have a processor time.
 */
static bool put_values(const struct subject_values *t, size_t group,
    const struct aggregate *aggregate, struct text name, struct buf *out)
{
	struct gbench_subject s = { .all = t, .name = name, .aggregate = aggregate };
	struct text threads = factor_of(t, group, TEXT("threads"));

	s.wall = find_metric(t, t->of[group].subject, aggregate, "wall", "ns");
	if (!s.wall)
		return true;

	s.label = factor_of(t, group, TEXT("label"));
	if (!integer_parse(threads, &s.threads) || s.threads < 1)
		s.threads = 1;
	s.cpu_time = pairs_of(&s, "cpu_time", "ns");
	s.user = pairs_of(&s, "user", "ns");
	s.sys = pairs_of(&s, "sys", "ns");
	s.task_clock = pairs_of(&s, "task-clock", "ns");
	s.bytes = pairs_of(&s, "bandwidth", "B/s");
	s.items = pairs_of(&s, "throughput", "1/s");
	for (size_t i = 0; i < s.wall->count; i++) {
		buf_str(
		    out, text_ends(text_in(out), "}") ? ",\n" : "");
		put_entry(&s, i, out);
	}
	return !s.lacks_cpu_time;
}

/* Returns whether a subject has a summary instead of samples. */
static bool is_summary(const struct subject_values *t, size_t group)
{
	const struct metric_values *wall = &t->of[group];
	bool more = false;

	for (size_t i = 1; i < COUNT(aggregates); i++)
		more |= find_metric(t, wall->subject, &aggregates[i], "wall", "ns") != NULL;
	return more && wall->count == 1 && wall->origin[0].sample == ROW_NONE;
}

/* Appends the entries of a subject. Returns whether all have a processor time. */
static bool put_subject(
    const struct subject_values *t, size_t group, struct text name, struct buf *out)
{
	bool all = true;

	if (!is_summary(t, group))
		return put_values(t, group, NULL, name, out);
	for (size_t i = 0; i < COUNT(aggregates); i++)
		all &= put_values(t, group, &aggregates[i], name, out);
	return all;
}

int write_gbench(const struct subject_values *t, struct buf *out, struct fault *f)
{
	size_t n = 0, told = 0;

	buf_str(out, "{\n  \"context\": {\n    \"executable\": \"bench-convert\",\n"
	             "    \"caches\": []\n  },\n  \"benchmarks\": [\n");
	for (size_t group = 0; group < t->count; group++) {
		struct buf b = { 0 };
		struct text name;

		if (!text_is(subject_values_metric(t, group), "wall") ||
		    !text_is(subject_values_unit(t, group), "ns"))
			continue;
		subject_values_name(t, group, ":", &b);
		name = text_in(&b);
		n++;
		if (!put_subject(t, group, name, out) && !told++) {
			display_text_clean(t->notes, name);
			buf_str(t->notes,
			    ": no processor time was measured, and compare.py "
			    "fails without it\n");
		}
		buf_free(&b);
		text_sink_take(t->sink, out);
	}
	buf_str(out, "\n  ]\n}\n");
	return n ? 0
	         : fault_set(f, "no metric wall in ns, which a file of Google Benchmark "
	                        "needs");
}
