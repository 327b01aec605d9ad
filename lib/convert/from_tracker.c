/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the files of services that track benchmarks, which to_tracker.c also writes: the
 * Bencher Metric Format, whose units are not in the file, and the values and the history
 * (data.js, or JSON) of github-action-benchmark.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "convert/to.h"
#include "record/metric.h"
#include "text/units.h"

struct reading {
	const struct source *source;
	struct row_builder *out;
	struct metrics *metrics;
	struct text measure; /* of Bencher: the metric and its unit */
	struct text unit;
};

static int see_first(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	const struct json_t **first = ctx;

	(void)name;
	(void)f;
	*first = v;
	return -1;
}

/* Returns the first member of an object, or NULL. */
static const struct json_t *first_member(const struct json_t *object)
{
	const struct json_t *first = NULL;
	struct fault ignored;

	doc_each(object, see_first, &first, &ignored);
	return first;
}

static int see_benchmark(
    void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	const struct json_t **first = ctx;

	(void)name;
	(void)f;
	if (!first_member(v) && !doc_length(v))
		return 0;
	*first = v;
	return -1;
}

/* Recognizes the first benchmark that has measures. */
static bool bencher_recognize(const struct source *s)
{
	const struct json_t *of_name = NULL;
	struct fault ignored;
	double x;

	doc_each(s->doc, see_benchmark, &of_name, &ignored);
	if (doc_is_array(of_name))
		of_name = doc_member(doc_item(of_name, 0), "measures");
	return doc_number(doc_member(first_member(of_name), "value"), &x);
}

/* Finds the metric and the unit of a measure, whose name has hyphens for all characters but
 * letters and digits. */
static void find_measure(struct reading *r, struct text name)
{
	static const struct {
		const char *measure, *metric, *unit;
	} measures[] = { { "latency", "wall", "ns" }, { "throughput", "throughput", "1/s" },
		{ "build-time", "build-time", "s" }, { "file-size", "file-size", "B" } };
	char *plain = mem_text(name.ptr, name.len);
	const struct metric *known = metrics_find(r->metrics, text_of(plain));

	for (char *p = plain; !known && *p; p++)
		*p = *p == '-' ? '_' : *p;
	known = known ? known : metrics_find(r->metrics, text_of(plain));
	free(plain);
	r->measure = known ? text_of(known->name) : name;
	r->unit = known ? text_of(known->unit) : TEXT("");
	for (size_t i = 0; i < COUNT(measures); i++)
		if (text_is(name, measures[i].measure)) {
			r->measure = text_of(measures[i].metric);
			r->unit = text_of(measures[i].unit);
		}
}

/* Adds a statistic of a measure, such as "lower_value" or "p50". */
static int on_statistic(
    void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct reading *r = ctx;
	double x = from_number(v, 0);
	struct text metric = r->measure;

	if (!isfinite(x))
		return 0;
	if (text_ends(name, "_value"))
		name.len -= 6;
	if (!text_is(name, "value"))
		metric = text_of(arena_format(&r->out->texts, "%.*s_%.*s", (int)metric.len,
		    metric.ptr, (int)name.len, name.ptr));
	return row_builder_put(r->out, metric, r->unit, x, f);
}

static int on_measure(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct reading *r = ctx;
	double x;

	if (!doc_number(doc_member(v, "value"), &x))
		return fault_set(f, "%s: a measure %.*s has no value", r->source->name,
		    name.len > 60 ? 60 : (int)name.len, name.ptr);
	find_measure(r, name);
	return doc_each(v, on_statistic, r, f);
}

/* Adds the rows of an object of measures, or a note if it has none. */
static int put_measures(
    struct reading *r, struct text name, const struct json_t *measures, struct fault *f)
{
	if (!first_member(measures))
		row_builder_note(r->out, "%s: the benchmark %.*s has no measures",
		    r->source->name, name.len > 60 ? 60 : (int)name.len, name.ptr);
	return doc_each(measures, on_measure, r, f);
}

