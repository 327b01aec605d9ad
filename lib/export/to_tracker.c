/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the files of services that track benchmarks: github-action-benchmark, whose files
 * have either values that are better smaller or values that are better bigger, and the
 * Bencher Metric Format.
 */
#include <math.h>

#include "convert/to.h"

static void put_name(const struct subject_values *t, size_t group, struct buf *out)
{
	struct text metric = subject_values_metric(t, group);
	struct buf name = { 0 };

	subject_values_name(t, group, "=", &name);
	if (!text_is(metric, "wall")) {
		buf_str(&name, " ");
		buf_text(&name, metric);
	}
	doc_put_text(out, text_in(&name));
	buf_free(&name);
}

static int write_github(
    const struct subject_values *t, enum better better, struct buf *out, struct fault *f)
{
	size_t n = 0;

	buf_str(out, "[");
	for (size_t i = 0; i < t->count; i++) {
		struct text unit = subject_values_unit(t, i);
		struct summary s;

		if (metrics_better(t->metrics, subject_values_metric(t, i), unit) != better)
			continue;
		subject_values_summary(&t->of[i], &s);
		buf_str(out, n++ ? ",\n  {\"name\": " : "\n  {\"name\": ");
		put_name(t, i, out);
		buf_str(out, ", \"unit\": ");
		doc_put_text(out, unit);
		buf_str(out, ", \"value\": ");
		doc_put_number(out, s.median);
		if (isfinite(s.sd)) {
			buf_str(out, ", \"range\": \"\xc2\xb1 ");
			doc_put_number(out, s.sd);
			buf_str(out, "\"");
		}
		buf_printf(out, ", \"extra\": \"median of %zu\"}", t->of[i].count);
	}
	buf_str(out, "\n]\n");
	return n ? 0
	         : fault_set(f, "no metric is better if it is %s",
	               better == BETTER_LOWER ? "smaller" : "bigger");
}

int write_github_smaller(const struct subject_values *t, struct buf *out, struct fault *f)
{
	return write_github(t, BETTER_LOWER, out, f);
}

int write_github_bigger(const struct subject_values *t, struct buf *out, struct fault *f)
{
	return write_github(t, BETTER_HIGHER, out, f);
}

/* Appends the name of a measure: lowercase letters, digits and hyphens. Bencher calls wall
 * latency.
 */
static void put_measure(struct text metric, struct buf *out)
{
	if (text_is(metric, "wall"))
		metric = TEXT("latency");
	buf_byte(out, '"');
	for (size_t i = 0; i < metric.len; i++) {
		char c = metric.ptr[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		buf_byte(out, (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-');
	}
	buf_str(out, "\": ");
}

static void put_bound(struct buf *out, const char *name, double x)
{
	if (!isfinite(x))
		return;
	buf_printf(out, ", \"%s\": ", name);
	doc_put_number(out, x);
}

/* Appends the name of a subject. Members of an object must differ, so a name that another
 * subject has gets a number. */
static void put_unique_name(
    const struct subject_values *t, size_t subject, struct intern *names, struct buf *out)
{
	struct buf name = { 0 };

	subject_values_name(t, subject_values_first(t, subject), "=", &name);
	for (size_t same = 1, len = name.len; intern_find(names, text_in(&name)) >= 0;) {
		name.len = len;
		buf_printf(&name, " (%zu)", ++same);
	}
	intern_add(names, text_in(&name));
	doc_put_text(out, text_in(&name));
	buf_free(&name);
}

/* Appends the measures of a subject. Of equal measures the first counts. */
static void put_measures(const struct subject_values *t, size_t subject, struct buf *out)
{
	struct intern measures = { 0 };

	for (size_t i = t->by_subject.first[subject]; i != SUBJECT_END;
	    i = t->by_subject.next[i]) {
		struct buf measure = { 0 };
		struct summary s;
		size_t before = measures.count;

		put_measure(subject_values_metric(t, i), &measure);
		intern_add(&measures, text_in(&measure));
		if (measures.count > before) {
			subject_values_summary(&t->of[i], &s);
			buf_str(out, before ? ",\n    " : "\n    ");
			buf_text(out, text_in(&measure));
			buf_str(out, "{\"value\": ");
			doc_put_number(out, s.median);
			put_bound(out, "lower_value", s.ci_lo);
			put_bound(out, "upper_value", s.ci_hi);
			buf_str(out, "}");
		}
		buf_free(&measure);
	}
	intern_free(&measures);
}

int write_bencher(const struct subject_values *t, struct buf *out, struct fault *f)
{
	struct intern names = { 0 };

	(void)f;
	buf_str(out, "{");
	for (size_t subject = 0; subject < t->by_subject.count; subject++) {
		buf_str(out, subject ? ",\n  " : "\n  ");
		put_unique_name(t, subject, &names, out);
		buf_str(out, ": {");
		put_measures(t, subject, out);
		buf_str(out, "\n  }");
	}
	buf_str(out, "\n}\n");
	intern_free(&names);
	return 0;
}
