/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads results of airspeed velocity, version 2. A benchmark is an array whose elements
 * result_columns names; the last elements may be missing. There is one value for each
 * combination of the benchmark's parameters. asv derives the unit from the name: time_ is
 * in seconds, mem_ and peakmem_ in bytes. The unit of track_ and the names of parameters
 * are in another file, benchmarks.json in the directory above. The result of a combination
 * that was skipped is NaN, and that of one that failed null.
 */
#include <math.h>

#include "convert/from.h"
#include "convert/to.h"
#include "text/python_text.h"

static bool asv_recognize(const struct source *s)
{
	return doc_is_array(doc_member(s->doc, "result_columns")) ||
	       (doc_member(s->doc, "commit_hash") && doc_member(s->doc, "results"));
}

struct reading {
	const struct source *source;
	struct row_builder *out;
	struct json_t *benchmarks; /* NULL: unknown */
	struct arena texts;
	double started_ms; /* the first start of a benchmark */
};

/* Returns the value of a column in a benchmark's array; NULL if it is missing. */
static const struct json_t *find_column(
    const struct reading *r, const struct json_t *entry, const char *name)
{
	const struct json_t *columns = doc_member(r->source->doc, "result_columns");
	struct text t;

	for (size_t i = 0; i < doc_length(columns); i++)
		if (doc_text(doc_item(columns, i), &t) && text_is(t, name))
			return doc_item(entry, i);
	return NULL;
}

struct kind {
	const char *prefix, *metric, *unit;
	int exponent;
};
static const struct kind kinds[] = {
	{ "time_", "wall", "ns", 9 },
	{ "timeraw_", "wall", "ns", 9 },
	{ "mem_", "memory", "B", 0 },
	{ "peakmem_", "memory", "B", 0 },
	{ "", "track", "1", 0 },
};

/* Returns the kind by the last part of a name, such as module.Class.time_sort, or else by
 * its beginning, because other names may have dots: "time_./sort". */
static const struct kind *kind_by_prefix(struct text name)
{
	const struct kind *k = kinds;
	size_t at = name.len;

	while (at && name.ptr[at - 1] != '.')
		at--;
	while (!text_begins(text_after(name, at), k->prefix))
		k++;
	if (*k->prefix)
		return k;
	for (k = kinds; !text_begins(name, k->prefix);)
		k++;
	return k;
}

/* Returns the kind of a benchmark. A track_ benchmark has its own unit. */
static struct kind kind_of(const struct reading *r, struct text name, const char *key)
{
	struct kind k = *kind_by_prefix(name);
	struct text unit = from_text(doc_member(r->benchmarks, key), "unit");

	if (k.prefix[0] || !unit.len || text_is(unit, "unit"))
		return k;
	if (text_is(unit, "seconds")) {
		k.unit = "ns";
		k.exponent = 9;
	} else
		k.unit = text_is(unit, "bytes") ? "B" : unit.ptr;
	return k;
}

static bool has_text(const struct json_t *list, struct text t)
{
	struct text item;

	for (size_t i = 0; i < doc_length(list); i++)
		if (doc_text(doc_item(list, i), &item) && text_equal(item, t))
			return true;
	return false;
}

/* Returns the value of a parameter. asv writes what Python's repr() returns; a string loses
 * its quotes, unless another value of the parameter is the same without them. */
static struct text plain_value(
    struct arena *texts, const struct json_t *list, struct text value)
{
	struct text plain = python_plain(texts, value);

	return plain.ptr != value.ptr && has_text(list, plain) ? value : plain;
}

static struct text parameter_name(
    struct row_builder *out, const struct json_t *names, size_t i)
{
	struct text name;

	if (doc_text(doc_item(names, i), &name) && name.len)
		return name;
	return text_of(arena_format(&out->texts, "param%zu", i + 1));
}

/* Sets the parameters of a combination; the last parameter varies fastest. */
static void set_parameters(struct row_builder *out, const struct json_t *params,
    const struct json_t *names, size_t combination)
{
	/* The columns are in the order of the parameters. */
	for (size_t i = 0; i < doc_length(params); i++)
		if (doc_length(doc_item(params, i)))
			row_builder_factor(out, parameter_name(out, names, i), TEXT(""));
	for (size_t i = doc_length(params); i-- > 0;) {
		const struct json_t *list = doc_item(params, i), *value;
		size_t n = doc_length(list);

		if (!n)
			continue;
		value = doc_item(list, combination % n);
		combination /= n;
		row_builder_factor(out, parameter_name(out, names, i),
		    plain_value(&out->texts, list, from_scalar(&out->texts, value)));
	}
}

