/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes text for the textfile collector of Prometheus' node_exporter: a family of gauges
 * for each metric, in the base units of Prometheus, with the statistic as a label.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "convert/row_builder.h"
#include "convert/to.h"
#include "text/display_text.h"

/* Appends a text as part of a name, which has only [a-zA-Z0-9_]. */
static void put_name(struct buf *b, struct text t)
{
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];

		buf_byte(b, c < 0x80 && isalnum(c) ? (char)c : '_');
	}
}

static void put_escaped(struct buf *b, struct text t)
{
	struct buf clean = { 0 };

	for (size_t i = 0; i < t.len; i++)
		if (t.ptr[i] == '\n')
			buf_str(&clean, "\\n");
		else if (t.ptr[i] == '\\' || t.ptr[i] == '"') {
			buf_byte(&clean, '\\');
			buf_byte(&clean, t.ptr[i]);
		} else
			buf_byte(&clean, t.ptr[i]);
	display_text_clean(b, (struct text){ clean.ptr, clean.len });
	buf_free(&clean);
}

static const struct unit {
	const char *unit, *suffix;
	int exponent;
} units[] = {
	{ "ns", "_seconds", -9 },
	{ "s", "_seconds", 0 },
	{ "B", "_bytes", 0 },
	{ "J", "_joules", 0 },
	{ "W", "_watts", 0 },
	{ "Hz", "_hertz", 0 },
	{ "1", "", 0 },
	{ "", "", 0 },
	{ "1/s", "_per_second", 0 },
	{ "B/s", "_bytes_per_second", 0 },
	{ "flop/s", "_flops_per_second", 0 },
	{ "%", "_percent", 0 },
};

/* Appends the name of a group's family. Returns the power of ten by which its values are
 * scaled. */
static int put_family(const struct subject_values *t, size_t group, struct buf *b)
{
	struct text unit = subject_values_unit(t, group);

	buf_str(b, "bench_");
	put_name(b, subject_values_metric(t, group));
	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].unit)) {
			buf_str(b, units[i].suffix);
			return units[i].exponent;
		}
	buf_byte(b, '_');
	put_name(b, unit);
	return 0;
}

/* Appends the labels of a group. Labels must differ from each other and from "statistic".
 */
static void put_labels(const struct subject_values *t, size_t group, struct buf *b)
{
	const struct schema *schema = groups_schema(t->groups);
	struct intern taken = { 0 };

	intern_add(&taken, TEXT("statistic"));
	for (size_t i = 0; i < schema->count; i++) {
		struct text value = groups_cell(t->groups, group, i);
		struct buf name = { 0 };

		if (i == COL_METRIC || i == COL_UNIT || !value.len)
			continue;
		if (isdigit((unsigned char)schema->name[i][0]) ||
		    schema->name[i][0] == '_' || !isascii(schema->name[i][0]))
			buf_str(&name, "x");
		put_name(&name, text_of(schema->name[i]));
		while (intern_find(&taken, (struct text){ name.ptr, name.len }) >= 0)
			buf_byte(&name, '_');
		intern_add(&taken, (struct text){ name.ptr, name.len });
		buf_text(b, (struct text){ name.ptr, name.len });
		buf_str(b, "=\"");
		put_escaped(b, value);
		buf_str(b, "\",");
		buf_free(&name);
	}
	intern_free(&taken);
}

static void put_gauge(const struct subject_values *t, size_t group, struct text family,
    struct text labels, int exponent, struct buf *out)
{
	static const char *const shown[] = { "median", "mean", "sd", "min", "max", "ci_lo",
		"ci_hi", "n" };
	struct summary summary;

	subject_values_summary(&t->of[group], &summary);
	for (size_t i = 0; i < COUNT(shown); i++) {
		const struct statistic *s = statistic_find(text_of(shown[i]));
		double x = statistic_get(s, &summary);

		if (!isfinite(x))
			continue;
		if (exponent && s->kind != STATISTIC_COUNT)
			x = decimal_shift(x, exponent);
		buf_text(out, family);
		buf_byte(out, '{');
		buf_text(out, labels);
		buf_printf(out, "statistic=\"%s\"} ", shown[i]);
		doc_put_number(out, x);
		buf_byte(out, '\n');
	}
}

static void put_help(
    const struct subject_values *t, size_t group, struct text family, struct buf *out)
{
	const struct metric *known =
	    metrics_find(t->metrics, subject_values_metric(t, group));

	buf_str(out, "# HELP ");
	buf_text(out, family);
	buf_byte(out, ' ');
	put_escaped(out, known ? text_of(known->meaning) : subject_values_metric(t, group));
	buf_str(out, "\n# TYPE ");
	buf_text(out, family);
	buf_str(out, " gauge\n");
}

/* Appends all families. The lines of a family are adjacent, and no two have the same
 * labels. */
static int prometheus_write(
    const struct subject_values *t, struct buf *out, struct fault *f)
{
	struct intern families = { 0 }, series = { 0 };
	size_t *family = mem_zero(t->count, sizeof(*family));
	int *exponent = mem_zero(t->count, sizeof(*exponent));

	(void)f;
	for (size_t i = 0; i < t->count; i++) {
		struct buf name = { 0 };

		exponent[i] = put_family(t, i, &name);
		family[i] = intern_add(&families, (struct text){ name.ptr, name.len });
		buf_free(&name);
	}
	for (size_t k = 0; k < families.count; k++) {
		struct text name = intern_text(&families, k);
		bool helped = false;

		for (size_t i = 0; i < t->count; i++) {
			struct buf labels = { 0 };
			size_t before = series.count;
			char number[32];

			if (family[i] != k)
				continue;
			if (!helped)
				put_help(t, i, name, out);
			helped = true;
			put_labels(t, i, &labels);
			snprintf(number, sizeof(number), " %zu", k);
			buf_str(&labels, number);
			intern_add(&series, (struct text){ labels.ptr, labels.len });
			labels.len -= strlen(number);
			if (series.count > before)
				put_gauge(t, i, name,
				    (struct text){ labels.ptr, labels.len }, exponent[i],
				    out);
			buf_free(&labels);
		}
	}
	free(family);
	free(exponent);
	intern_free(&families);
	intern_free(&series);
	return 0;
}

const struct format format_prometheus = { .name = "prometheus",
	.meaning = "Prometheus, for node_exporter's textfile collector",
	.write = prometheus_write };
