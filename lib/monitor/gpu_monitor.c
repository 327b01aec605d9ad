/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time series of GPUs; see gpu_monitor.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "monitor/gpu_monitor.h"
#include "monitor/interval_thread.h"

enum { SHARE = 100 }; /* the observations take 1 / SHARE of the time */

struct gpu_monitor {
	const struct gpus *gpus;
	struct interval_thread *thread;
	struct watch_value *value; /* used only by the thread while it is switched on */
	size_t values, cap;
};

static double look_at_gpus(void *ctx)
{
	struct gpu_monitor *m = ctx;

	for (size_t i = 0; i < gpus_count(m->gpus); i++) {
		int64_t at = clock_monotonic_ns();
		double value[GPU_METRICS];

		gpus_read(m->gpus, i, value);
		for (size_t k = 0; k < GPU_METRICS; k++)
			if (!isnan(value[k]))
				*VEC_ADD(m->value, m->values, m->cap) =
				    (struct watch_value){ at,
					    (enum run_metric)(METRIC_GPU_POWER + k),
					    gpus_name(m->gpus, i), value[k] };
	}
	return SHARE;
}

struct gpu_monitor *gpu_monitor_open(
    const struct gpus *gpus, double interval_ns, struct fault *f)
{
	struct gpu_monitor *m = mem_zero(1, sizeof(*m));
	struct fault why;

	m->gpus = gpus;
	m->thread = interval_thread_open(
	    (int64_t)interval_ns, (int64_t)interval_ns, look_at_gpus, m, &why);
	if (m->thread)
		return m;
	fault_set(f, "--gpu: %s", why.text);
	free(m);
	return NULL;
}

void gpu_monitor_close(struct gpu_monitor *m)
{
	if (!m)
		return;
	interval_thread_close(m->thread);
	free(m->value);
	free(m);
}

void gpu_monitor_start(struct gpu_monitor *m)
{
	if (!m)
		return;
	m->values = 0;
	interval_thread_start(m->thread, clock_monotonic_ns());
}

void gpu_monitor_stop(struct gpu_monitor *m)
{
	if (m)
		interval_thread_stop(m->thread);
}

size_t gpu_monitor_values(const struct gpu_monitor *m, const struct watch_value **values)
{
	*values = m ? m->value : NULL;
	return m ? m->values : 0;
}
