/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of llama-bench -o json and csv. The properties of a test are factors.
 * Only the JSON has samples; the CSV has a mean and a standard deviation.
 */
#include <stdlib.h>

#include "convert/from.h"
#include "io/csv_table.h"
#include "text/units.h"

/* Members that are not factors: provenance, facts of the machine and results. */
static const char *const others[] = { "build_commit", "build_number", "cpu_info",
	"gpu_info", "test_time", "model_filename", "model_type", "avg_ns", "stddev_ns",
	"avg_ts", "stddev_ts" };

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

static int on_member(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	(void)f;
	if (!is_other(name))
		from_factor(ctx, name, v);
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

static int llama_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	size_t count = doc_is_array(s->doc) ? doc_length(s->doc) : 1;

	for (size_t i = 0; i < count; i++) {
		const struct json_t *test =
		    doc_is_array(s->doc) ? doc_item(s->doc, i) : s->doc;

		if (!doc_member(test, "avg_ts"))
			return fault_set(f, "%s: test %zu has no avg_ts", s->name, i + 1);
		row_builder_clear(out);
		row_builder_set(out, COL_KIND, TEXT("model"));
		row_builder_set(out, COL_BENCH, from_text(test, "model_type"));
		row_builder_set(out, COL_COMMIT, from_text(test, "build_commit"));
		from_time(out, from_text(test, "test_time"));
		if (doc_each(test, on_member, out, f) < 0)
			return -1;
		if (doc_length(doc_member(test, "samples_ns"))) {
			if (put_samples(test, out, f) < 0)
				return -1;
			continue;
		}
		for (size_t k = 0; k < COUNT(results); k++)
			if (doc_member(test, results[k].member) &&
			    row_builder_put(out, text_of(results[k].metric),
			        text_of(results[k].unit),
			        from_number(doc_member(test, results[k].member), 0), f) < 0)
				return -1;
	}
	return 0;
}

static bool llama_recognize_csv(const struct source *s)
{
	struct text rest = s->text, line;

	return !s->doc && line_next(&rest, &line) && line.len &&
	       memmem(line.ptr, line.len, "avg_ts", 6) &&
	       memmem(line.ptr, line.len, "n_prompt", 8);
}

static void set_cell(struct row_builder *out, struct text name, struct text value)
{
	static const struct {
		const char *name;
		enum column column;
	} columns[] = { { "model_type", COL_BENCH }, { "build_commit", COL_COMMIT } };

	for (size_t i = 0; i < COUNT(columns); i++)
		if (text_is(name, columns[i].name))
			row_builder_set(out, columns[i].column, value);
	if (text_is(name, "test_time"))
		from_time(out, value);
	if (!is_other(name) && value.len)
		row_builder_factor(out, name, value);
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
	if (csv_table_fields(g) != g->columns)
		return csv_table_fault(g, f, "%zu fields where the header has %zu",
		    csv_table_fields(g), g->columns);
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("model"));
	for (size_t i = 0; i < g->columns; i++)
		set_cell(out, text_of(csv_table_name(g, i)), csv_table_field(g, i));
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
const struct format format_llama_csv = { .name = "llama-bench-csv",
	.meaning = "llama-bench -o csv",
	.recognize = llama_recognize_csv,
	.read = llama_read_csv };
