/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes rows of the results of nccl-tests; see nccl_result.h.
 */
#include <inttypes.h>
#include <math.h>

#include "console/nccl_result.h"

int64_t nccl_iterations(int64_t iterations, int64_t operations, int64_t graphs)
{
	int64_t all;

	if (graphs < 1)
		graphs = 1;
	if (iterations < 1 || operations < 1 ||
	    __builtin_mul_overflow(iterations, operations, &all) ||
	    __builtin_mul_overflow(all, graphs, &all))
		return ROW_NONE;
	return all;
}

void nccl_run_begin(struct nccl_run *run, struct text bench)
{
	run->bench = bench;
	run->host = run->device = TEXT("");
	run->ranks = 0;
	run->iterations = ROW_NONE;
}

/* Keeps the first text, or makes it empty if another one differs. */
static void keep_same(struct text *kept, struct text t, bool first)
{
	if (first)
		*kept = t;
	else if (!text_equal(*kept, t))
		*kept = TEXT("");
}

void nccl_run_add_rank(struct nccl_run *run, struct text host, struct text device)
{
	keep_same(&run->host, host, run->ranks == 0);
	keep_same(&run->device, device, run->ranks == 0);
	run->ranks++;
}

void nccl_result_add(
    struct nccl_result *result, const char *metric, const char *unit, double value)
{
	if (result->values == COUNT(result->value))
		return;
	result->value[result->values].metric = metric;
	result->value[result->values].unit = unit;
	result->value[result->values++].value = value;
}

void nccl_result_factor(struct nccl_result *result, const char *name, struct text value)
{
	if (result->factors == COUNT(result->factor))
		return;
	result->factor[result->factors].name = name;
	result->factor[result->factors++].value = value;
}

/* Sets the columns of the run. */
static void set_run(const struct nccl_run *run, struct row_builder *out)
{
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_set(out, COL_BENCH, run->bench);
	row_builder_set(out, COL_HOST, run->host);
	row_builder_factor(out, TEXT("device"), run->device);
	if (run->ranks)
		row_builder_factor_number(out, TEXT("ranks"), (double)run->ranks);
	out->row.iterations = run->iterations;
}

/* Clears the row, and sets its columns. */
static void set_result(
    struct nccl_run *run, const struct nccl_result *result, struct row_builder *out)
{
	struct buf key = { 0 };

	set_run(run, out);
	row_builder_factor(out, TEXT("place"), text_of(result->place));
	buf_text(&key, run->bench);
	buf_printf(&key, "\n%s\n%" PRId64, result->place, run->ranks);
	for (size_t i = 0; i < result->factors; i++) {
		row_builder_factor(
		    out, text_of(result->factor[i].name), result->factor[i].value);
		buf_byte(&key, '\n');
		buf_text(&key, result->factor[i].value);
	}
	out->row.sample = sample_counts_next(&run->counts, text_in(&key));
	buf_free(&key);
	row_builder_set(out, COL_STATUS, result->is_wrong ? TEXT("failed") : TEXT("ok"));
}

int nccl_result_put(struct nccl_run *run, const struct nccl_result *result,
    struct row_builder *out, struct fault *f)
{
	set_result(run, result, out);
	for (size_t i = 0; i < result->values; i++) {
		const double x = result->value[i].value;

		if (row_builder_put(out, text_of(result->value[i].metric),
		        text_of(result->value[i].unit), x > 0 ? x : NAN, f) < 0)
			return -1;
	}
	return 0;
}

int nccl_result_put_none(struct nccl_run *run, struct row_builder *out, struct fault *f)
{
	set_run(run, out);
	out->row.iterations = ROW_NONE;
	row_builder_set(out, COL_STATUS, TEXT("failed"));
	return row_builder_put(out, TEXT("latency"), TEXT("ns"), NAN, f);
}

void nccl_run_free(struct nccl_run *run)
{
	sample_counts_free(&run->counts);
}
