/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the results of the benchmarks of a server that are part of vLLM and SGLang.
 * Statistics are in milliseconds and are those of the requests that succeeded. A file with
 * all requests also has their times, in seconds, which are samples. The programs write 0
 * where they measured nothing: as the times of a request that failed, and as the mean of no
 * times.
 */
#include <math.h>

#include "convert/from.h"
#include "text/units.h"

/* The members of a file of one of the programs; it may lack some. */
struct serving_program {
	const char *const needs[6]; /* up to a NULL, as the other lists */
	const char *const factors[6];
	struct serving_time {
		const char *metric, *mean, *suffix; /* of the names of other statistics */
		const char *requests;               /* the array of all requests, or NULL */
	} times[5];
	struct serving_total {
		const char *member, *metric, *unit;
		int exponent;
	} totals[8];
};

static const struct serving_program vllm = {
	.needs = { "model_id", "request_throughput", "output_throughput", "completed",
	    "num_prompts" },
	.factors = { "backend", "request_rate", "burstiness", "max_concurrency" },
	.times = { { "first_token", "mean_ttft_ms", "_ttft_ms", "ttfts" },
	    { "per_token", "mean_tpot_ms", "_tpot_ms", NULL },
	    { "inter_token", "mean_itl_ms", "_itl_ms", "itls" },
	    { "latency", "mean_e2el_ms", "_e2el_ms", "latencies" } },
	.totals = { { "request_throughput", "throughput", "1/s", 0 },
	    { "request_goodput", "goodput", "1/s", 0 },
	    { "output_throughput", "token_rate", "1/s", 0 },
	    { "total_token_throughput", "total_token_rate", "1/s", 0 },
	    { "duration", "wall", "ns", 9 }, { "completed", "requests", "1", 0 },
	    { "failed", "failed_requests", "1", 0 } },
};

static const struct serving_program sglang = {
	.needs = { "backend", "request_throughput", "output_throughput", "completed",
	    "total_output_tokens_retokenized" },
	.factors = { "backend", "dataset_name", "request_rate", "max_concurrency", "tag" },
	.times = { { "first_token", "mean_ttft_ms", "_ttft_ms", "ttfts" },
	    { "per_token", "mean_tpot_ms", "_tpot_ms", NULL },
	    { "inter_token", "mean_itl_ms", "_itl_ms", "itls" },
	    { "latency", "mean_e2e_latency_ms", "_e2e_latency_ms", NULL } },
	.totals = { { "request_throughput", "throughput", "1/s", 0 },
	    { "output_throughput", "token_rate", "1/s", 0 },
	    { "total_throughput", "total_token_rate", "1/s", 0 },
	    { "accept_length", "accept_length", "1", 0 }, { "duration", "wall", "ns", 9 },
	    { "completed", "requests", "1", 0 } },
};

static bool has_members(const struct source *s, const struct serving_program *program)
{
	for (size_t i = 0; program->needs[i]; i++)
		if (!doc_member(s->doc, program->needs[i]))
			return false;
	return true;
}

static bool vllm_recognize(const struct source *s)
{
	return has_members(s, &vllm);
}

static bool sglang_recognize(const struct source *s)
{
	return has_members(s, &sglang);
}

struct reading {
	const struct source *source;
	struct row_builder *out;
	const struct serving_program *program;
	const struct serving_time *time;
};

static void set_status(struct row_builder *out, bool failed)
{
	row_builder_set(out, COL_STATUS, failed ? TEXT("failed") : TEXT("ok"));
}

/* Returns the name of the model, which SGLang has only from its own server, or "". */
static struct text model_of(const struct json_t *doc)
{
	const struct json_t *server = doc_member(doc, "server_info");
	struct text model = from_text(doc, "model_id");

	if (!model.len)
		model = from_text(server, "served_model_name");
	return model.len ? model : from_text(server, "model_path");
}

/* Begins rows, all of which have the same subject. */
static void begin_rows(const struct reading *r)
{
	const struct json_t *doc = r->source->doc;

	row_builder_clear(r->out);
	row_builder_set(r->out, COL_KIND, TEXT("model"));
	row_builder_set(r->out, COL_BENCH, model_of(doc));
	for (const char *const *name = r->program->factors; *name; name++)
		from_factor(r->out, text_of(*name), doc_member(doc, *name));
	set_status(r->out, false);
	r->out->row.process = r->out->row.sample = r->out->row.iterations = ROW_NONE;
}

static int put_ms(
    struct reading *r, const char *metric, const struct json_t *ms, struct fault *f)
{
	return row_builder_put(r->out, text_of(metric), TEXT("ns"), from_number(ms, 6), f);
}

/* Adds the row of a statistic of the current time other than the mean, such as
 * "p99_ttft_ms". */
