/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of llama-bench -o json, jsonl and csv. The properties of a test are
 * factors; the processor and the GPU are the environment. The JSON has samples;
 * the CSV has only a mean and a standard deviation.
 */
#include <stdlib.h>

#include "convert/from.h"
#include "io/csv_table.h"
#include "text/plural.h"
#include "text/units.h"

/* Members that are not factors: results, and what the commit says already. */
static const char *const others[] = { "build_number", "avg_ns", "stddev_ns", "avg_ts",
	"stddev_ts" };

/* A test that is being read. */
struct test {
	struct row_builder *out;
	struct text cpu, gpu;
};

static const struct {
	const char *member, *metric, *unit;
} results[] = {
	{ "avg_ns", "wall", "ns" },
	{ "stddev_ns", "wall_sd", "ns" },
	{ "avg_ts", "token_rate", "1/s" },
	{ "stddev_ts", "token_rate_sd", "1/s" },
};

static bool is_other(struct text name)
{
	for (size_t i = 0; i < COUNT(others); i++)
		if (text_is(name, others[i]))
			return true;
	return false;
}

static bool llama_recognize(const struct source *s)
{
	const struct json_t *first = doc_is_array(s->doc) ? doc_item(s->doc, 0) : s->doc;

	return doc_member(first, "avg_ts") && doc_member(first, "n_prompt");
}

static void begin_test(struct test *t, struct row_builder *out)
{
	*t = (struct test){ out, TEXT(""), TEXT("") };
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("model"));
}

/* Sets the column or the factor of a property that is a string. */
static void set_property(struct test *t, struct text name, struct text value)
{
	if (text_is(name, "cpu_info"))
		t->cpu = value;
	else if (text_is(name, "gpu_info"))
		t->gpu = value;
	else if (text_is(name, "model_type"))
		row_builder_set(t->out, COL_BENCH, value);
	else if (text_is(name, "build_commit"))
		row_builder_set(t->out, COL_COMMIT, value);
	else if (text_is(name, "test_time"))
		from_time(t->out, value);
	else if (!is_other(name) && value.len)
		row_builder_factor(t->out, name, value);
}

/* Sets the environment after all properties: tests of other machines are not the same
 * series. */
static void set_machine(const struct test *t)
{
	row_builder_set(t->out, COL_ENV,
	    text_of(arena_format(&t->out->texts, "%.*s%s%.*s", (int)t->cpu.len, t->cpu.ptr,
	        t->cpu.len && t->gpu.len ? " + " : "", (int)t->gpu.len, t->gpu.ptr)));
}

static int on_member(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct test *t = ctx;
	struct text text;

	(void)f;
	if (doc_text(v, &text))
		set_property(t, name, text);
	else if (doc_is_truth(v)) /* as the CSV has it */
		row_builder_factor(t->out, name, doc_true(v) ? TEXT("1") : TEXT("0"));
	else if (!is_other(name))
		from_factor(t->out, name, v);
	return 0;
}

static int put_samples(const struct json_t *test, struct row_builder *out, struct fault *f)
{
	const struct json_t *ns = doc_member(test, "samples_ns"),
	                    *ts = doc_member(test, "samples_ts");

	out->row.iterations = 1;
	for (size_t i = 0; i < doc_length(ns) || i < doc_length(ts); i++) {
		out->row.sample = (int64_t)i;
		if ((i < doc_length(ns) && row_builder_put(out, TEXT("wall"), TEXT("ns"),
		                               from_number(doc_item(ns, i), 0), f) < 0) ||
		    (i < doc_length(ts) &&
		        row_builder_put(out, TEXT("token_rate"), TEXT("1/s"),
		            from_number(doc_item(ts, i), 0), f) < 0))
			return -1;
	}
	return 0;
}

static int put_test(const struct source *s, const struct json_t *test, size_t number,
    struct row_builder *out, struct fault *f)
{
	struct test t;

