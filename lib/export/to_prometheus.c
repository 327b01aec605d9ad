/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes text for the textfile collector of Prometheus' node_exporter: a family of gauges
 * for each metric and statistic, in the base units of Prometheus, so that a sum or an
 * average over a family has a meaning. The numbers of samples and of failed samples, and
 * the time of the last sample, let alerts detect values that are missing or old.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "convert/to.h"
#include "record/row_builder.h"
#include "text/display_text.h"

/* Appends a string as part of a name, which has only [a-z0-9_]. */
static void put_name(struct buf *b, struct text t)
{
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];

		buf_byte(b, c < 0x80 && isalnum(c) ? (char)tolower(c) : '_');
	}
}

/* Appends a string with the escapes of Prometheus; quotes are escaped only in labels. */
static void put_escaped(struct buf *b, struct text t, bool is_label)
{
	while (t.len) {
		const char *end = memchr(t.ptr, '\n', t.len);
		size_t len = end ? (size_t)(end - t.ptr) : t.len;
		struct buf clean = { 0 };

		display_text_clean(&clean, (struct text){ t.ptr, len });
		for (size_t i = 0; i < clean.len; i++) {
			if (clean.ptr[i] == '\\' || (clean.ptr[i] == '"' && is_label))
				buf_byte(b, '\\');
			buf_byte(b, clean.ptr[i]);
		}
		buf_free(&clean);
		buf_str(b, end ? "\\n" : "");
		len += end != NULL;
		t = text_after(t, len);
	}
}

static const struct unit {
	const char *unit, *suffix;
	int exponent;
} units[] = {
	{ "ns", "_seconds", -9 },
	{ "us", "_seconds", -6 },
	{ "ms", "_seconds", -3 },
	{ "s", "_seconds", 0 },
	{ "B", "_bytes", 0 },
	{ "kB", "_bytes", 3 },
	{ "MB", "_bytes", 6 },
	{ "GB", "_bytes", 9 },
	{ "J", "_joules", 0 },
	{ "W", "_watts", 0 },
	{ "g", "_grams", 0 },
	{ "Hz", "_hertz", 0 },
	{ "MHz", "_hertz", 6 },
	{ "GHz", "_hertz", 9 },
	{ "1", "", 0 },
	{ "", "", 0 },
	{ "1/s", "_per_second", 0 },
	{ "B/s", "_bytes_per_second", 0 },
	{ "MB/s", "_bytes_per_second", 6 },
	{ "GB/s", "_bytes_per_second", 9 },
	{ "flop/s", "_flops_per_second", 0 },
	{ "%", "_ratio", -2 },
};

/* The metric and the unit of a group. */
struct family {
	struct buf name, suffix; /* of its gauges, before and after the statistic */
	int exponent;            /* of the power of ten by which values are scaled */
};

struct writer {
	const struct subject_values *t;
	struct buf *out;
	struct intern keys;      /* metrics and units of the families */
	struct intern names;     /* of gauges */
	struct family *family;   /* by key */
	size_t *of;              /* the family of each group */
	struct summary *summary; /* of each group */
	struct buf *labels;      /* of each group */
};

static void family_init(struct family *f, struct text metric, struct text unit)
{
	*f = (struct family){ .exponent = 0 };
	buf_str(&f->name, "bench_");
	put_name(&f->name, metric);
	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].unit)) {
			size_t len = strlen(units[i].suffix);

			f->exponent = units[i].exponent;
			buf_str(&f->suffix, units[i].suffix);
			/* alloc_bytes in bytes */
			if (len && text_ends(text_in(&f->name),
			               units[i].suffix))
				f->name.len -= len;
			return;
		}
	buf_byte(&f->suffix, '_');
	if (text_ends(unit, "/s")) {
		put_name(&f->suffix, (struct text){ unit.ptr, unit.len - 2 });
		buf_str(&f->suffix, "_per_second");
	} else
		put_name(&f->suffix, unit);
}

