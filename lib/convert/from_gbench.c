/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the JSON of Google Benchmark. Aggregates are ignored if the file has repetitions;
 * otherwise the mean is the value, and the other aggregates are separate metrics.
 */
#include <math.h>

#include "convert/from.h"
#include "convert/name_parts.h"
#include "convert/to.h"
#include "record/sample_counts.h"

static bool gbench_recognize(const struct source *s)
{
	return doc_member(s->doc, "context") &&
	       doc_is_array(doc_member(s->doc, "benchmarks")) &&
	       !doc_member(s->doc, "machine_info");
}

struct reading {
	const struct source *source;
	struct row_builder *out;
	char time[PROVENANCE_TIME_MAX]; /* of the file */
	size_t time_len;
	/* Of the current entry. */
	int exponent;          /* of its unit of time */
	bool is_statistic;     /* other than the mean */
	struct text statistic; /* its name */
	struct intern kept;          /* names that have repetitions */
	struct sample_counts counts; /* of those without repetition_index */
};

static struct text run_name(const struct json_t *entry)
{
	struct text name = from_text(entry, "run_name");

	return name.len ? name : from_text(entry, "name");
}

static bool is_aggregate(const struct json_t *entry)
{
	return text_is(from_text(entry, "run_type"), "aggregate");
}

/* Sets the subject from a label and a name such as "BM_copy/64/threads:4/real_time",
 * without the settings of the measurement. The whole name is kept if the subject has less.
 */
static void name_subject(struct reading *r, struct text name, struct text label)
{
	bool shorter;

	row_builder_clear(r->out);
	row_builder_set(r->out, COL_KIND, TEXT("function"));
	shorter = name_parts_set(r->out, name, gbench_settings);
	if (label.len)
		row_builder_factor(r->out, TEXT("label"), label);
	if (label.len || shorter)
		row_builder_extra(r->out, EXTRA_NAME, name);
}

static int time_exponent(const struct json_t *entry)
{
	static const struct {
		const char *unit;
		int exponent;
	} units[] = { { "ns", 0 }, { "us", 3 }, { "ms", 6 }, { "s", 9 } };
	struct text unit = from_text(entry, "time_unit");

	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].unit))
			return units[i].exponent;
	return unit.len ? -1 : 0;
}

/* The predefined members of an entry; every other number is a counter of the user. */
static const struct {
	const char *member, *metric, *unit;
	bool is_time;
} members[] = {
	{ "real_time", "wall", "ns", true },
	{ "cpu_time", "cpu_time", "ns", true },
	{ "bytes_per_second", "bandwidth", "B/s", false },
	{ "items_per_second", "throughput", "1/s", false },
	{ "family_index", NULL, NULL, false },
	{ "per_family_instance_index", NULL, NULL, false },
	{ "repetitions", NULL, NULL, false },
	{ "repetition_index", NULL, NULL, false },
	{ "threads", NULL, NULL, false },
	{ "iterations", NULL, NULL, false },
	{ "real_coefficient", NULL, NULL, false },
	{ "cpu_coefficient", NULL, NULL, false },
	{ "rms", NULL, NULL, false },
};

static int on_member(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct reading *r = ctx;
	struct text unit = TEXT("1");
	double x = NAN;

	if (!doc_number(v, &x) && !doc_is_nan(v))
		return 0;
	for (size_t i = 0; i < COUNT(members); i++) {
		if (!text_is(name, members[i].member))
			continue;
		if (!members[i].metric)
			return 0;
		name = text_of(members[i].metric);
		unit = text_of(members[i].unit);
		if (members[i].is_time)
			x = decimal_shift(x, r->exponent);
		break;
	}
	if (r->is_statistic)
		name = text_of(arena_format(&r->out->texts, "%.*s_%.*s", (int)name.len,
		    name.ptr, (int)r->statistic.len, r->statistic.ptr));
	return row_builder_put(r->out, name, unit, x, f);
}

