/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures peaks; see peak_measure.h. A peak is the best of many short batches, because
 * that is what the device reaches when nothing disturbs it.
 */
#include <math.h>

#include "base/clock.h"
#include "engine/peak_measure.h"

static const double whole_ns = 1.2e8, batch_s = 0.004;
enum { BATCH_MAX = 1 << 16 };

/* Returns the seconds that a batch of runs takes; NAN if one fails. */
static double batch(struct engine *e, int runs)
{
	struct fault ignored;
	int64_t start_ns = clock_monotonic_ns();

	for (int i = 0; i < runs; i++)
		if (engine_run(e, MODEL_FORWARD, 0, &ignored) < 0)
			return NAN;
	return engine_sync(e, &ignored) < 0 ? NAN : clock_elapsed_ns(start_ns) / 1e9;
}

/* Returns the least seconds that a run takes; NAN if runs fail. */
static double best_s(struct engine *e)
{
	double once_s = batch(e, 1), least_s;
	int64_t start_ns;
	int runs;

	once_s = fmin(batch(e, 1), once_s);
	if (isnan(once_s))
		return NAN;
	runs =
	    once_s < batch_s ? (int)fmin(batch_s / fmax(once_s, 1e-9) + 1, BATCH_MAX) : 1;
	least_s = once_s;
	start_ns = clock_monotonic_ns();
	while (clock_elapsed_ns(start_ns) < whole_ns)
		least_s = fmin(least_s, batch(e, runs) / runs);
	return least_s;
}

/* Returns the bytes or flops per second of a kernel; 0 if it cannot be run. */
static double rate(const char *kernel, const struct backend *backend,
    const struct backend_config *device, enum backend_dtype dtype, bool of_bytes)
{
	struct fault ignored;
	struct graph graph = { 0 };
	struct model *m = kernel_open(kernel, &ignored);
	enum engine_trouble trouble;
	struct engine *e;
	double amount, s;

	if (!m)
		return 0;
	if (model_expand(m, NULL, 0, MODEL_FORWARD, dtype, &graph, &ignored) < 0) {
		model_close(m);
		return 0;
	}
	/* Drawing numbers would take most of the time, and the rate does not depend on
	 * them.
	 */
	for (size_t i = 0; i < graph.values; i++)
		if (graph.value[i].fill != FILL_NOTHING)
			graph.value[i].fill = FILL_VALUE;
	amount = of_bytes ? graph.bytes : graph.flops;
	e = engine_open(&(struct engine_opts){ .backend = backend,
	                    .device = *device,
	                    .graph = { &graph },
	                    .rounding = dtype },
	    &trouble, &ignored);
	s = e ? best_s(e) : NAN;
	engine_close(e);
	model_close(m);
	return s > 0 ? amount / s : 0;
}

struct measured_peaks peak_measure(const struct backend *backend,
    const struct backend_config *device, enum backend_dtype dtype)
{
	return (struct measured_peaks){
		.flop_rate = rate("fma", backend, device, dtype, false),
		.bandwidth = rate("triad", backend, device, dtype, true),
	};
}
