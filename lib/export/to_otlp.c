/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes metrics of OpenTelemetry as JSON (OTLP 1.x, ExportMetricsServiceRequest): a
 * resource for each machine and commit, a gauge for each metric, and a data point for each
 * row, whose attributes are the columns of its subject. The point of a row without a value
 * has the flag that OpenTelemetry has for that.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/to.h"

enum { NO_RECORDED_VALUE = 1 };

/* The units of UCUM, which OpenTelemetry uses. All others are in braces, as annotations. */
static const struct {
	const char *ours, *ucum;
} units[] = {
	{ "ns", "ns" },
	{ "s", "s" },
	{ "B", "By" },
	{ "J", "J" },
	{ "W", "W" },
	{ "Hz", "Hz" },
	{ "g", "g" },
	{ "%", "%" },
	{ "1", "1" },
	{ "", "" },
	{ "1/s", "1/s" },
	{ "B/s", "By/s" },
	{ "flop/s", "{flop}/s" },
	{ "flop", "{flop}" },
};

static void put_unit(struct buf *out, struct text unit)
{
	struct buf braced = { 0 };

	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].ours)) {
			doc_put_text(out, text_of(units[i].ucum));
			return;
		}
	buf_byte(&braced, '{');
	buf_text(&braced, unit);
	buf_byte(&braced, '}');
	doc_put_text(out, text_in(&braced));
	buf_free(&braced);
}

static void put_attribute(struct buf *out, const char *name, struct text value, size_t *n)
{
	if (!value.len)
		return;
	buf_str(out, (*n)++ ? ", " : "");
	buf_str(out, "{\"key\": ");
	doc_put_text(out, text_of(name));
	buf_str(out, ", \"value\": {\"stringValue\": ");
	doc_put_text(out, value);
	buf_str(out, "}}");
}

/* Numbers of 64 bits are strings in the JSON of protocol buffers. */
static void put_count(struct buf *out, const char *name, int64_t value, size_t *n)
{
	if (value != ROW_NONE)
		buf_printf(out, "%s{\"key\": \"%s\", \"value\": {\"intValue\": \"%lld\"}}",
		    (*n)++ ? ", " : "", name, (long long)value);
}

/* Appends the attributes of a group: its subject. Returns their number. */
static size_t put_subject(const struct subject_samples *t, size_t group, struct buf *out)
{
	const struct schema *schema = groups_schema(t->groups);
	size_t n = 0;

	for (size_t i = COL_KIND; i < schema->count; i++)
		if (i != COL_METRIC && i != COL_UNIT)
			put_attribute(
			    out, schema->name[i], groups_cell(t->groups, group, i), &n);
	return n;
}

/* Appends the data point of a row; subject has n attributes. */
static void put_point(const struct subject_samples *t, const struct subject_sample *s,
    const struct buf *subject, size_t n, struct buf *out)
{
	struct text run = intern_text(&t->runs, s->run),
	            status = intern_text(&t->statuses, s->status);
	int64_t time_ns = s->time_ns == ROW_NONE ? 0 : s->time_ns;

	if (s->t != ROW_NONE && __builtin_add_overflow(time_ns, s->t, &time_ns))
		time_ns = 0;
	buf_str(out, "{\"attributes\": [");
	buf_text(out, text_in(subject));
	put_attribute(out, "run", run, &n);
	put_count(out, "process", s->process, &n);
	put_count(out, "sample", s->sample, &n);
	put_count(out, "iterations", s->iterations, &n);
	if (!s->ok)
		put_attribute(out, "status", status, &n);
	buf_printf(
	    out, "], \"timeUnixNano\": \"%lld\", ", (long long)(time_ns > 0 ? time_ns : 0));
	if (s->ok && isfinite(s->value)) {
		buf_str(out, "\"asDouble\": ");
		doc_put_number(out, s->value);
	} else {
		buf_printf(out, "\"flags\": %d", NO_RECORDED_VALUE);
	}
	buf_str(out, "}");
}

