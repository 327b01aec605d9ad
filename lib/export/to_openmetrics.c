/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes OpenMetrics text, version 1.0: a family for each metric, whose type is summary, or
 * gauge if it has a value below 0, which no summary can have. A subject is a set of labels.
 * The rows that failed are counted by a family of their own.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "convert/to.h"
#include "record/row_builder.h"
#include "stats/stats.h"
#include "text/display_text.h"
#include "text/units.h"

#define FAILED "bench_failed_rows"

struct exposition {
	const struct subject_samples *samples;
	char **label; /* by column */
	struct buf *out;
	bool some; /* a family was written */
};

/* The groups by family. Those of a family have the same metric and unit. */
struct families {
	size_t *group; /* those of each family in their order, one family after the other */
	size_t *end;   /* by family: where its groups end in the array */
	size_t count;
};

/* Appends a string as part of a name, which has only [a-zA-Z0-9_]. */
static void put_word(struct buf *b, struct text t)
{
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];

		buf_byte(b, c < 0x80 && isalnum(c) ? (char)c : '_');
	}
}

static void put_escaped(struct buf *b, struct text t)
{
	struct buf clean = { 0 };

	for (size_t i = 0; i < t.len; i++) {
		size_t line = i;

		while (i < t.len && t.ptr[i] != '\n')
			i++;
		display_text_clean(&clean, (struct text){ t.ptr + line, i - line });
		buf_str(&clean, i < t.len ? "\n" : "");
	}
	for (size_t i = 0; i < clean.len; i++)
		if (clean.ptr[i] == '\n') {
			buf_str(b, "\\n");
		} else {
			if (clean.ptr[i] == '\\' || clean.ptr[i] == '"')
				buf_byte(b, '\\');
			buf_byte(b, clean.ptr[i]);
		}
	buf_free(&clean);
}

/* Makes a name for each column that can be a label; all differ. */
static char **labels_open(const struct schema *schema)
{
	char **label = mem_zero(schema->count, sizeof(*label));
	struct intern taken = { 0 };

	intern_add(&taken, TEXT("quantile"));
	intern_add(&taken, TEXT("metric"));
	intern_add(&taken, TEXT("status"));
	for (size_t i = 0; i < schema->count; i++) {
		struct text name = text_of(schema->name[i]);
		struct buf b = { 0 };

		if (!name.len || !isalpha((unsigned char)name.ptr[0]) ||
		    !isascii(name.ptr[0]))
			buf_str(&b, "x");
		put_word(&b, name);
		while (intern_find(&taken, text_in(&b)) >= 0)
			buf_byte(&b, '_');
		intern_add(&taken, text_in(&b));
		label[i] = mem_text(b.ptr, b.len);
		buf_free(&b);
	}
	intern_free(&taken);
	return label;
}

static void labels_close(char **label, const struct schema *schema)
{
	for (size_t i = 0; i < schema->count; i++)
		free(label[i]);
	free(label);
}

static void put_label(struct buf *out, const char *name, struct text value)
{
	if (out->len)
		buf_byte(out, ',');
	buf_printf(out, "%s=\"", name);
	put_escaped(out, value);
	buf_byte(out, '"');
}

/* Appends the labels of a group. */
static void put_labels(const struct exposition *e, size_t group, struct buf *out)
{
	const struct groups *groups = e->samples->groups;
	const struct schema *schema = groups_schema(groups);

	for (size_t i = 0; i < schema->count; i++) {
		struct text value = groups_cell(groups, group, i);

		if (i != COL_METRIC && i != COL_UNIT && value.len)
			put_label(out, e->label[i], value);
	}
}

/* Appends a sample; time_ns may be ROW_NONE. */
static void put_sample(
    struct buf *out, const char *name, const struct buf *labels, double x, int64_t time_ns)
{
	buf_printf(out, "%s{%s} ", name, labels->len ? labels->ptr : "");
	doc_put_number(out, x);
	if (time_ns != ROW_NONE) {
		bool below = time_ns % 1000000000 < 0;
		long long s = time_ns / 1000000000 - below,
		          ns = time_ns % 1000000000 + (below ? 1000000000 : 0);

		buf_printf(out, " %lld.%09lld", s, ns);
	}
	buf_byte(out, '\n');
}

static const struct unit {
	const char *ours, *unit; /* unit "": none */
	int exponent;
} units[] = {
	{ "ns", "seconds", -9 },
	{ "s", "seconds", 0 },
	{ "B", "bytes", 0 },
	{ "J", "joules", 0 },
	{ "W", "watts", 0 },
	{ "Hz", "hertz", 0 },
	{ "1", "", 0 },
	{ "", "", 0 },
	{ "1/s", "per_second", 0 },
	{ "B/s", "bytes_per_second", 0 },
	{ "flop/s", "flops_per_second", 0 },
	{ "%", "percent", 0 },
};