	if (!doc_member(test, "avg_ts"))
		return fault_set(f, "%s: test %zu has no avg_ts", s->name, number);
	begin_test(&t, out);
	if (doc_each(test, on_member, &t, f) < 0)
		return -1;
	set_machine(&t);
	if (doc_length(doc_member(test, "samples_ns")))
		return put_samples(test, out, f);
	for (size_t k = 0; k < COUNT(results); k++)
		if (doc_member(test, results[k].member) &&
		    row_builder_put(out, text_of(results[k].metric),
		        text_of(results[k].unit),
		        from_number(doc_member(test, results[k].member), 0), f) < 0)
			return -1;
	return 0;
}

static int llama_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	if (!doc_is_array(s->doc))
		return put_test(s, s->doc, 1, out, f);
	for (size_t i = 0; i < doc_length(s->doc); i++)
		if (put_test(s, doc_item(s->doc, i), i + 1, out, f) < 0)
			return -1;
	return 0;
}

static bool has_members(struct text line)
{
	return line.len && memmem(line.ptr, line.len, "avg_ts", 6) &&
	       memmem(line.ptr, line.len, "n_prompt", 8);
}

/* Returns whether each line is a document: the first one is complete. */
static bool llama_recognize_lines(const struct source *s)
{
	struct text rest = s->text, line;

	while (line_next(&rest, &line)) {
		line = text_trim(line);
		if (line.len)
			return text_begins(line, "{\"") && text_ends(line, "}") &&
			       has_members(line);
	}
	return false;
}

static int llama_read_lines(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line;
	size_t tests = 0;
	int status = 0;

	for (size_t number = 1; status == 0 && line_next(&rest, &line); number++) {
		char *name;
		struct json_t *doc;

		if (!text_trim(line).len)
			continue;
		name = str_format("%s:%zu", s->name, number);
		doc = doc_read(line, name, f);
		status = doc ? put_test(s, doc, ++tests, out, f) : -1;
		if (doc)
			doc_free(doc);
		free(name);
	}
	return status;
}

static bool llama_recognize_csv(const struct source *s)
{
	struct text rest = s->text, line;

	return !s->doc && line_next(&rest, &line) && has_members(line);
}

static int put_results(
    struct row_builder *out, const struct csv_table *g, size_t column, struct fault *f)
{
	struct text name = text_of(csv_table_name(g, column)),
	            value = csv_table_field(g, column);
	double x;

	for (size_t k = 0; k < COUNT(results); k++) {
		if (!text_is(name, results[k].member))
			continue;
		if (!number_parse(value, &x))
			return csv_table_fault(g, f, "%s: '%.*s' is not a decimal number",
			    results[k].member, value.len > 60 ? 60 : (int)value.len,
			    value.ptr);
		return row_builder_put(
		    out, text_of(results[k].metric), text_of(results[k].unit), x, f);
	}
	return 0;
}

static int put_table_row(
    struct row_builder *out, const struct csv_table *g, struct fault *f)
{
	struct test t;

	if (csv_table_fields(g) != g->columns)
		return csv_table_fault(g, f, "%zu field%s where the header has %zu",
		    csv_table_fields(g), plural_s(csv_table_fields(g)), g->columns);
	begin_test(&t, out);
	for (size_t i = 0; i < g->columns; i++)
		set_property(&t, text_of(csv_table_name(g, i)), csv_table_field(g, i));
	set_machine(&t);
	for (size_t i = 0; i < g->columns; i++)
		if (put_results(out, g, i, f) < 0)
			return -1;
	return 0;
}

static int llama_read_csv(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct csv_table g = { 0 };
	int status = csv_table_open(&g, s->text, s->name, f);

	while (status == 0 && (status = csv_table_next(&g, f)) > 0)
		status = put_table_row(out, &g, f);
	csv_table_free(&g);
	return status;
}

const struct format format_llama = { .name = "llama-bench",
	.meaning = "llama-bench -o json",
	.is_json = true,
	.recognize = llama_recognize,
	.read = llama_read };
const struct format format_llama_lines = { .name = "llama-bench-jsonl",
	.meaning = "llama-bench -o jsonl",
	.is_json_lines = true,
	.recognize = llama_recognize_lines,
	.read = llama_read_lines };
const struct format format_llama_csv = { .name = "llama-bench-csv",
	.meaning = "llama-bench -o csv",
	.recognize = llama_recognize_csv,
	.read = llama_read_csv };
