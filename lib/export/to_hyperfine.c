/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the JSON of hyperfine --export-json: seconds, one result for each command. As in
 * hyperfine's own files, failed executions are among the times; the exit codes show
 * which they are.
 */
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "convert/from.h"
#include "convert/to.h"
#include "text/units.h"

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

static void put_times(struct buf *out, const struct metric_values *v)
{
	const char *between = "";

	buf_str(out, ",\n      \"times\": [");
	for (size_t i = 0; i < v->count; i++)
		if (isfinite(v->value[i])) {
			buf_str(out, between);
			doc_put_number(out, decimal_shift(v->value[i], -9));
			between = ", ";
		}
	buf_str(out, "]");
}

/* Appends the memory of each execution that has a time, if it is known of all of them. */
static void put_memory(
    struct buf *out, const struct metric_values *v, const struct metric_values *memory)
{
	struct value_pairs pairs = { .values = memory };
	struct buf list = { 0 };
	bool all = true;

	for (size_t i = 0; i < v->count; i++) {
		double bytes = value_pairs_next(&pairs, v, i);

		if (!isfinite(v->value[i]))
			continue;
		all &= isfinite(bytes);
		buf_str(&list, list.len ? ", " : "");
		doc_put_number(&list, bytes);
	}
	if (all && list.len) {
		buf_str(out, ",\n      \"memory_usage_byte\": [");
		buf_put(out, list.ptr, list.len);
		buf_str(out, "]");
	}
	buf_free(&list);
}

/* Appends the code of a status: that of the exit, or 128 more than the signal, as hyperfine
 * has it; null if there is none. */
static void put_exit_code(struct buf *out, struct text status)
{
	static const char exit[] = "failed:exit=", killed[] = "failed:signal=";
	int64_t code = status.len ? -1 : 0, number;

	if (text_begins(status, exit) &&
	    integer_parse(text_after(status, strlen(exit)), &number))
		code = number;
	if (text_begins(status, killed)) {
		struct text name = text_after(status, strlen(killed));

		for (int i = 1; i < NSIG; i++)
			if ((integer_parse(name, &number) && number == i) ||
			    (sigabbrev_np(i) && text_begins(name, "SIG") &&
			        text_is(text_after(name, 3), sigabbrev_np(i))))
				code = 128 + i;
	}
	if (code >= 0)
		buf_printf(out, "%lld", (long long)code);
	else
		buf_str(out, "null");
}

static void put_exit_codes(
    const struct subject_values *t, const struct metric_values *v, struct buf *out)
{
	const char *between = "";

	buf_str(out, ",\n      \"exit_codes\": [");
	for (size_t i = 0; i < v->count; i++)
		if (isfinite(v->value[i])) {
			buf_str(out, between);
			put_exit_code(out, subject_values_text(t, v->origin[i].status));
			between = ", ";
		}
	buf_str(out, "]");
}

static void put_parameters(const struct subject_values *t, size_t group, struct buf *out)
{
	struct buf factors = { 0 };

	put_factors(t->groups, group, false, &factors);
	if (factors.len)
		buf_printf(out, ",\n      \"parameters\": {%s}", factors.ptr);
	buf_free(&factors);
}

/* Appends the command of a subject, with its factors instead of {name}. */
static void put_command(const struct subject_values *t, size_t group, struct buf *out)
{
	enum { NAME_LIMIT = 256 };
	const struct schema *schema = groups_schema(t->groups);
	struct text rest = groups_cell(t->groups, group, COL_BENCH);
	struct buf command = { 0 };

	while (rest.len) {
		const char *end = *rest.ptr == '{'
		                      ? memchr(rest.ptr, '}',
		                            rest.len < NAME_LIMIT ? rest.len : NAME_LIMIT)
		                      : NULL;
		size_t taken = end ? (size_t)(end - rest.ptr) + 1 : 1;
		long id =
		    end ? schema_find(schema, (struct text){ rest.ptr + 1, taken - 2 })
		        : -1;

		if (id >= COL_FACTORS && groups_cell(t->groups, group, (size_t)id).len)
			buf_text(&command, groups_cell(t->groups, group, (size_t)id));
		else {
			taken = 1;
			buf_byte(&command, *rest.ptr);
		}
		rest = text_after(rest, taken);
	}
	doc_put_text(
	    out, command.len ? text_in(&command) : TEXT("unnamed"));
	buf_free(&command);
}

static void put_result(const struct subject_values *t, size_t group, struct buf *out)
{
	const struct metric_values *v = &t->of[group];
	struct summary s;

	subject_values_summary(v, &s);
	buf_str(out, "    {\n      \"command\": ");
	put_command(t, group, out);
	put_member(out, "mean", decimal_shift(s.mean, -9));
	put_member(out, "stddev", decimal_shift(s.sd, -9));
	put_member(out, "median", decimal_shift(s.median, -9));
	put_member(
	    out, "user", mean_seconds(subject_values_find(t, v->subject, "user", "ns")));
	put_member(
	    out, "system", mean_seconds(subject_values_find(t, v->subject, "sys", "ns")));
	put_member(out, "min", decimal_shift(s.min, -9));
	put_member(out, "max", decimal_shift(s.max, -9));
	put_times(out, v);
	put_memory(out, v, subject_values_find(t, v->subject, "max_rss", "B"));
	put_exit_codes(t, v, out);
	put_parameters(t, group, out);
	buf_str(out, "\n    }");
}

/* Returns the number of values that are not missing. */
static size_t count_times(const struct metric_values *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->count; i++)
		n += isfinite(v->value[i]) != 0;
	return n;
}

int write_hyperfine(const struct subject_values *t, struct buf *out, struct fault *f)
{
	size_t n = 0, omitted = 0;

	buf_str(out, "{\n  \"results\": [\n");
	for (size_t i = 0; i < t->count; i++)
		if (text_is(subject_values_metric(t, i), "wall") &&
		    text_is(subject_values_unit(t, i), "ns")) {
			size_t times = count_times(&t->of[i]);

			omitted += t->of[i].count - times;
			if (!times)
				continue;
			buf_str(out, n++ ? ",\n" : "");
			put_result(t, i, out);
			text_sink_take(t->sink, out);
		}
	buf_str(out, "\n  ]\n}\n");
	if (omitted)
		buf_printf(t->notes,
		    "failures without a time are omitted: %zu; hyperfine has no place for "
		    "them\n",
		    omitted);
	return n ? 0
	         : fault_set(f, "no metric wall in ns, which a file of hyperfine needs");
}