/* Appends the unit of a group as part of a name. Returns the power of ten by which its
 * values are scaled. */
static int put_unit(const struct subject_samples *t, size_t group, struct buf *out)
{
	struct text unit = subject_samples_cell(t, group, COL_UNIT);

	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].ours)) {
			buf_str(out, units[i].unit);
			return units[i].exponent;
		}
	put_word(out, unit);
	return 0;
}

/* Returns whether a family may have a name: no name of a sample of another family must be a
 * name of its samples. Adds them if so. */
static bool take_name(struct intern *names, const struct buf *name)
{
	static const char *const suffixes[] = { "", "_sum", "_count", "_created" };
	struct buf full = { 0 };
	bool free = true;

	for (int adds = 0; free && adds < 2; adds++)
		for (size_t i = 0; i < COUNT(suffixes); i++) {
			full.len = 0;
			buf_put(&full, name->ptr, name->len);
			buf_str(&full, suffixes[i]);
			if (adds)
				intern_add(names, text_in(&full));
			else if (intern_find(names, text_in(&full)) >=
			         0)
				free = false;
		}
	buf_free(&full);
	return free;
}

/* Appends the name of a group's family, which ends in its unit. */
static void put_family(const struct subject_samples *t, size_t group,
    const struct buf *unit, struct intern *names, struct buf *name)
{
	size_t underscores = 0;

	do {
		name->len = 0;
		buf_str(name, "bench_");
		put_word(name, subject_samples_cell(t, group, COL_METRIC));
		for (size_t i = 0; i < underscores; i++)
			buf_byte(name, '_');
		if (unit->len)
			buf_printf(name, "_%s", unit->ptr);
		underscores++;
	} while (!take_name(names, name));
}

/* Returns the latest time of the samples of a group that enter statistics. */
static int64_t time_of(const struct metric_samples *m)
{
	int64_t latest = ROW_NONE;

	for (size_t i = 0; i < m->count; i++)
		if (subject_sample_counts(&m->sample[i]) && m->sample[i].time_ns > latest)
			latest = m->sample[i].time_ns;
	return latest;
}

/* Appends the samples of a group: quantiles, and for a summary their sum and number. */
static void put_group(const struct exposition *e, size_t group, const struct buf *name,
    int exponent, bool summary)
{
	static const char *const quantiles[] = { "0", "0.25", "0.5", "0.75", "1" };
	int64_t time_ns = time_of(&e->samples->of[group]);
	struct buf labels = { 0 };
	double *x;
	size_t n = subject_samples_values(e->samples, group, &x);

	for (size_t i = 0; i < n; i++)
		x[i] = decimal_shift(x[i], exponent);
	stats_sort(x, n);
	put_labels(e, group, &labels);
	for (size_t i = 0; n && i < COUNT(quantiles); i++) {
		size_t len = labels.len;

		put_label(&labels, "quantile", text_of(quantiles[i]));
		put_sample(e->out, name->ptr, &labels,
		    stats_quantile(x, n, (double)i / (COUNT(quantiles) - 1)), time_ns);
		labels.len = len;
		labels.ptr[len] = '\0';
	}
	if (n && summary) {
		struct buf full = { 0 };

		buf_printf(&full, "%s_sum", name->ptr);
		put_sample(
		    e->out, full.ptr, &labels, stats_mean(x, n) * (double)n, time_ns);
		full.len = 0;
		buf_printf(&full, "%s_count", name->ptr);
		put_sample(e->out, full.ptr, &labels, (double)n, time_ns);
		buf_free(&full);
	}
	buf_free(&labels);
	free(x);
}

static void put_head(struct exposition *e, const char *name, bool summary,
    const struct buf *unit, struct text help)
{
	buf_printf(e->out, "# TYPE %s %s\n", name, summary ? "summary" : "gauge");
	if (unit->len)
		buf_printf(e->out, "# UNIT %s %s\n", name, unit->ptr);
	buf_printf(e->out, "# HELP %s ", name);
	put_escaped(e->out, help);
	buf_byte(e->out, '\n');
	e->some = true;
}

/* Returns the number of each group's family, in the order of their first groups. */
static size_t *number_families(const struct subject_samples *t, size_t *families)
{
	size_t *number = mem_zero(t->count, sizeof(*number));
	struct intern keys = { 0 };
	struct buf key = { 0 };

	for (size_t g = 0; g < t->count; g++) {
		struct text unit = subject_samples_cell(t, g, COL_UNIT);

		key.len = 0;
		buf_printf(&key, "%zu:", unit.len);
		buf_text(&key, unit);
		buf_text(&key, subject_samples_cell(t, g, COL_METRIC));
		number[g] = intern_add(&keys, text_in(&key));
	}
	*families = keys.count;
	intern_free(&keys);
	buf_free(&key);
	return number;
}