static int put_values(const struct reading *r, const struct kind *k,
    const struct json_t *entry, size_t combination, struct fault *f)
{
	struct row_builder *out = r->out;
	const struct json_t *samples =
	    doc_item(find_column(r, entry, "samples"), combination);
	double value = from_number(
	    doc_item(find_column(r, entry, "result"), combination), k->exponent);

	out->row.iterations =
	    from_count(doc_item(find_column(r, entry, "stats_number"), combination));
	for (size_t i = 0; i < doc_length(samples); i++) {
		out->row.sample = (int64_t)i;
		if (row_builder_put(out, text_of(k->metric), text_of(k->unit),
		        from_number(doc_item(samples, i), k->exponent), f) < 0)
			return -1;
	}
	out->row.sample = ROW_NONE;
	if (doc_length(samples))
		return 0;
	return row_builder_put(out, text_of(k->metric), text_of(k->unit), value, f);
}

/* Returns the number of combinations of the parameters, or SIZE_MAX if there are too many
 * to list. */
static size_t count_combinations(const struct json_t *params)
{
	enum { COMBINATIONS_MAX = 1000000 };
	size_t count = 1;

	for (size_t i = 0; i < doc_length(params); i++) {
		size_t n = doc_length(doc_item(params, i));

		if (n > COMBINATIONS_MAX / count)
			return SIZE_MAX;
		count *= n ? n : 1;
	}
	return count;
}

static int on_result(
    void *ctx, struct text name, const struct json_t *entry, struct fault *f)
{
	struct reading *r = ctx;
	const struct json_t *doc = r->source->doc,
	                    *result = find_column(r, entry, "result"),
	                    *params = find_column(r, entry, "params");
	const char *key = arena_text(&r->texts, name);
	const struct json_t *names =
	    doc_member(doc_member(r->benchmarks, key), "param_names");
	struct kind k = kind_of(r, name, key);
	/* The result is null if the benchmark failed for all combinations. */
	size_t count =
	    doc_is_array(result) ? doc_length(result) : count_combinations(params);

	if (count == SIZE_MAX)
		return fault_set(f,
		    "%s: %.*s: more than a million combinations of parameters",
		    r->source->name, name.len > 200 ? 200 : (int)name.len, name.ptr);
	for (size_t i = 0; i < count; i++) {
		const struct json_t *value = doc_item(result, i);

		row_builder_clear(r->out);
		row_builder_set(r->out, COL_KIND, TEXT("function"));
		row_builder_set(r->out, COL_BENCH, name);
		row_builder_set(r->out, COL_COMMIT, from_text(doc, "commit_hash"));
		row_builder_set(r->out, COL_ENV, from_text(doc, "env_name"));
		row_builder_set(
		    r->out, COL_HOST, from_text(doc_member(doc, "params"), "machine"));
		row_builder_set(r->out, COL_TIME,
		    from_time_ms(r->out, find_column(r, entry, "started_at")));
		row_builder_set(r->out, COL_STATUS,
		    doc_is_nan(value)    ? TEXT("skipped")
		    : doc_is_null(value) ? TEXT("failed")
		                         : TEXT("ok"));
		set_parameters(r->out, params, names, i);
		if (put_values(r, &k, entry, i, f) < 0)
			return -1;
	}
	return 0;
}

static int asv_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .source = s, .out = out };
	double version = 0;
	int status;

	doc_number(doc_member(s->doc, "version"), &version);
	if (version != 2)
		return fault_set(f,
		    "%s: version %g of asv results, but only version 2 can be read (use "
		    "asv update)",
		    s->name, version);
	r.benchmarks = from_beside(s, out, "../benchmarks.json");
	status = doc_each(doc_member(s->doc, "results"), on_result, &r, f);
	if (r.benchmarks)
		doc_free(r.benchmarks);
	arena_free(&r.texts);
	return status;
}

static int on_start(
    void *ctx, struct text name, const struct json_t *entry, struct fault *f)
{
	struct reading *r = ctx;
	double started_ms;

	(void)name, (void)f;
	if (doc_number(find_column(r, entry, "started_at"), &started_ms))
		r->started_ms = fmin(r->started_ms, started_ms);
	return 0;
}

static bool asv_commit(const struct source *s, struct measured_commit *out)
{
	struct reading r = { .source = s, .started_ms = INFINITY };
	struct fault f;

	doc_each(doc_member(s->doc, "results"), on_start, &r, &f);
	out->host = from_text(doc_member(s->doc, "params"), "machine");
	out->commit = from_text(s->doc, "commit_hash");
	out->measured_ms = r.started_ms;
	return doc_number(doc_member(s->doc, "date"), &out->made_ms) &&
	       isfinite(r.started_ms);
}

const struct format format_asv = { .name = "asv",
	.meaning = "results of airspeed velocity, version 2",
	.is_json = true,
	.recognize = asv_recognize,
	.read = asv_read,
	.commit = asv_commit,
	.write_samples = write_asv,
	.has_failures = true };