static int on_bench(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct reading *r = ctx;
	size_t count = doc_is_array(v) ? doc_length(v) : 1;

	for (size_t i = 0; i < count; i++) {
		const struct json_t *item = doc_is_array(v) ? doc_item(v, i) : NULL;

		row_builder_clear(r->out);
		row_builder_set(r->out, COL_BENCH, name);
		from_factors(r->out, doc_member(item, "parameters"));
		if (put_measures(
		        r, name, doc_is_array(v) ? doc_member(item, "measures") : v, f) < 0)
			return -1;
	}
	return 0;
}

static int put_bencher(struct reading *r, const struct json_t *doc, struct fault *f)
{
	return doc_each(doc, on_bench, r, f);
}

/* Splits "x alloc_bytes", as to_tracker.c writes it, if the last word is a metric of this
 * unit. */
static const struct metric *split_metric(
    const struct reading *r, struct text *name, struct text unit)
{
	const char *space = name->len ? memrchr(name->ptr, ' ', name->len) : NULL;
	const struct metric *known = NULL;
	char *word;

	if (!space)
		return NULL;
	word = mem_text(space + 1, (size_t)(name->ptr + name->len - space - 1));
	known = metrics_find(r->metrics, text_of(word));
	free(word);
	if (known && text_is(unit, known->unit))
		name->len = (size_t)(space - name->ptr);
	else
		known = NULL;
	return known;
}

/* Adds the value of one benchmark. */
static int put_entry(struct reading *r, const struct json_t *v, struct fault *f)
{
	static const struct {
		const char *unit, *metric, *ours;
		int exponent;
	} units[] = {
		{ "ns/iter", "wall", "ns", 0 },
		{ "us/iter", "wall", "ns", 3 },
		{ "\u00b5s/iter", "wall", "ns", 3 },
		{ "\u03bcs/iter", "wall", "ns", 3 },
		{ "ms/iter", "wall", "ns", 6 },
		{ "s/iter", "wall", "ns", 9 },
		{ "ns/op", "wall", "ns", 0 },
		{ "us/op", "wall", "ns", 3 },
		{ "\u00b5s/op", "wall", "ns", 3 },
		{ "\u03bcs/op", "wall", "ns", 3 },
		{ "ms/op", "wall", "ns", 6 },
		{ "s/op", "wall", "ns", 9 },
		{ "ns", "wall", "ns", 0 },
		{ "us", "wall", "ns", 3 },
		{ "\u00b5s", "wall", "ns", 3 },
		{ "\u03bcs", "wall", "ns", 3 },
		{ "ms", "wall", "ns", 6 },
		{ "s", "wall", "ns", 9 },
		{ "sec", "wall", "ns", 9 },
		{ "ops/sec", "throughput", "1/s", 0 },
		{ "req/s", "throughput", "1/s", 0 },
		{ "ops/s", "throughput", "1/s", 0 },
		{ "iter/sec", "throughput", "1/s", 0 },
	};
	struct text name = from_text(v, "name"), unit = from_text(v, "unit"), text;
	double x = from_number(doc_member(v, "value"), 0);
	const struct metric *known = split_metric(r, &name, unit);

	if (doc_text(doc_member(v, "value"), &text) && !number_parse(text, &x))
		x = NAN;
	if (!name.len)
		return fault_set(f, "%s: a benchmark has no name", r->source->name);
	if (!isfinite(x))
		return fault_set(f, "%s: the value of the benchmark %.*s is not a number",
		    r->source->name, name.len > 60 ? 60 : (int)name.len, name.ptr);
	row_builder_set(r->out, COL_BENCH, name);
	if (known)
		return row_builder_put(r->out, text_of(known->name), unit, x, f);
	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].unit))
			return row_builder_put(r->out, text_of(units[i].metric),
			    text_of(units[i].ours),
			    units[i].exponent ? decimal_shift(x, units[i].exponent) : x, f);
	return row_builder_put(r->out, TEXT("value"), unit, x, f);
}

