/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the files of Criterion.rs, which cargo bench leaves in target/criterion:
 * sample.json has the samples, estimates.json only estimates. benchmark.json in the same
 * directory has the name of the benchmark, its parameter and the amount of work for its
 * throughput. Without it, the directory names the benchmark.
 */
#include <math.h>

#include "convert/from.h"

static bool criterion_recognize(const struct source *s)
{
	return doc_member(doc_member(s->doc, "mean"), "point_estimate") ||
	       (doc_is_array(doc_member(s->doc, "iters")) &&
	           doc_is_array(doc_member(s->doc, "times")));
}

/* Sets the benchmark from a path ".../criterion/GROUP/FUNCTION/new/estimates.json". */
static void set_bench(const struct source *s, struct row_builder *out)
{
	static const char directory[] = "criterion/", *const kinds[] = { "/new/",
		"/base/" };
	struct text path = text_of(s->name);
	const char *at = NULL;

	for (const char *p = s->name; (p = strstr(p, directory)); p++)
		at = p + sizeof(directory) - 1;
	if (!at || out->bench)
		return;
	path = text_of(at);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		const char *end = strstr(at, kinds[i]);

		if (end)
			path.len = (size_t)(end - at);
	}
	if (path.len < strlen(at))
		row_builder_set(out, COL_BENCH, path);
}

/* Rates that follow from the time and from the amount of work of an iteration. */
struct criterion_work {
	const char *metric, *unit;
	double amount;
};
enum { WORKS_MAX = 2 };

struct reading {
	const struct source *source;
	struct row_builder *out;
	struct criterion_work work[WORKS_MAX];
	size_t works;
};

static void add_work(struct reading *r, const char *metric, const char *unit, double amount)
{
	if (amount > 0 && r->works < WORKS_MAX)
		r->work[r->works++] = (struct criterion_work){ metric, unit, amount };
}

/* Finds the amount of work, such as {"Bytes": 1024} or, in newer versions,
 * {"ElementsAndBytes": {"elements": 8, "bytes": 1024}}. */
static void find_work(struct reading *r, const struct json_t *throughput)
{
	const struct json_t *both = doc_member(throughput, "ElementsAndBytes");

	add_work(r, "bandwidth", "B/s", from_number(doc_member(throughput, "Bytes"), 0));
	add_work(
	    r, "bandwidth", "B/s", from_number(doc_member(throughput, "BytesDecimal"), 0));
	add_work(
	    r, "throughput", "1/s", from_number(doc_member(throughput, "Elements"), 0));
	add_work(r, "bandwidth", "B/s", from_number(doc_member(both, "bytes"), 0));
	add_work(r, "throughput", "1/s", from_number(doc_member(both, "elements"), 0));
}

/* Sets the benchmark and its parameter from benchmark.json. */
static void describe(struct reading *r, const struct json_t *benchmark)
{
	struct row_builder *out = r->out;
	struct text bench = from_text(benchmark, "group_id"),
	            function = from_text(benchmark, "function_id"),
	            parameter = from_text(benchmark, "value_str");

	find_work(r, doc_member(benchmark, "throughput"));
	if (parameter.len)
		row_builder_factor(
		    out, TEXT("parameter"), text_of(arena_text(&out->texts, parameter)));
	if (!bench.len || out->bench)
		return;
	if (function.len)
		bench = text_of(arena_format(&out->texts, "%.*s/%.*s", (int)bench.len,
		    bench.ptr, (int)function.len, function.ptr));
	row_builder_set(out, COL_BENCH, text_of(arena_text(&out->texts, bench)));
}

/* Adds a time in ns, and the rates. */
static int put_time(struct reading *r, double ns, struct fault *f)
{
	if (row_builder_put(r->out, TEXT("wall"), TEXT("ns"), ns, f) < 0)
		return -1;
	for (size_t i = 0; i < r->works; i++)
		if (row_builder_put(r->out, text_of(r->work[i].metric),
		        text_of(r->work[i].unit),
		        ns > 0 ? r->work[i].amount * 1e9 / ns : NAN, f) < 0)
			return -1;
	return 0;
}

static int read_samples(struct reading *r, struct fault *f)
{
	const struct source *s = r->source;
	const struct json_t *iters = doc_member(s->doc, "iters"),
	                    *times = doc_member(s->doc, "times");

	if (doc_length(iters) != doc_length(times))
		return fault_set(f, "%s: %zu iters but %zu times", s->name,
		    doc_length(iters), doc_length(times));
	for (size_t i = 0; i < doc_length(times); i++) {
		double count = from_number(doc_item(iters, i), 0),
		       time = from_number(doc_item(times, i), 0);

		r->out->row.sample = (int64_t)i;
		r->out->row.iterations = from_count(doc_item(iters, i));
		if (put_time(r, count > 0 ? time / count : NAN, f) < 0)
			return -1;
	}
	return 0;
}

static int criterion_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	static const struct {
		const char *member, *name;
	} kept[] = { { "median", "median" }, { "median_abs_dev", "mad" },
		{ "slope", "slope" }, { "std_dev", "sd" } };
	const struct json_t *mean =
	    doc_member(doc_member(s->doc, "mean"), "point_estimate");

	struct reading r = { .source = s, .out = out };
	struct json_t *benchmark;

	if (text_ends(text_of(s->name), "change/estimates.json"))
		return fault_set(f,
		    "%s: relative changes between two measurements, not times (convert "
		    "new/sample.json)",
		    s->name);
	benchmark = from_beside(s, out, "benchmark.json");

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	set_bench(s, out);
	describe(&r, benchmark);
	if (benchmark)
		doc_free(benchmark);
	if (!mean)
		return read_samples(&r, f);
	if (put_time(&r, from_number(mean, 0), f) < 0)
		return -1;
	for (size_t i = 0; i < COUNT(kept); i++)
		if (from_statistic(out, "wall", kept[i].name, TEXT("ns"),
		        from_number(doc_member(doc_member(s->doc, kept[i].member),
		                        "point_estimate"),
		            0),
		        f) < 0)
			return -1;
	return 0;
}

const struct format format_criterion = { .name = "criterion",
	.meaning = "Criterion.rs: estimates.json, sample.json",
	.is_json = true,
	.recognize = criterion_recognize,
	.read = criterion_read };
