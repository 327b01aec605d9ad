/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the JSON of nccl-tests (-J). Its mean times are rounded to the picosecond. With -I,
 * the times of the iterations are read in place of their mean.
 */
#include <math.h>

#include "console/nccl_result.h"
#include "convert/from.h"

static bool nccl_json_recognize(const struct source *s)
{
	const struct json_t *config = doc_member(s->doc, "config");

	return doc_member(s->doc, "nccl_version") && doc_member(config, "minimum_bytes") &&
	       doc_member(config, "aggregated_iterations");
}

/* The places of an operation, and the members that have them. */
static const struct nccl_place {
	const char *member, *times, *place;
} places[] = {
	{ "out_of_place", "out_of_place_per_iter", "out" },
	{ "in_place", "in_place_per_iter", "in" },
};

struct nccl_json {
	struct row_builder *out;
	struct arena texts;
	struct nccl_run run;
	int64_t operations, graphs; /* of each iteration */
};

/* Returns the name of the program, without its directory. */
static struct text program_name(const struct json_t *doc)
{
	struct text path = TEXT("");
	const char *slash;

	doc_text(doc_item(doc_member(doc, "args"), 0), &path);
	slash = path.len ? memrchr(path.ptr, '/', path.len) : NULL;
	return slash ? text_after(path, (size_t)(slash - path.ptr) + 1) : path;
}

/* Reads the ranks. The file has only the first one of each process. */
static void read_ranks(struct nccl_json *r, const struct json_t *config)
{
	const struct json_t *devices = doc_member(config, "devices");
	const int64_t threads = from_count(doc_member(config, "nthreads"));
	const int64_t gpus = from_count(doc_member(config, "ngpus"));
	int64_t ranks;

	for (size_t i = 0; i < doc_length(devices); i++) {
		const struct json_t *device = doc_item(devices, i);

		nccl_run_add_rank(&r->run, from_text(device, "hostname"),
		    from_text(device, "device_info"));
	}
	if (threads < 1 || gpus < 1 ||
	    __builtin_mul_overflow(r->run.ranks, threads, &ranks) ||
	    __builtin_mul_overflow(ranks, gpus, &ranks))
		ranks = 0;
	r->run.ranks = ranks;
}

/* Adds the rows of the times of the iterations of a result, whose columns are set. */
static int put_times(struct row_builder *out, const struct json_t *times, struct fault *f)
{
	const int64_t count = (int64_t)doc_length(times), repetition = out->row.sample;

	out->row.iterations = ROW_NONE;
	for (int64_t i = 0; i < count; i++) {
		const double ns = from_number(doc_item(times, (size_t)i), 3);

		out->row.sample = repetition * count + i;
		if (row_builder_put(
		        out, TEXT("latency"), TEXT("ns"), ns > 0 ? ns : NAN, f) < 0)
			return -1;
	}
	return 0;
}

static void add_number(struct nccl_result *result, const struct json_t *object,
    const char *member, const char *metric, const char *unit, int exponent)
{
	const struct json_t *v = doc_member(object, member);

	if (v)
		nccl_result_add(result, metric, unit, from_number(v, exponent));
}

static int put_place(struct nccl_json *r, const struct json_t *size,
    const struct nccl_place *place, struct fault *f)
{
	const struct json_t *object = doc_member(size, place->member);
	const struct json_t *times = doc_member(doc_member(size, place->times), "times_us");
	const struct json_t *count = doc_member(size, "size");
	struct nccl_result result = { .place = place->place };
	double wrong = 0;

	if (doc_is_null(object))
		return 0;
	doc_number(doc_member(object, "nwrong"), &wrong);
	result.is_wrong = wrong != 0;
	nccl_result_factor(&result, "size", from_scalar(&r->texts, count));
	nccl_result_factor(&result, "datatype", from_text(size, "type"));
	nccl_result_factor(&result, "redop", from_text(size, "redop"));
	nccl_result_factor(&result, "root", text_trim(from_text(size, "root")));
	if (doc_length(times) == 0)
		add_number(&result, object, "time", "latency", "ns", 3);
	add_number(&result, object, "cpu_time", "cpu_time", "ns", 3);
	add_number(&result, object, "alg_bw", "bandwidth", "B/s", 9);
	add_number(&result, object, "bus_bw", "bus_bandwidth", "B/s", 9);
	if (nccl_result_put(&r->run, &result, r->out, f) < 0)
		return -1;
	return put_times(r->out, times, f);
}

static int nccl_json_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	const struct json_t *config = doc_member(s->doc, "config");
	const struct json_t *results = doc_member(s->doc, "results");
	struct nccl_json r = { .out = out };
	int status = 0;

	nccl_run_begin(&r.run, program_name(s->doc));
	read_ranks(&r, config);
	r.operations = from_count(doc_member(config, "aggregated_iterations"));
	r.graphs = from_count(doc_member(config, "graph"));
	for (size_t i = 0; i < doc_length(results) && status == 0; i++) {
		const struct json_t *size = doc_item(results, i);

		r.run.iterations =
		    nccl_iterations(from_count(doc_member(size, "actual_iterations")),
		        r.operations, r.graphs);
		for (size_t k = 0; k < COUNT(places) && status == 0; k++)
			status = put_place(&r, size, &places[k], f);
	}
	if (status == 0 && doc_length(results) == 0)
		status = nccl_result_put_none(&r.run, out, f);
	nccl_run_free(&r.run);
	arena_free(&r.texts);
	return status;
}

const struct format format_nccl_tests = { .name = "nccl-tests",
	.meaning = "JSON of nccl-tests (-J), such as all_reduce_perf",
	.is_json = true,
	.recognize = nccl_json_recognize,
	.read = nccl_json_read };