/* Appends the data points of a group. */
static void put_points(const struct subject_samples *t, size_t group, struct buf *out)
{
	const struct metric_samples *m = &t->of[group];
	struct buf subject = { 0 };
	size_t n = put_subject(t, group, &subject);

	for (size_t i = 0; i < m->count; i++) {
		buf_str(out, i ? ",\n      " : "");
		put_point(t, &m->sample[i], &subject, n, out);
	}
	buf_free(&subject);
}

static void put_metric_head(const struct subject_samples *t, size_t group, struct buf *out)
{
	struct text metric = subject_samples_cell(t, group, COL_METRIC);
	const struct metric *known = metrics_find(t->metrics, metric);
	struct buf name = { 0 };

	buf_str(&name, "bench.");
	buf_text(&name, metric);
	buf_str(out, "    {\"name\": ");
	doc_put_text(out, text_in(&name));
	buf_str(out, ", \"description\": ");
	doc_put_text(out, known ? text_of(known->meaning) : TEXT(""));
	buf_str(out, ", \"unit\": ");
	put_unit(out, subject_samples_cell(t, group, COL_UNIT));
	buf_str(out, ", \"gauge\": {\"dataPoints\": [\n      ");
	buf_free(&name);
}

static void put_resource_head(
    const struct subject_samples *t, size_t group, struct buf *out)
{
	size_t n = 0;

	buf_str(out, "  {\"resource\": {\"attributes\": [");
	put_attribute(out, "service.name", TEXT("benchutils"), &n);
	put_attribute(out, "host.name", subject_samples_cell(t, group, COL_HOST), &n);
	put_attribute(out, "bench.env", subject_samples_cell(t, group, COL_ENV), &n);
	put_attribute(
	    out, "vcs.ref.head.revision", subject_samples_cell(t, group, COL_COMMIT), &n);
	buf_str(out, "]}, \"scopeMetrics\": [{\"scope\": {\"name\": \"bench-convert\"}, "
	             "\"metrics\": [\n");
}

/* A group with the numbers of its resource and its metric, for sorting. */
struct place {
	size_t resource, metric, group;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->resource != y->resource)
		return x->resource < y->resource ? -1 : 1;
	if (x->metric != y->metric)
		return x->metric < y->metric ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static int otlp_write(struct subject_samples *t, struct buf *out, struct fault *f)
{
	static const enum column resource[] = { COL_HOST, COL_ENV, COL_COMMIT };
	static const enum column metric[] = { COL_METRIC, COL_UNIT };
	struct place *place = mem_zero(t->count, sizeof(*place));
	struct intern resources = { 0 }, metrics = { 0 };

	(void)f;
	for (size_t g = 0; g < t->count; g++)
		place[g] = (struct place){ subject_samples_number(
			                       t, g, resource, COUNT(resource), &resources),
			subject_samples_number(t, g, metric, COUNT(metric), &metrics), g };
	qsort(place, t->count, sizeof(*place), compare_places);
	buf_str(out, "{\"resourceMetrics\": [\n");
	for (size_t i = 0; i < t->count; i++) {
		bool new_resource = !i || place[i].resource != place[i - 1].resource,
		     new_metric = new_resource || place[i].metric != place[i - 1].metric;

		if (i)
			buf_str(out, new_resource ? "]}}]}]},\n"
			             : new_metric ? "]}},\n"
			                          : ",\n      ");
		if (new_resource)
			put_resource_head(t, place[i].group, out);
		if (new_metric)
			put_metric_head(t, place[i].group, out);
		put_points(t, place[i].group, out);
	}
	buf_str(out, "]}}]}]}\n]}\n");
	free(place);
	intern_free(&resources);
	intern_free(&metrics);
	return 0;
}

const struct format format_otlp = { .name = "otlp",
	.meaning = "metrics of OpenTelemetry as JSON",
	.write_samples = otlp_write,
	.has_failures = true };
