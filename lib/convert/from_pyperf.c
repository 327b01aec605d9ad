/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the JSON of pyperf: each run is a process with its values; warm-ups are separate. A
 * run that only calibrated has no values. The metadata of a run has its peak memory:
 * command_max_rss is that of the command, mem_max_rss that of the process itself.
 */
#include <math.h>

#include "convert/from.h"
#include "convert/to.h"

static bool pyperf_recognize(const struct source *s)
{
	const struct json_t *first = doc_item(doc_member(s->doc, "benchmarks"), 0);

	return doc_is_array(doc_member(first, "runs"));
}

/* Returns the metadata of a run, else of its benchmark, else of the file; NULL if there is
 * none. */
static const struct json_t *metadata(const struct source *s, const struct json_t *benchmark,
    const struct json_t *run, const char *name)
{
	const struct json_t *of[] = { run, benchmark, s->doc };

	for (size_t i = 0; i < COUNT(of); i++) {
		const struct json_t *v = doc_member(doc_member(of[i], "metadata"), name);

		if (v)
			return v;
	}
	return NULL;
}

static struct text metadata_text(const struct source *s, const struct json_t *benchmark,
    const struct json_t *run, const char *name)
{
	struct text t = TEXT("");

	doc_text(metadata(s, benchmark, run, name), &t);
	return t;
}

struct place {
	const struct source *source;
	const struct json_t *benchmark, *run;
};

static void set_from(
    struct row_builder *out, const struct place *p, enum column column, const char *name)
{
	struct text t = metadata_text(p->source, p->benchmark, p->run, name);

	if (t.len)
		row_builder_set(out, column, t);
}

static int on_metadata(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct text value;

	(void)f;
	if (text_begins(name, PYPERF_FACTOR) && doc_text(v, &value) &&
	    name.len > strlen(PYPERF_FACTOR))
		row_builder_factor(ctx, text_after(name, strlen(PYPERF_FACTOR)), value);
	return 0;
}

/* Sets the subject and its provenance. bench-convert writes bench, kind, env and factors
 * into the metadata. */
static int set_subject(struct row_builder *out, const struct place *p, struct fault *f)
{
	static const struct {
		enum column column;
		const char *name;
	} members[] = { { COL_BENCH, "name" }, { COL_BENCH, "bench" },
		{ COL_HOST, "hostname" }, { COL_ENV, "env" }, { COL_COMMIT, "commit_id" },
		{ COL_KIND, "kind" } };

	row_builder_set(out, COL_KIND, TEXT("function"));
	for (size_t i = 0; i < COUNT(members); i++)
		set_from(out, p, members[i].column, members[i].name);
	return doc_each(doc_member(p->benchmark, "metadata"), on_metadata, out, f);
}

/* Adds the peak memory of a run, of the command if it measured one. */
static int put_peak(const struct source *s, const struct json_t *benchmark,
    const struct json_t *run, struct row_builder *out, struct fault *f)
{
	const struct json_t *peak = metadata(s, benchmark, run, "command_max_rss");
	double bytes;

	if (!peak)
		peak = metadata(s, benchmark, run, "mem_max_rss");
	if (!doc_number(peak, &bytes))
		return 0;
	out->row.sample = out->row.iterations = ROW_NONE;
	return row_builder_put(out, TEXT("max_rss"), TEXT("B"), bytes, f);
}

static int put_run(const struct source *s, const struct json_t *benchmark, size_t number,
    struct row_builder *out, struct fault *f)
{
	static const struct {
		const char *peers, *metric, *unit;
		int exponent;
	} units[] = { { "second", "wall", "ns", 9 }, { "byte", "memory", "B", 0 },
		{ "integer", "count", "1", 0 } };
	const struct json_t *run = doc_item(doc_member(benchmark, "runs"), number),
	                    *values = doc_member(run, "values");
	struct text unit = metadata_text(s, benchmark, run, "unit"),
	            metric = metadata_text(s, benchmark, run, "metric");
	int64_t loops = from_count(metadata(s, benchmark, run, "loops")),
	        inner = from_count(metadata(s, benchmark, run, "inner_loops"));
	size_t u = 0;

	while (unit.len && u < COUNT(units) && !text_is(unit, units[u].peers))
		u++;
	if (u == COUNT(units))
		return fault_set(
		    f, "%s: the unit of a run is not second, byte or integer", s->name);
	row_builder_clear(out);
	if (set_subject(out, &(struct place){ s, benchmark, run }, f) < 0)
		return -1;
	from_time(out, metadata_text(s, benchmark, run, "date"));
	out->row.process = (int64_t)number;
	if (loops > 0 && loops < INT32_MAX && inner < INT32_MAX)
		out->row.iterations = loops * (inner > 0 ? inner : 1);
	for (size_t i = 0; i < doc_length(values); i++) {
		out->row.sample = (int64_t)i;
		if (row_builder_put(out, metric.len ? metric : text_of(units[u].metric),
		        text_of(units[u].unit),
		        from_number(doc_item(values, i), units[u].exponent), f) < 0)
			return -1;
	}
	return doc_length(values) ? put_peak(s, benchmark, run, out, f) : 0;
}

static int pyperf_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	const struct json_t *benchmarks = doc_member(s->doc, "benchmarks");

	for (size_t i = 0; i < doc_length(benchmarks); i++) {
		const struct json_t *b = doc_item(benchmarks, i);

		for (size_t k = 0; k < doc_length(doc_member(b, "runs")); k++)
			if (put_run(s, b, k, out, f) < 0)
				return -1;
	}
	return 0;
}

const struct format format_pyperf = { .name = "pyperf",
	.meaning = "pyperf -o, pyperformance",
	.is_json = true,
	.recognize = pyperf_recognize,
	.read = pyperf_read,
	.write_samples = write_pyperf };
