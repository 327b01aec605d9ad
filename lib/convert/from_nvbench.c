/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the JSON of NVBench. A benchmark has a state for each combination of a device and
 * values of its axes, and a state has summaries: numbers with a tag, such as
 * "nv/cold/time/gpu/mean", and a hint, which says what they are. Numbers are strings.
 */
#include <math.h>

#include "convert/from.h"
#include "text/units.h"

static bool nvbench_recognize(const struct source *s)
{
	const struct json_t *version = doc_member(doc_member(s->doc, "meta"), "version");

	return doc_member(version, "nvbench") &&
	       doc_is_array(doc_member(s->doc, "benchmarks"));
}

/* Tags, or their beginnings if the metric ends in "_", which the rest of the tag follows.
 * Without a metric, the number is not read. */
static const struct nvbench_tag {
	const char *tag, *metric;
} tags[] = {
	{ "nv/cold/time/gpu/mean", "gpu_time" },
	{ "nv/cold/time/gpu/", "gpu_time_" },
	{ "nv/cold/time/cpu/mean", "wall" },
	{ "nv/cold/time/cpu/", "wall_" },
	{ "nv/cpu_only/time/cpu/mean", "wall" },
	{ "nv/cpu_only/time/cpu/", "wall_" },
	{ "nv/batch/time/gpu/mean", "batch_gpu_time" },
	{ "nv/batch/time/gpu/", "batch_gpu_time_" },
	{ "nv/cold/bw/item_rate", "throughput" },
	{ "nv/cold/bw/global/bytes_per_second", "bandwidth" },
	{ "nv/cold/bw/global/utilization", "bandwidth_share" },
	{ "nv/cpu_only/bw/item_rate", "throughput" },
	{ "nv/cpu_only/bw/global/bytes_per_second", "bandwidth" },
	{ "nv/batch/gpu/time/mean", "batch_gpu_time" },
	{ "nv/cold/sample_size", NULL },
	{ "nv/batch/sample_size", NULL },
	{ "nv/cpu_only/sample_size", NULL },
	{ "nv/cold/walltime", NULL },
	{ "nv/batch/walltime", NULL },
	{ "nv/cpu_only/walltime", NULL },
	{ "nv/cupti/sample_size", NULL },
	{ "nv/cupti/walltime", NULL },
	{ "nv/cold/", "_" },
	{ "nv/", "_" },
};

/* The ends of the names of statistics. */
static const struct {
	const char *end, *name;
} statistics[] = {
	{ "_stdev_absolute", "_sd" },
	{ "_stdev_relative", "_cv" },
	{ "_iqr_absolute", "_iqr" },
	{ "_iqr_relative", "_relative_iqr" },
	{ "_ir_absolute", "_iqr" }, /* of older versions */
	{ "_ir_relative", "_relative_iqr" },
	{ "_mean", "" },
};

/* The units of hints. The time of a duration is in seconds. */
static const struct nvbench_hint {
	const char *hint, *unit;
	int exponent;
} hints[] = {
	{ "duration", "ns", 9 },
	{ "item_rate", "1/s", 0 },
	{ "bytes", "B", 0 },
	{ "byte_rate", "B/s", 0 },
	{ "frequency", "1/s", 0 },
	{ "", "1", 0 },
};

struct nvbench_reading {
	struct row_builder *out;
	const struct json_t *devices;
	bool has_rows; /* of this state */
};

/* Returns the value with a name in a list of named values, or NULL. */
static const struct json_t *named_value(const struct json_t *list, const char *name)
{
	for (size_t i = 0; i < doc_length(list); i++)
		if (text_is(from_text(doc_item(list, i), "name"), name))
			return doc_member(doc_item(list, i), "value");
	return NULL;
}

/* Returns a number, which may be a string; NAN if it is none. */
static double number_of(const struct json_t *v)
{
	struct text t;
	double x;

	if (doc_number(v, &x) || (doc_text(v, &t) && number_parse(t, &x)))
		return x;
	return NAN;
}

/* Returns the metric of a tag; NULL if it is not read. */
static const char *tag_metric(struct arena *texts, struct text tag)
{
	const struct nvbench_tag *t = NULL;
	struct buf name = { 0 };
	const char *metric;

	for (size_t i = 0; i < COUNT(tags) && !t; i++)
		if (tags[i].metric && text_ends(text_of(tags[i].metric), "_")
		        ? text_begins(tag, tags[i].tag)
			: text_is(tag, tags[i].tag))
			t = &tags[i];
	if (t && !t->metric)
		return NULL;
	if (t) {
		buf_str(&name, t->metric);
		tag = text_after(tag, strlen(t->tag));
	}
	for (size_t i = 0; i < tag.len; i++)
		buf_byte(&name, tag.ptr[i] == '/' ? '_' : tag.ptr[i]);
	metric = arena_text(texts, text_in(&name));
	buf_free(&name);
	metric += *metric == '_';
	for (size_t i = 0; i < COUNT(statistics); i++)
		if (text_ends(text_of(metric), statistics[i].end))
			return arena_format(texts, "%.*s%s",
			    (int)(strlen(metric) - strlen(statistics[i].end)), metric,
			    statistics[i].name);
	return metric;
}

