/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the files of Criterion.rs, which cargo bench leaves in target/criterion:
 * sample.json has the samples, estimates.json only estimates. Their directory names the
 * benchmark.
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

static int read_samples(const struct source *s, struct row_builder *out, struct fault *f)
{
	const struct json_t *iters = doc_member(s->doc, "iters"),
	                    *times = doc_member(s->doc, "times");

	if (doc_length(iters) != doc_length(times))
		return fault_set(f, "%s: %zu iters but %zu times", s->name,
		    doc_length(iters), doc_length(times));
	for (size_t i = 0; i < doc_length(times); i++) {
		double count = from_number(doc_item(iters, i), 0),
		       time = from_number(doc_item(times, i), 0);

		out->row.sample = (int64_t)i;
		out->row.iterations = from_count(doc_item(iters, i));
		if (row_builder_put(out, TEXT("wall"), TEXT("ns"),
		        count > 0 ? time / count : NAN, f) < 0)
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

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	set_bench(s, out);
	if (!mean)
		return read_samples(s, out, f);
	if (row_builder_put(out, TEXT("wall"), TEXT("ns"), from_number(mean, 0), f) < 0)
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