/* Returns whether a message is a status of bench-csv(5), as bench-convert writes it. */
static bool is_status(struct text message)
{
	static const char *const statuses[] = { "skipped", "unsupported", "denied",
		"timeout" };

	for (size_t i = 0; i < COUNT(statuses); i++)
		if (text_is(message, statuses[i]))
			return true;
	return text_begins(message, "failed:exit=") ||
	       text_begins(message, "failed:signal=");
}

/* Sets the status of an entry, and why it is not ok. Returns whether it is ok. */
static bool set_status(struct row_builder *out, const struct json_t *entry)
{
	static const struct {
		const char *member, *message, *status;
	} ends[] = { { "error_occurred", "error_message", "failed" },
		{ "skipped", "skip_message", "skipped" } };

	row_builder_set(out, COL_STATUS, TEXT("ok"));
	for (size_t i = 0; i < COUNT(ends); i++) {
		struct text message = from_text(entry, ends[i].message);

		if (!doc_true(doc_member(entry, ends[i].member)))
			continue;
		row_builder_set(out, COL_STATUS, text_of(ends[i].status));
		if (is_status(message))
			row_builder_set(out, COL_STATUS, message);
		else if (message.len)
			row_builder_extra(out, EXTRA_MESSAGE, message);
		return false;
	}
	return true;
}

static int put_entry(struct reading *r, const struct json_t *entry, struct fault *f)
{
	struct row_builder *out = r->out;
	struct text name = run_name(entry), aggregate = from_text(entry, "aggregate_name");
	const struct json_t *context = doc_member(r->source->doc, "context");
	const bool aggregated = is_aggregate(entry);

	r->exponent = time_exponent(entry);
	r->is_statistic = aggregated && !text_is(aggregate, "mean");
	r->statistic = text_is(aggregate, "stddev") ? TEXT("sd") : aggregate;
	if (!name.len)
		return fault_set(f, "%s: a benchmark has no name", r->source->name);
	if (r->exponent < 0)
		return fault_set(f, "%s: %.*s: time_unit is not ns, us, ms or s",
		    r->source->name, (int)name.len, name.ptr);
	if (aggregated &&
	    (text_is(aggregate, "cv") || text_is(aggregate, "BigO") ||
	        text_is(aggregate, "RMS") || intern_find(&r->kept, name) >= 0))
		return 0;
	name_subject(r, name, from_text(entry, "label"));
	row_builder_set(out, COL_HOST, from_text(context, "host_name"));
	row_builder_set(out, COL_TIME, (struct text){ r->time, r->time_len });
	if (!aggregated) {
		int64_t number = sample_counts_next(&r->counts, name),
		        index = from_count(doc_member(entry, "repetition_index"));

		out->row.sample = index != ROW_NONE ? index : number;
		out->row.iterations = from_count(doc_member(entry, "iterations"));
	}
	if (set_status(out, entry))
		return doc_each(entry, on_member, r, f);
	return row_builder_put(out, TEXT("wall"), TEXT("ns"), NAN, f);
}

static int gbench_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	const struct json_t *benchmarks = doc_member(s->doc, "benchmarks");
	struct reading r = { .source = s, .out = out };
	int status = 0;

	r.time_len = from_time_text(
	    r.time, from_text(doc_member(s->doc, "context"), "date"));
	for (size_t i = 0; i < doc_length(benchmarks); i++)
		if (!is_aggregate(doc_item(benchmarks, i)))
			intern_add(&r.kept, run_name(doc_item(benchmarks, i)));
	for (size_t i = 0; i < doc_length(benchmarks) && status == 0; i++)
		status = put_entry(&r, doc_item(benchmarks, i), f);
	intern_free(&r.kept);
	sample_counts_free(&r.counts);
	return status;
}

const struct format format_gbench = { .name = "gbench",
	.meaning = "Google Benchmark --benchmark_format=json",
	.is_json = true,
	.recognize = gbench_recognize,
	.read = gbench_read,
	.write = write_gbench,
	.has_failures = true };