/* Returns how many executions a summary is of, or ROW_NONE. */
static int64_t executions(const struct json_t *summaries, struct text tag)
{
	static const char *const kinds[] = { "nv/cold/", "nv/batch/", "nv/cpu_only/" };

	for (size_t i = 0; i < doc_length(summaries); i++) {
		const struct json_t *summary = doc_item(summaries, i);
		struct text other = from_text(summary, "tag");

		for (size_t k = 0; text_ends(other, "/sample_size") && k < COUNT(kinds);
		    k++)
			if (text_begins(tag, kinds[k]) && text_begins(other, kinds[k])) {
				const double x = number_of(
				    named_value(doc_member(summary, "data"), "value"));

				return x >= 1 && x < 0x1p62 ? (int64_t)x : ROW_NONE;
			}
	}
	return ROW_NONE;
}

static int put_summary(struct nvbench_reading *r, const struct json_t *summaries,
    const struct json_t *summary, struct fault *f)
{
	struct row_builder *out = r->out;
	const struct json_t *v = named_value(doc_member(summary, "data"), "value");
	struct text tag = from_text(summary, "tag"), hint = from_text(summary, "hint");
	const char *metric = tag_metric(&out->texts, tag);
	const struct nvbench_hint *h = hints;

	if (!v || !metric || !*metric)
		return 0;
	while (*h->hint && !text_is(hint, h->hint))
		h++;
	r->has_rows = true;
	out->row.iterations =
	    text_ends(tag, "/mean") ? executions(summaries, tag) : ROW_NONE;
	return row_builder_put(out, text_of(metric), text_of(h->unit),
	    decimal_shift(number_of(v), h->exponent), f);
}

/* Sets the device of a state: its name or, if it is not in the list, its number. */
static void set_device(struct nvbench_reading *r, const struct json_t *id)
{
	struct text name = TEXT("");
	double wanted, x;

	if (!doc_number(id, &wanted))
		return;
	for (size_t i = 0; i < doc_length(r->devices) && !name.len; i++)
		if (doc_number(doc_member(doc_item(r->devices, i), "id"), &x) &&
		    x == wanted)
			name = from_text(doc_item(r->devices, i), "name");
	if (name.len)
		row_builder_factor(r->out, TEXT("device"), name);
	else
		from_factor(r->out, TEXT("device"), id);
}

static int put_state(struct nvbench_reading *r, const struct json_t *benchmark,
    const struct json_t *state, struct fault *f)
{
	const struct json_t *summaries = doc_member(state, "summaries");
	const struct json_t *axes = doc_member(state, "axis_values");
	struct row_builder *out = r->out;

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	row_builder_set(out, COL_BENCH, from_text(benchmark, "name"));
	if (doc_length(r->devices))
		set_device(r, doc_member(state, "device"));
	for (size_t i = 0; i < doc_length(axes); i++)
		row_builder_factor(out, from_text(doc_item(axes, i), "name"),
		    from_scalar(&out->texts, doc_member(doc_item(axes, i), "value")));
	row_builder_set(out, COL_STATUS, TEXT("ok"));
	r->has_rows = false;
	if (doc_true(doc_member(state, "is_skipped"))) {
		row_builder_set(out, COL_STATUS, TEXT("skipped"));
		row_builder_extra(out, EXTRA_MESSAGE, from_text(state, "skip_reason"));
	} else {
		for (size_t i = 0; i < doc_length(summaries); i++)
			if (put_summary(r, summaries, doc_item(summaries, i), f) < 0)
				return -1;
	}
	out->row.iterations = ROW_NONE;
	return r->has_rows ? 0 : row_builder_put(out, TEXT("gpu_time"), TEXT("ns"), NAN, f);
}

static int nvbench_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	const struct json_t *benchmarks = doc_member(s->doc, "benchmarks");
	struct nvbench_reading r = { .out = out, .devices = doc_member(s->doc, "devices") };

	for (size_t i = 0; i < doc_length(benchmarks); i++) {
		const struct json_t *benchmark = doc_item(benchmarks, i);
		const struct json_t *states = doc_member(benchmark, "states");

		for (size_t k = 0; k < doc_length(states); k++)
			if (put_state(&r, benchmark, doc_item(states, k), f) < 0)
				return -1;
	}
	return 0;
}

const struct format format_nvbench = { .name = "nvbench",
	.meaning = "JSON of NVBench (--json)",
	.is_json = true,
	.recognize = nvbench_recognize,
	.read = nvbench_read };
