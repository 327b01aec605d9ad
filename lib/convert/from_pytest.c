/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of pytest-benchmark --benchmark-json, in seconds. data has the rounds if
 * they were saved, and may have fewer than the member rounds says.
 */
#include <math.h>

#include "convert/from.h"

static bool pytest_recognize(const struct source *s)
{
	return doc_member(s->doc, "machine_info") &&
	       doc_is_array(doc_member(s->doc, "benchmarks")) &&
	       doc_member(
	           doc_member(doc_item(doc_member(s->doc, "benchmarks"), 0), "stats"),
	           "min");
}

static int put_summary(const struct json_t *stats, struct row_builder *out, struct fault *f)
{
	static const struct {
		const char *member, *name;
	} kept[] = { { "min", "min" }, { "median", "median" }, { "max", "max" },
		{ "stddev", "sd" } };
	int64_t rounds = from_count(doc_member(stats, "rounds"));

	if (rounds != ROW_NONE && out->row.iterations != ROW_NONE && rounds < INT32_MAX &&
	    out->row.iterations < INT32_MAX)
		out->row.iterations *= rounds;
	if (row_builder_put(out, TEXT("wall"), TEXT("ns"),
	        from_number(doc_member(stats, "mean"), 9), f) < 0)
		return -1;
	for (size_t i = 0; i < COUNT(kept); i++)
		if (from_statistic(out, "wall", kept[i].name, TEXT("ns"),
		        from_number(doc_member(stats, kept[i].member), 9), f) < 0)
			return -1;
	return 0;
}

static int on_extra(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	double x;

	return doc_number(v, &x) ? row_builder_put(ctx, name, TEXT("1"), x, f) : 0;
}

static int put_benchmark(const struct source *s, const struct json_t *b,
    struct row_builder *out, struct fault *f)
{
	const struct json_t *commit = doc_member(s->doc, "commit_info"),
	                    *stats = doc_member(b, "stats"),
	                    *data = doc_member(stats, "data");
	struct text id = from_text(commit, "id"), name = from_text(b, "fullname");
	int64_t rounds = from_count(doc_member(stats, "rounds"));

	if (!name.len)
		name = from_text(b, "name");
	if (!name.len || !stats)
		return fault_set(f, "%s: a benchmark has no name or no stats", s->name);
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	row_builder_set(out, COL_BENCH, name);
	from_time(out, from_text(s->doc, "datetime"));
	row_builder_set(
	    out, COL_HOST, from_text(doc_member(s->doc, "machine_info"), "node"));
	if (id.len && !text_is(id, "unversioned"))
		row_builder_set(out, COL_COMMIT,
		    text_of(arena_format(&out->texts, "%.*s%s", (int)id.len, id.ptr,
		        doc_true(doc_member(commit, "dirty")) ? "-dirty" : "")));
	from_factors(out, doc_member(b, "params"));
	out->row.iterations = from_count(doc_member(stats, "iterations"));
	for (size_t i = 0; i < doc_length(data); i++) {
		out->row.sample = (int64_t)i;
		if (row_builder_put(out, TEXT("wall"), TEXT("ns"),
		        from_number(doc_item(data, i), 9), f) < 0)
			return -1;
	}
	if (doc_length(data) && rounds != ROW_NONE && (int64_t)doc_length(data) < rounds)
		row_builder_note(out, "%s: %.*s: the file has only %zu of %lld rounds",
		    s->name, (int)name.len, name.ptr, doc_length(data), (long long)rounds);
	out->row.sample = ROW_NONE;
	if (!doc_length(data) && put_summary(stats, out, f) < 0)
		return -1;
	return doc_each(doc_member(b, "extra_info"), on_extra, out, f);
}

static int pytest_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	const struct json_t *benchmarks = doc_member(s->doc, "benchmarks");

	for (size_t i = 0; i < doc_length(benchmarks); i++)
		if (put_benchmark(s, doc_item(benchmarks, i), out, f) < 0)
			return -1;
	return 0;
}

const struct format format_pytest = { .name = "pytest",
	.meaning = "pytest-benchmark --benchmark-json",
	.is_json = true,
	.recognize = pytest_recognize,
	.read = pytest_read };