static void families_open(struct families *f, const struct subject_samples *t)
{
	size_t *number = number_families(t, &f->count);

	f->group = mem_zero(t->count, sizeof(*f->group));
	f->end = mem_zero(f->count + 1, sizeof(*f->end));
	for (size_t g = 0; g < t->count; g++)
		f->end[number[g] + 1]++;
	for (size_t i = 0; i < f->count; i++)
		f->end[i + 1] += f->end[i];
	/* end[i] is where family i begins until its groups are there. */
	for (size_t g = 0; g < t->count; g++)
		f->group[f->end[number[g]]++] = g;
	free(number);
}

static void families_close(struct families *f)
{
	free(f->group);
	free(f->end);
}

/* Returns whether any of the groups has values, and sets *negative if one is below 0. */
static bool any_values(
    const struct subject_samples *t, const size_t *group, size_t count, bool *negative)
{
	bool some = false;

	*negative = false;
	for (size_t i = 0; i < count; i++) {
		const struct metric_samples *m = &t->of[group[i]];

		for (size_t k = 0; k < m->count; k++)
			if (subject_sample_counts(&m->sample[k])) {
				some = true;
				*negative |= m->sample[k].value < 0;
			}
	}
	return some;
}

/* Appends a family: all groups of the same metric and unit. */
static void put_groups(
    struct exposition *e, const size_t *group, size_t count, struct intern *names)
{
	const struct subject_samples *t = e->samples;
	struct text metric = subject_samples_cell(t, *group, COL_METRIC);
	const struct metric *known = metrics_find(t->metrics, metric);
	struct buf unit = { 0 }, name = { 0 };
	bool negative;

	if (!any_values(t, group, count, &negative))
		return;
	int exponent = put_unit(t, *group, &unit);

	put_family(t, *group, &unit, names, &name);
	put_head(e, name.ptr, !negative, &unit, known ? text_of(known->meaning) : metric);
	for (size_t i = 0; i < count; i++) {
		put_group(e, group[i], &name, exponent, !negative);
		text_sink_take(t->sink, e->out);
	}
	buf_free(&unit);
	buf_free(&name);
}

/* Failed rows of one status. */
struct failures {
	size_t count;
	int64_t time_ns; /* of the last; ROW_NONE: unknown */
};

/* Counts the failed rows of a group by status. */
static void count_failures(const struct metric_samples *m, struct failures *by_status)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct subject_sample *s = &m->sample[i];
		struct failures *of = &by_status[s->status];

		if (s->ok)
			continue;
		if (!of->count++ || s->time_ns > of->time_ns)
			of->time_ns = s->time_ns;
	}
}

/* Appends the number of rows that failed, by metric and status. */
static void put_failures(struct exposition *e)
{
	const struct subject_samples *t = e->samples;
	struct failures *failed = mem_zero(t->statuses.count, sizeof(*failed));
	bool some = false;

	for (size_t g = 0; g < t->count; g++) {
		count_failures(&t->of[g], failed);
		for (size_t i = 0; i < t->statuses.count; i++) {
			struct buf labels = { 0 };

			if (!failed[i].count)
				continue;
			if (!some)
				put_head(e, FAILED, false, &(struct buf){ 0 },
				    TEXT("rows that failed or were not measured"));
			some = true;
			put_labels(e, g, &labels);
			put_label(
			    &labels, "metric", subject_samples_cell(t, g, COL_METRIC));
			put_label(&labels, "status", intern_text(&t->statuses, i));
			put_sample(e->out, FAILED, &labels, (double)failed[i].count,
			    failed[i].time_ns);
			failed[i].count = 0;
			buf_free(&labels);
			text_sink_take(t->sink, e->out);
		}
	}
	free(failed);
}

static int openmetrics_write(struct subject_samples *t, struct buf *out, struct fault *f)
{
	const struct schema *schema = groups_schema(t->groups);
	struct exposition e = { .samples = t, .label = labels_open(schema), .out = out };
	struct intern names = { 0 };
	struct families families;

	take_name(
	    &names, &(struct buf){ .ptr = (char[]){ FAILED }, .len = strlen(FAILED) });
	families_open(&families, t);
	for (size_t i = 0, first = 0; i < families.count; first = families.end[i++])
		put_groups(&e, families.group + first, families.end[i] - first, &names);
	put_failures(&e);
	buf_str(out, "# EOF\n");
	labels_close(e.label, schema);
	families_close(&families);
	intern_free(&names);
	return e.some ? 0
	              : fault_set(f, "no row outside a time series has a value or failed");
}

const struct format format_openmetrics = { .name = "openmetrics",
	.meaning = "OpenMetrics text, version 1.0",
	.write_samples = openmetrics_write,
	.has_failures = true };