static int on_statistic(
    void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct reading *r = ctx;
	struct text statistic = name, number;
	double x;

	if (!text_ends(name, r->time->suffix) || !doc_number(v, &x))
		return 0;
	statistic.len -= strlen(r->time->suffix);
	number = text_after(statistic, statistic.len ? 1 : 0);
	if (text_is(statistic, "std"))
		statistic = TEXT("sd");
	else if (!text_is(statistic, "median") &&
	         !(text_begins(statistic, "p") && number_parse(number, &x)))
		return 0;
	return put_ms(r,
	    arena_format(&r->out->texts, "%s_%.*s", r->time->metric, (int)statistic.len,
	        statistic.ptr),
	    v, f);
}

/* Adds the statistics of a time. */
static int put_statistics(struct reading *r, struct fault *f)
{
	const struct json_t *doc = r->source->doc, *mean = doc_member(doc, r->time->mean);
	double ms;

	if (!doc_number(mean, &ms) || !(ms > 0))
		return 0;
	begin_rows(r);
	/* The number of times between tokens is not in the file. */
	if (strcmp(r->time->metric, "inter_token") != 0)
		r->out->row.iterations = from_count(doc_member(doc, "completed"));
	if (put_ms(r, r->time->metric, mean, f) < 0)
		return -1;
	r->out->row.iterations = ROW_NONE;
	return doc_each(doc, on_statistic, r, f);
}

/*
 * Returns whether a request failed, and sets *why to the error. A server that gives no
 * reason leaves the error empty; then all times of the request are 0.
 */
static bool request_failed(const struct reading *r, size_t request, struct text *why)
{
	const struct json_t *doc = r->source->doc;
	bool has_time = false;
	double x;

	*why = TEXT("");
	if (doc_text(doc_item(doc_member(doc, "errors"), request), why) && why->len)
		return true;
	for (const struct serving_time *t = r->program->times; t->metric; t++) {
		const struct json_t *requests =
		    t->requests ? doc_member(doc, t->requests) : NULL;
		const struct json_t *v = doc_item(requests, request);

		has_time |= doc_length(v) || (doc_number(v, &x) && x > 0);
	}
	return !has_time;
}

/* Adds the time of a request, which is 0 if it was not measured. */
static int put_time(struct reading *r, const struct json_t *v, bool failed, struct fault *f)
{
	double ns = from_number(v, 9);

	return row_builder_put(
	    r->out, text_of(r->time->metric), TEXT("ns"), ns > 0 && !failed ? ns : NAN, f);
}

/* Adds the times of all requests, each of which is a number or has one for each token. */
static int put_requests(struct reading *r, const struct json_t *requests, struct fault *f)
{
	struct row_builder *out = r->out;
	const struct text metric = text_of(r->time->metric);
	struct text why;

	for (size_t i = 0; i < doc_length(requests); i++) {
		const struct json_t *v = doc_item(requests, i);
		bool failed = request_failed(r, i, &why);

		begin_rows(r);
		set_status(out, failed);
		if (why.len)
			row_builder_extra(out, EXTRA_MESSAGE, why);
		out->row.sample = (int64_t)i;
		if (!doc_is_array(v) && put_time(r, v, failed, f) < 0)
			return -1;
		out->row.process = (int64_t)i;
		for (size_t k = 0; k < doc_length(v) && !failed; k++) {
			out->row.sample = (int64_t)k;
			if (row_builder_put(out, metric, TEXT("ns"),
			        from_number(doc_item(v, k), 9), f) < 0)
				return -1;
		}
	}
	return 0;
}

static int put_totals(struct reading *r, struct fault *f)
{
	const struct json_t *doc = r->source->doc;
	bool failed = from_count(doc_member(doc, "completed")) == 0;

	begin_rows(r);
	set_status(r->out, failed);
	for (const struct serving_total *t = r->program->totals; t->member; t++) {
		double x = from_number(doc_member(doc, t->member), t->exponent);

		if (isfinite(x) &&
		    row_builder_put(r->out, text_of(t->metric), text_of(t->unit), x, f) < 0)
			return -1;
	}
	return 0;
}

static int serving_read(struct reading *r, struct fault *f)
{
	const struct json_t *doc = r->source->doc;

	for (r->time = r->program->times; r->time->metric; r->time++) {
		const struct json_t *requests =
		    r->time->requests ? doc_member(doc, r->time->requests) : NULL;
		/* Files without all requests have latencies, but not which failed. */
		bool detailed =
		    doc_is_array(doc_member(doc, "errors")) && doc_length(requests);

		if ((detailed ? put_requests(r, requests, f) : put_statistics(r, f)) < 0)
			return -1;
	}
	return put_totals(r, f);
}

static int vllm_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	return serving_read(
	    &(struct reading){ .source = s, .out = out, .program = &vllm }, f);
}

static int sglang_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	return serving_read(
	    &(struct reading){ .source = s, .out = out, .program = &sglang }, f);
}

const struct format format_vllm = { .name = "vllm",
	.meaning = "JSON of vLLM (bench serve --save-result)",
	.is_json = true,
	.recognize = vllm_recognize,
	.read = vllm_read };
const struct format format_sglang = { .name = "sglang",
	.meaning = "JSON of SGLang (bench_serving --output-file)",
	.is_json = true,
	.recognize = sglang_recognize,
	.read = sglang_read };
