/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the GPU of a kernel or model during its samples; see function_run.h.
 *
 * A subject that draws much power lowers the clock of the GPU, which rises again only after
 * some time. Without a pause, the subjects of a block would thus change each other's times.
 * Each subject therefore runs untimed until the clock has the rate that it has under this
 * subject; see gpu_state_has_settled.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/function_run_priv.h"

static const int64_t settle_limit_ns = 2000000000;

void function_run_find_gpu(struct function_run *c)
{
	const struct plan *p = c->plan;

	if (!p->gpu_state || !c->subject->work)
		return;
	c->gpu.cards = gpu_state_cards(p->gpu_state, c->subject);
	c->gpu.on_card = c->gpu.cards != 0;
	if (!c->gpu.cards && p->gpu_asked)
		c->gpu.cards = gpu_state_all(p->gpu_state);
	c->gpu.usual_hz = NAN;
}

void function_run_settle(struct function_run *c)
{
	int64_t start_ns = clock_monotonic_ns();

	if (!c->gpu.cards)
		return;
	if (c->gpu.on_card) {
		do
			c->gpu.settled = gpu_state_has_settled(
			    c->plan->gpu_state, c->gpu.cards, start_ns, &c->gpu.usual_hz);
		while (!c->gpu.settled &&
		       clock_monotonic_ns() - start_ns < settle_limit_ns &&
		       function_run_iterate(c, c->iterations));
		if (c->walls)
			c->gpu.settling_ns += clock_elapsed_ns(start_ns);
	}
	gpu_state_begin(c->plan->gpu_state);
}

void function_run_keep_gpu(struct function_run *c, struct kept *k)
{
	struct gpu_counts *n = &c->gpu.counts;

	if (!c->gpu.cards)
		return;
	gpu_state_end(c->plan->gpu_state, c->gpu.cards, k->gpu);
	k->of_gpu = true;
	if (!c->gpu.on_card)
		return;
	k->settled = isnan(k->gpu[GPU_CLOCK]) ? NAN : c->gpu.settled;
	n->samples++;
	n->unsettled += k->settled == 0; /* false for NAN */
	for (size_t i = 0; i < GPU_LIMITS; i++)
		n->limited[i] += k->gpu[GPU_THROTTLE_POWER + i] > 0;
}

void function_run_put_gpu(
    const struct function_run *c, const struct kept *k, struct run_sample *s)
{
	if (!k->of_gpu)
		return;
	for (unsigned m = 0; m < GPU_METRICS; m++)
		if (!isnan(k->gpu[m]) &&
		    (c->plan->gpu_asked || (m != GPU_UTILISATION && m != GPU_MEMORY)))
			run_sample_add(
			    s, (enum run_metric)(METRIC_GPU_POWER + m), k->gpu[m]);
	if (c->gpu.on_card && !isnan(k->settled))
		run_sample_add(s, METRIC_GPU_SETTLED, k->settled);
}

void function_run_explain_gpu(const struct function_run *c, struct buf *lines)
{
	static const char *const limits[GPU_LIMITS] = { "the limit of its power",
		"its temperature", "another limit" };
	const struct gpu_counts *n = &c->gpu.counts;
	char *name = subject_label(c->subject);

	for (size_t i = 0; i < GPU_LIMITS; i++)
		if (n->limited[i])
			buf_printf(lines,
			    "%s: %s lowered the clock of the GPU in %llu of %llu "
			    "samples%s\n",
			    name, limits[i], (unsigned long long)n->limited[i],
			    (unsigned long long)n->samples,
			    n->limited[i] < n->samples
			        ? ", so the samples are not taken under the same conditions"
			        : "");
	if (n->unsettled)
		buf_printf(lines,
		    "%s: the clock of the GPU was not constant before %llu of %llu "
		    "samples\n",
		    name, (unsigned long long)n->unsettled, (unsigned long long)n->samples);
	free(name);
}
