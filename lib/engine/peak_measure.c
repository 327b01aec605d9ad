/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures peaks; see peak_measure.h. A peak is the best of many short batches, because
 * that is what the device reaches when nothing disturbs it. A kernel is enlarged until that
 * makes it no faster, so that it occupies a device of any size.
 */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "engine/peak_measure.h"
#include "graph/dtype.h"

static const double whole_ns = 1.2e8, try_ns = 3e7, batch_s = 0.004;
/* An enlarged kernel is better if it is faster by this factor. */
static const double gain = 1.01;
/* A cache is faster than the memory by at least this factor. */
static const double cache_gain = 1.1;
/* Data that take this long are beyond any cache. */
static const double slow_s = 0.002;
/* A first run also touches its memory for the first time, which takes less than this. */
static const double cold_s = 2;
enum { BATCH_MAX = 1 << 16, NODES = 16, TRIAD_ARRAYS = 3 };

/* A device while it is measured. */
struct subject_device {
	const struct backend *backend;
	struct backend_config config;
	struct backend_session *session;
	enum backend_dtype dtype;
};

/* A kernel with its parameter for the size and another one. */
struct sized_kernel {
	const char *name;
	const char *size[3]; /* the parameters that are set to the size; NULL at the end */
	struct binding other;
	bool of_bytes; /* the rate is in B/s instead of flop/s */
	size_t nodes;  /* how often a run computes it, so that starting it takes no time */
};

static const struct sized_kernel fma_kernel = { "fma", { "n" }, { 0 }, false, 1 },
                                 gemm_kernel = { "gemm", { "m", "n", "k" },
	                                 { "transpose", "0" }, false, 1 },
                                 transposed_kernel = { "gemm", { "m", "n", "k" },
	                                 { "transpose", "1" }, false, 1 },
                                 triad_kernel = { "triad", { "n" }, { 0 }, true, 1 },
                                 copy_kernel = { "copy", { "n" }, { 0 }, true, 1 },
                                 cached_triad = { "triad", { "n" }, { 0 }, true, NODES };

/* Returns the seconds that a batch of runs takes; NAN if one fails. */
static double batch_seconds(struct engine *e, int runs)
{
	struct fault ignored;
	int64_t start_ns = clock_monotonic_ns();

	for (int i = 0; i < runs; i++)
		if (engine_run(e, MODEL_FORWARD, 0, &ignored) < 0)
			return NAN;
	return engine_sync(e, &ignored) < 0 ? NAN : clock_elapsed_ns(start_ns) / 1e9;
}

/* Returns the least seconds that a run takes; NAN if runs fail. */
static double best_s(struct engine *e, double budget_ns)
{
	double once_s = batch_seconds(e, 1), least_s;
	int64_t start_ns;
	int runs;

	if (once_s < cold_s)
		once_s = fmin(batch_seconds(e, 1), once_s);
	if (isnan(once_s) || once_s * 1e9 > 10 * budget_ns)
		return once_s;
	runs =
	    once_s < batch_s ? (int)fmin(batch_s / fmax(once_s, 1e-9) + 1, BATCH_MAX) : 1;
	least_s = once_s;
	start_ns = clock_monotonic_ns();
	while (clock_elapsed_ns(start_ns) < budget_ns)
		least_s = fmin(least_s, batch_seconds(e, runs) / runs);
	return least_s;
}

/* Repeats the only node of a graph. */
static void repeat_node(struct graph *g, size_t times)
{
	for (size_t i = 1; i < times && g->nodes; i++) {
		struct graph_node copy = g->node[0];

		copy.name = str_copy(copy.name);
		*VEC_ADD(g->node, g->nodes, g->node_cap) = copy;
	}
}

/* Returns the bytes or flops per second of a kernel of a size; 0 if it cannot be run.
 * Stores the seconds of a run. */
