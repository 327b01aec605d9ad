/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the JSON of hyperfine --export-json: seconds, one result for each command.
 */
#include <math.h>

#include "convert/row_builder.h"
#include "convert/to.h"

static void put_member(struct buf *out, const char *name, double seconds)
{
	buf_printf(out, ",\n      \"%s\": ", name);
	doc_put_number(out, seconds);
}

static double mean_seconds(const struct metric_values *v)
{
	struct summary s;

	if (!v)
		return NAN;
	subject_values_summary(v, &s);
	return decimal_shift(s.mean, -9);
}

static void put_list(
    struct buf *out, const char *name, const double *value, size_t count, int exponent)
{
	buf_printf(out, ",\n      \"%s\": [", name);
	for (size_t i = 0; i < count; i++) {
		buf_str(out, i ? ", " : "");
		doc_put_number(out, decimal_shift(value[i], exponent));
	}
	buf_str(out, "]");
}

static void put_parameters(const struct subject_values *t, size_t group, struct buf *out)
{
	const struct schema *schema = groups_schema(t->groups);
	size_t n = 0;

	for (size_t i = COL_FACTORS; i < schema->count; i++) {
		struct text value = groups_cell(t->groups, group, i);

		if (!value.len)
			continue;
		buf_str(out, n++ ? ", " : ",\n      \"parameters\": {");
		doc_put_text(out, text_of(schema->name[i]));
		buf_str(out, ": ");
		doc_put_text(out, value);
	}
	if (n)
		buf_str(out, "}");
}

static void put_result(const struct subject_values *t, size_t group, struct buf *out)
{
	const struct metric_values *v = &t->of[group];
	const struct metric_values *memory =
	    subject_values_find(t, v->subject, "max_rss", "B");
	struct text bench = groups_cell(t->groups, group, COL_BENCH);
	struct summary s;

	subject_values_summary(v, &s);
	buf_str(out, "    {\n      \"command\": ");
	doc_put_text(out, bench.len ? bench : TEXT("unnamed"));
	put_member(out, "mean", decimal_shift(s.mean, -9));
	put_member(out, "stddev", decimal_shift(s.sd, -9));
	put_member(out, "median", decimal_shift(s.median, -9));
	put_member(
	    out, "user", mean_seconds(subject_values_find(t, v->subject, "user", "ns")));
	put_member(
	    out, "system", mean_seconds(subject_values_find(t, v->subject, "sys", "ns")));
	put_member(out, "min", decimal_shift(s.min, -9));
	put_member(out, "max", decimal_shift(s.max, -9));
	put_list(out, "times", v->value, v->count, -9);
	if (memory && memory->count == v->count)
		put_list(out, "memory_usage_byte", memory->value, memory->count, 0);
	buf_str(out, ",\n      \"exit_codes\": [");
	for (size_t i = 0; i < v->count; i++)
		buf_str(out, i ? ", 0" : "0");
	buf_str(out, "]");
	put_parameters(t, group, out);
	buf_str(out, "\n    }");
}

int write_hyperfine(const struct subject_values *t, struct buf *out, struct fault *f)
{
	size_t n = 0;

	buf_str(out, "{\n  \"results\": [\n");
	for (size_t i = 0; i < t->count; i++)
		if (text_is(subject_values_metric(t, i), "wall") &&
		    text_is(subject_values_unit(t, i), "ns")) {
			buf_str(out, n++ ? ",\n" : "");
			put_result(t, i, out);
		}
	buf_str(out, "\n  ]\n}\n");
	return n ? 0
	         : fault_set(f, "no metric wall in ns, which a file of hyperfine needs");
}
