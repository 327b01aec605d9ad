/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the JSON of hyperfine: {"results": [{"command", "mean", "times": [...], ...}]}, in
 * seconds. Older versions lack memory, parameters and exit codes; stddev is null for a
 * single run. The command has its parameters filled in.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/command_template.h"
#include "convert/from.h"
#include "convert/to.h"

static bool hyperfine_recognize(const struct source *s)
{
	const struct json_t *first = doc_item(doc_member(s->doc, "results"), 0);

	return doc_member(first, "command") && doc_member(first, "mean");
}

/* Returns the status of a time; ok if the file has no exit code. */
static struct text status_of(const struct json_t *codes, size_t i, struct row_builder *out)
{
	const struct json_t *code = doc_item(codes, i);
	double exit;

	if (i >= doc_length(codes))
		return TEXT("ok");
	if (!doc_number(code, &exit))
		return TEXT("failed");
	if (exit == 0)
		return TEXT("ok");
	return text_of(arena_format(&out->texts, "failed:exit=%.0f", exit));
}

/* Returns the status of a mean over all times: that of the first failure, or ok. */
static struct text status_of_all(const struct json_t *codes, struct row_builder *out)
{
	struct text status = TEXT("ok");

	for (size_t i = 0; i < doc_length(codes) && text_is(status, "ok"); i++)
		status = status_of(codes, i, out);
	return status;
}

static int put_times(const struct json_t *result, struct row_builder *out, struct fault *f)
{
	const struct json_t *times = doc_member(result, "times");
	const struct json_t *codes = doc_member(result, "exit_codes");
	const struct json_t *memory = doc_member(result, "memory_usage_byte");

	for (size_t i = 0; i < doc_length(times); i++) {
		out->row.sample = (int64_t)i;
		row_builder_set(out, COL_STATUS, status_of(codes, i, out));
		if (row_builder_put(out, TEXT("wall"), TEXT("ns"),
		        from_number(doc_item(times, i), 9), f) < 0)
			return -1;
		if (i < doc_length(memory) &&
		    row_builder_put(out, TEXT("max_rss"), TEXT("B"),
		        from_number(doc_item(memory, i), 0), f) < 0)
			return -1;
	}
	return 0;
}

/* Adds the statistics of a command whose times are not in the file. */
static int put_summary(
    const struct json_t *result, struct row_builder *out, struct fault *f)
{
	static const struct {
		const char *member, *name;
	} kept[] = { { "stddev", "sd" }, { "median", "median" }, { "min", "min" },
		{ "max", "max" } };

	if (row_builder_put(out, TEXT("wall"), TEXT("ns"),
	        from_number(doc_member(result, "mean"), 9), f) < 0)
		return -1;
	for (size_t i = 0; i < COUNT(kept); i++)
		if (from_statistic(out, "wall", kept[i].name, TEXT("ns"),
		        from_number(doc_member(result, kept[i].member), 9), f) < 0)
			return -1;
	return 0;
}

/* The parameters of a result. */
struct parameters {
	struct command_parameter *of;
	size_t count, cap;
	struct arena texts;
};

static int on_parameter(
    void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct parameters *p = ctx;

	(void)f;
	*VEC_ADD(p->of, p->count, p->cap) =
	    (struct command_parameter){ name, from_scalar(&p->texts, v) };
	return 0;
}

static struct parameters parameters_of(const struct json_t *result)
{
	struct parameters p = { 0 };
	struct fault ignored;

	doc_each(doc_member(result, "parameters"), on_parameter, &p, &ignored);
	return p;
}

static void parameters_free(struct parameters *p)
{
	arena_free(&p->texts);
	free(p->of);
}

static void find_templates(struct command_templates *t, const struct json_t *results)
{
	for (size_t i = 0; i < doc_length(results); i++) {
		struct parameters p = parameters_of(doc_item(results, i));

		command_templates_add(
		    t, from_text(doc_item(results, i), "command"), p.of, p.count);
		parameters_free(&p);
	}
}

static void set_command(
    struct row_builder *out, const struct command_templates *t, const struct json_t *result)
{
	struct parameters p = parameters_of(result);
	struct buf command = { 0 };

	command_templates_find(t, from_text(result, "command"), p.of, p.count, &command);
	row_builder_set(out, COL_BENCH,
	    text_of(arena_text(&out->texts, text_in(&command))));
	buf_free(&command);
	parameters_free(&p);
}

static int put_result(const struct json_t *result, struct row_builder *out, struct fault *f)
{
	double user = from_number(doc_member(result, "user"), 9),
	       sys = from_number(doc_member(result, "system"), 9);
	size_t times = doc_length(doc_member(result, "times"));
	const struct json_t *codes = doc_member(result, "exit_codes");
	struct text all = status_of_all(codes, out);

	row_builder_set(out, COL_KIND, TEXT("command"));
	from_factors(out, doc_member(result, "parameters"));
	if (times)
		out->row.iterations = 1;
	else if (doc_length(codes))
		row_builder_set(out, COL_STATUS, all);
	if ((times ? put_times : put_summary)(result, out, f) < 0)
		return -1;
	row_builder_set(out, COL_STATUS, all);
	out->row.sample = ROW_NONE;
	out->row.iterations = times ? (int64_t)times : ROW_NONE;
	if ((isfinite(user) &&
	        row_builder_put(out, TEXT("user"), TEXT("ns"), user, f) < 0) ||
	    (isfinite(sys) && row_builder_put(out, TEXT("sys"), TEXT("ns"), sys, f) < 0))
		return -1;
	return 0;
}

static int hyperfine_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	const struct json_t *results = doc_member(s->doc, "results");
	struct command_templates templates = { 0 };
	int status = 0;

	find_templates(&templates, results);
	for (size_t i = 0; i < doc_length(results) && status == 0; i++) {
		const struct json_t *result = doc_item(results, i);

		row_builder_clear(out);
		set_command(out, &templates, result);
		status = from_text(result, "command").len
		             ? put_result(result, out, f)
		             : fault_set(f, "%s: result %zu of hyperfine has no command",
		                   s->name, i + 1);
	}
	command_templates_free(&templates);
	return status;
}

const struct format format_hyperfine = { .name = "hyperfine",
	.meaning = "hyperfine --export-json",
	.is_json = true,
	.recognize = hyperfine_recognize,
	.read = hyperfine_read,
	.write = write_hyperfine,
	.has_failures = true };