/* Appends the labels of a group, which differ from each other. */
static void put_labels(const struct subject_values *t, size_t group, struct buf *b)
{
	const struct schema *schema = groups_schema(t->groups);
	struct intern taken = { 0 };

	for (size_t i = 0; i < schema->count; i++) {
		struct text value = groups_cell(t->groups, group, i);
		struct buf name = { 0 };

		if (i == COL_METRIC || i == COL_UNIT || !value.len)
			continue;
		if (isdigit((unsigned char)schema->name[i][0]) ||
		    schema->name[i][0] == '_' || !isascii(schema->name[i][0]))
			buf_str(&name, "x");
		put_name(&name, text_of(schema->name[i]));
		while (intern_find(&taken, text_in(&name)) >= 0)
			buf_byte(&name, '_');
		intern_add(&taken, text_in(&name));
		buf_printf(b, "%s%s=\"", b->len ? "," : "", name.ptr);
		put_escaped(b, value, true);
		buf_byte(b, '"');
		buf_free(&name);
	}
	intern_free(&taken);
}

/* The gauges of a family. */
enum gauge_kind { PART_STATISTIC, PART_SAMPLES, PART_FAILED };
static const struct gauge_part {
	const char *name, *meaning;
	enum gauge_kind kind;
} parts[] = {
	{ "median", "median", PART_STATISTIC },
	{ "mean", "mean", PART_STATISTIC },
	{ "sd", "standard deviation", PART_STATISTIC },
	{ "min", "minimum", PART_STATISTIC },
	{ "max", "maximum", PART_STATISTIC },
	{ "ci_lo", "lower end of the confidence interval of the median", PART_STATISTIC },
	{ "ci_hi", "upper end of the confidence interval of the median", PART_STATISTIC },
	{ "samples", "number of samples", PART_SAMPLES },
	{ "failed_samples", "number of samples that failed", PART_FAILED },
};

/* Returns the value of a gauge, or NAN if the group has none. */
static double part_value(
    const struct writer *w, const struct gauge_part *part, size_t group)
{
	const struct metric_values *v = &w->t->of[group];
	int exponent = w->family[w->of[group]].exponent;
	double x;

	if (part->kind == PART_SAMPLES)
		return (double)v->count;
	if (part->kind == PART_FAILED)
		return (double)v->failed;
	if (!v->count)
		return NAN;
	x = statistic_get(statistic_find(text_of(part->name)), &w->summary[group]);
	return exponent ? decimal_shift(x, exponent) : x;
}

/* Begins a family of gauges, and returns its name, which no other one has. */
static struct text begin_gauges(struct writer *w, const struct family *f,
    const struct gauge_part *part, const char *meaning)
{
	struct buf name = { 0 };
	size_t at = w->names.count;

	for (size_t same = 1; w->names.count == at; same++) {
		name.len = 0;
		buf_text(&name, text_in(&f->name));
		if (same > 1)
			buf_printf(&name, "_%zu", same);
		buf_printf(&name, "_%s", part->name);
		if (part->kind == PART_STATISTIC)
			buf_put(&name, f->suffix.len ? f->suffix.ptr : "", f->suffix.len);
		intern_add(&w->names, text_in(&name));
	}
	buf_printf(w->out, "# HELP %s ", name.ptr);
	put_escaped(w->out, text_of(meaning), false);
	buf_printf(w->out, ": %s\n# TYPE %s gauge\n", part->meaning, name.ptr);
	buf_free(&name);
	return intern_text(&w->names, at);
}

static void put_gauge(struct writer *w, struct text name, size_t group, double value)
{
	struct buf *labels = &w->labels[group];

	buf_text(w->out, name);
	if (labels->len)
		buf_printf(w->out, "{%s}", labels->ptr);
	buf_byte(w->out, ' ');
	doc_put_number(w->out, value);
	buf_byte(w->out, '\n');
}