static double kernel_rate(const struct subject_device *d, const struct sized_kernel *k,
    uint64_t size, double budget_ns, double *once_s)
{
	struct fault ignored;
	struct graph graph = { 0 };
	struct model *m = kernel_open(k->name, &ignored);
	struct binding param[4];
	enum engine_trouble trouble;
	struct engine *e = NULL;
	double amount = 0, s = NAN;
	size_t params = 0;
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)size);
	for (size_t i = 0; i < COUNT(k->size) && k->size[i]; i++)
		param[params++] = (struct binding){ k->size[i], text };
	if (k->other.name)
		param[params++] = k->other;
	const struct model_expand_opts opts = {
		.param = param, .params = params, .dtype = d->dtype
	};

	if (m && model_expand(m, &opts, &graph, &ignored) == 0) {
		amount = (k->of_bytes ? graph.bytes : graph.flops) * (double)k->nodes;
		repeat_node(&graph, k->nodes);
		e = engine_open(&(struct engine_opts){ .backend = d->backend,
		                    .device = d->config,
		                    .graph = { &graph },
		                    .rounding = d->dtype,
		                    .session = d->session,
		                    .repeat = true },
		    &trouble, &ignored);
	}
	if (e)
		s = best_s(e, budget_ns);
	engine_close(e);
	model_close(m);
	*once_s = s / (double)k->nodes;
	return s > 0 ? amount / s : 0;
}

/*
 * Returns the best rate of a kernel whose size begins at `size` and is multiplied by `step`
 * as long as a run takes less than limit_s and the rate grows; one size without growth is
 * tolerated. The best size is measured for longer. Stores that size.
 */
static double best_rate(const struct subject_device *d, const struct sized_kernel *k,
    uint64_t size, uint64_t step, double limit_s, uint64_t *best_size)
{
	double best = 0, once_s = 0;
	int without_growth = 0;

	*best_size = size;
	for (; without_growth < 2; size *= step) {
		double now = kernel_rate(d, k, size, try_ns, &once_s);

		if (now <= 0)
			break;
		without_growth = now > best * gain ? 0 : without_growth + 1;
		if (now > best) {
			best = now;
			*best_size = size;
		}
		if (once_s > limit_s)
			break;
	}
	if (best <= 0 || once_s * 1e9 > whole_ns)
		return best;
	return fmax(best, kernel_rate(d, k, *best_size, whole_ns, &once_s));
}

/* Returns the elements of each array of a triad of this many bytes. */
static uint64_t triad_size(const struct subject_device *d, double bytes)
{
	return (uint64_t)(bytes / TRIAD_ARRAYS / (double)dtype_bytes(d->dtype));
}

/* Measures the caches with growing data, until they exceed any. The smallest data are those
 * of a processor's first cache. */
static void measure_cache(const struct subject_device *d, struct measured_peaks *p)
{
	const double first = 12 << 10, common = 768 << 10, last = 768 << 20;
	double once_s = 0, best = 0, end = 0;

	for (double bytes = first; bytes <= last && once_s <= slow_s;
	     bytes *= bytes < common ? 4 : 2) {
		double now = kernel_rate(
		    d, &cached_triad, triad_size(d, bytes), try_ns / 2, &once_s);

		best = fmax(best, now);
		if (now > p->bandwidth * cache_gain)
			end = bytes * 2;
		else if (end > 0 && bytes > end)
			break;
	}
	if (end <= 0)
		return;
	p->cache_bandwidth = best;
	p->cache_bytes = end;
}

struct measured_peaks peak_measure(const struct backend *backend,
    const struct backend_config *device, enum backend_dtype dtype)
{
	const double memory_bytes = 192 << 20;
	struct subject_device d = { .backend = backend, .config = *device, .dtype = dtype };
	struct measured_peaks p = { 0 };
	char why[BACKEND_WHY + 1];
	double once_s;
	uint64_t size;

	d.session = backend->open(device, why);
	if (!d.session)
		return p;
	p.flop_rate = best_rate(&d, &fma_kernel, 1 << 16, 4, 0.004, &size);
	p.matrix_rate = best_rate(&d, &gemm_kernel, 256, 2, 0.004, &size);
	if (p.matrix_rate > 0)
		p.matrix_rate = fmax(p.matrix_rate,
		    kernel_rate(&d, &transposed_kernel, size, whole_ns, &once_s));
	p.bandwidth =
	    best_rate(&d, &triad_kernel, triad_size(&d, memory_bytes), 2, 0.0008, &size);
	if (p.bandwidth <= 0)
		p.bandwidth = best_rate(
		    &d, &copy_kernel, triad_size(&d, memory_bytes), 2, 0.0008, &size);
	else
		measure_cache(&d, &p);
	backend->close(d.session);
	return p;
}
