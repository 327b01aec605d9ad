/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of pytest-benchmark --benchmark-json, in seconds. data has the rounds if
 * they were saved, and may have fewer than the member rounds says. The name of a test ends
 * with its parameters, as in "test_b.py::test_sort[10]". They are removed if the tests
 * of the file differ in the factors that params has.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "convert/to.h"

static bool pytest_recognize(const struct source *s)
{
	return doc_member(s->doc, "machine_info") &&
	       doc_is_array(doc_member(s->doc, "benchmarks")) &&
	       doc_member(
	           doc_member(doc_item(doc_member(s->doc, "benchmarks"), 0), "stats"),
	           "min");
}

/* Returns the name of a test with its parameters. */
static struct text full_name(const struct json_t *benchmark)
{
	struct text name = from_text(benchmark, "fullname");

	return name.len ? name : from_text(benchmark, "name");
}

/* Returns the name of a test without its parameters. */
static struct text short_name(const struct json_t *benchmark)
{
	struct text name = full_name(benchmark), id = from_text(benchmark, "param"),
	            brackets;

	if (!id.len || name.len < id.len + 3)
		return name;
	brackets = text_after(name, name.len - id.len - 2);
	if (brackets.ptr[0] != '[' || !text_ends(name, "]") ||
	    memcmp(brackets.ptr + 1, id.ptr, id.len) != 0)
		return name;
	return (struct text){ name.ptr, name.len - brackets.len };
}

/* The names of the tests of a file. */
struct tests {
	struct intern subjects; /* short names and factors */
	struct intern full;
	size_t *full_of; /* by subject: the number of the first full name */
	size_t count, cap;
	struct intern ambiguous; /* short names that cannot be used */
};

struct key {
	struct buf text;
	struct arena texts;
};

static int on_param(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct key *key = ctx;
	struct text value = from_scalar(&key->texts, v);

	(void)f;
	if (value.len) {
		buf_byte(&key->text, '\0');
		buf_text(&key->text, name);
		buf_byte(&key->text, '\0');
		buf_text(&key->text, value);
	}
	return 0;
}

static void tests_add(struct tests *t, const struct json_t *benchmark)
{
	size_t full = intern_add(&t->full, full_name(benchmark)), subject;
	struct key key = { 0 };
	struct fault ignored;

	buf_text(&key.text, short_name(benchmark));
	doc_each(doc_member(benchmark, "params"), on_param, &key, &ignored);
	subject = intern_add(&t->subjects, text_in(&key.text));
	if (subject == t->count)
		*VEC_ADD(t->full_of, t->count, t->cap) = full;
	if (t->full_of[subject] != full)
		intern_add(&t->ambiguous, short_name(benchmark));
	buf_free(&key.text);
	arena_free(&key.texts);
}

static void tests_free(struct tests *t)
{
	intern_free(&t->subjects);
	intern_free(&t->full);
	intern_free(&t->ambiguous);
	free(t->full_of);
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

static int put_benchmark(const struct source *s, const struct tests *tests,
    const struct json_t *b, struct row_builder *out, struct fault *f)
{
	const struct json_t *commit = doc_member(s->doc, "commit_info"),
	                    *stats = doc_member(b, "stats"),
	                    *data = doc_member(stats, "data");
	struct text id = from_text(commit, "id"), name = full_name(b);
	int64_t rounds = from_count(doc_member(stats, "rounds"));

	if (!name.len || !stats)
		return fault_set(f, "%s: a benchmark has no name or no stats", s->name);
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	row_builder_set(out, COL_BENCH,
	    intern_find(&tests->ambiguous, short_name(b)) < 0 ? short_name(b) : name);
	from_time(out, from_text(s->doc, "datetime"));
	row_builder_set(
	    out, COL_HOST, from_text(doc_member(s->doc, "machine_info"), "node"));
	if (id.len && !text_is(id, "unversioned"))
		row_builder_set(out, COL_COMMIT,
		    text_of(arena_format(&out->texts, "%.*s%s", (int)id.len, id.ptr,
		        doc_true(doc_member(commit, "dirty")) ? "-dirty" : "")));
	from_factor(out, TEXT("group"), doc_member(b, "group"));
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
	struct tests tests = { 0 };
	int status = 0;

	for (size_t i = 0; i < doc_length(benchmarks); i++)
		tests_add(&tests, doc_item(benchmarks, i));
	for (size_t i = 0; i < doc_length(benchmarks) && status == 0; i++)
		status = put_benchmark(s, &tests, doc_item(benchmarks, i), out, f);
	tests_free(&tests);
	return status;
}

const struct format format_pytest = { .name = "pytest",
	.meaning = "pytest-benchmark --benchmark-json",
	.is_json = true,
	.recognize = pytest_recognize,
	.read = pytest_read,
	.write_samples = write_pytest };