static void put_part(struct writer *w, size_t family, const struct gauge_part *part)
{
	struct intern series = { 0 };
	struct text name = TEXT("");

	for (size_t i = 0; i < w->t->count; i++) {
		double value = w->of[i] == family ? part_value(w, part, i) : NAN;
		size_t before = series.count;
		const struct metric *known;
		char *metric;

		if (!isfinite(value))
			continue;
		/* Labels of different strings can be equal after the escapes. */
		intern_add(&series, text_in(&w->labels[i]));
		if (series.count == before)
			continue;
		metric = str_format("%.*s", (int)subject_values_metric(w->t, i).len,
		    subject_values_metric(w->t, i).ptr);
		known = metrics_find(w->t->metrics, text_of(metric));
		if (!name.len)
			name = begin_gauges(
			    w, &w->family[family], part, known ? known->meaning : metric);
		put_gauge(w, name, i, value);
		free(metric);
	}
	intern_free(&series);
}

/* Appends the time of the last sample of each subject. */
static void put_times(struct writer *w)
{
	static const char name[] = "bench_last_sample_timestamp_seconds";
	struct intern series = { 0 };

	for (size_t subject = 0; subject < w->t->by_subject.count; subject++) {
		size_t first = subject_values_first(w->t, subject), before = series.count;
		int64_t latest = INT64_MIN;

		for (size_t i = first; i != SUBJECT_END; i = w->t->by_subject.next[i])
			if (w->t->of[i].latest_ns > latest)
				latest = w->t->of[i].latest_ns;
		if (latest == INT64_MIN)
			continue;
		intern_add(
		    &series, text_in(&w->labels[first]));
		if (series.count == before)
			continue;
		if (!before)
			buf_printf(w->out,
			    "# HELP %s time of the last sample, even if it failed\n"
			    "# TYPE %s gauge\n",
			    name, name);
		/* Doubles hold milliseconds exactly. */
		put_gauge(
		    w, text_of(name), first, decimal_shift((double)(latest / 1000000), -3));
	}
	intern_free(&series);
}

static void learn_group(struct writer *w, size_t group)
{
	struct text metric = subject_values_metric(w->t, group),
	            unit = subject_values_unit(w->t, group);
	char *key = str_format("%zu:%.*s%.*s", metric.len, (int)metric.len, metric.ptr,
	    (int)unit.len, unit.ptr);
	size_t before = w->keys.count;

	w->of[group] = intern_add(&w->keys, text_of(key));
	if (w->keys.count > before)
		family_init(&w->family[w->of[group]], metric, unit);
	if (w->t->of[group].count)
		subject_values_summary(&w->t->of[group], &w->summary[group]);
	put_labels(w->t, group, &w->labels[group]);
	free(key);
}

static int prometheus_write(
    const struct subject_values *t, struct buf *out, struct fault *f)
{
	struct writer w = { .t = t,
		.out = out,
		.family = mem_zero(t->count, sizeof(struct family)),
		.of = mem_zero(t->count, sizeof(size_t)),
		.summary = mem_zero(t->count, sizeof(struct summary)),
		.labels = mem_zero(t->count, sizeof(struct buf)) };

	(void)f;
	intern_add(&w.names, TEXT("bench_last_sample_timestamp_seconds"));
	for (size_t i = 0; i < t->count; i++)
		learn_group(&w, i);
	for (size_t k = 0; k < w.keys.count; k++)
		for (size_t i = 0; i < COUNT(parts); i++)
			put_part(&w, k, &parts[i]);
	put_times(&w);
	for (size_t i = 0; i < t->count; i++)
		buf_free(&w.labels[i]);
	for (size_t k = 0; k < w.keys.count; k++) {
		buf_free(&w.family[k].name);
		buf_free(&w.family[k].suffix);
	}
	free(w.family);
	free(w.of);
	free(w.summary);
	free(w.labels);
	intern_free(&w.keys);
	intern_free(&w.names);
	return 0;
}

const struct format format_prometheus = { .name = "prometheus",
	.meaning = "Prometheus, for node_exporter's textfile collector",
	.counts_failures = true,
	.write = prometheus_write };