static int put_entries(struct reading *r, const struct json_t *v, struct fault *f)
{
	for (size_t i = 0; i < doc_length(v); i++)
		if (put_entry(r, doc_item(v, i), f) < 0)
			return -1;
	return 0;
}

static int put_array(struct reading *r, const struct json_t *doc, struct fault *f)
{
	row_builder_clear(r->out);
	return put_entries(r, doc, f);
}

/* Adds the runs of a suite of data.js. */
static int on_suite(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct reading *r = ctx;

	for (size_t i = 0; i < doc_length(v); i++) {
		const struct json_t *run = doc_item(v, i);

		if (doc_member(run, "date") && !doc_is_array(doc_member(run, "benches")))
			return fault_set(f,
			    "%s: a run of the suite %.*s has no array benches",
			    r->source->name, name.len > 60 ? 60 : (int)name.len, name.ptr);

		row_builder_clear(r->out);
		row_builder_factor(r->out, TEXT("suite"), name);
		row_builder_set(
		    r->out, COL_COMMIT, from_text(doc_member(run, "commit"), "id"));
		row_builder_set(
		    r->out, COL_TIME, from_time_ms(r->out, doc_member(run, "date")));
		if (put_entries(r, doc_member(run, "benches"), f) < 0)
			return -1;
	}
	return 0;
}

static int put_history(struct reading *r, const struct json_t *doc, struct fault *f)
{
	return doc_each(doc_member(doc, "entries"), on_suite, r, f);
}

/* Reads a document with the table of metrics. */
static int read_document(const struct source *s, const struct json_t *doc,
    int (*put)(struct reading *, const struct json_t *, struct fault *),
    struct row_builder *out, struct fault *f)
{
	struct reading r = { .source = s, .out = out, .metrics = metrics_open(f) };
	int status = r.metrics ? put(&r, doc, f) : -1;

	if (r.metrics)
		metrics_free(r.metrics);
	return status;
}

static int bencher_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	return read_document(s, s->doc, put_bencher, out, f);
}

static bool github_recognize(const struct source *s)
{
	const struct json_t *first = doc_item(s->doc, 0);

	return doc_is_array(s->doc) && doc_member(first, "name") &&
	       doc_member(first, "unit") && doc_member(first, "value");
}

static int github_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	return read_document(s, s->doc, put_array, out, f);
}

static bool history_recognize(const struct source *s)
{
	return !s->doc && text_begins(s->text, "window.BENCHMARK_DATA");
}

static int history_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text;
	struct json_t *doc;
	int status;

	text_until(&rest, '=');
	while (rest.len && strchr("; \t\r\n", rest.ptr[rest.len - 1]))
		rest.len--;
	doc = doc_read(rest, s->name, f);
	if (!doc)
		return -1;
	status = read_document(s, doc, put_history, out, f);
	doc_free(doc);
	return status;
}

static bool history_json_recognize(const struct source *s)
{
	return doc_member(s->doc, "lastUpdate") && doc_member(s->doc, "entries");
}

static int history_json_read(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	return read_document(s, s->doc, put_history, out, f);
}

const struct format format_bencher = { .name = "bencher",
	.meaning = "Bencher Metric Format",
	.is_json = true,
	.recognize = bencher_recognize,
	.read = bencher_read,
	.write = write_bencher };
const struct format format_github_smaller = { .name = "github-smaller",
	.meaning = "github-action-benchmark, customSmallerIsBetter",
	.is_json = true,
	.recognize = github_recognize,
	.read = github_read,
	.write = write_github_smaller };
const struct format format_github_bigger = { .name = "github-bigger",
	.meaning = "github-action-benchmark, customBiggerIsBetter",
	.is_json = true,
	.read = github_read,
	.write = write_github_bigger };
const struct format format_github_history = { .name = "github-history",
	.meaning = "github-action-benchmark, data.js",
	.recognize = history_recognize,
	.read = history_read };
const struct format format_github_history_json = { .name = "github-history-json",
	.meaning = "github-action-benchmark, file of external-data-json-path",
	.is_json = true,
	.recognize = history_json_recognize,
	.read = history_json_read };
