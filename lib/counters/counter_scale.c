/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes values of counters; see counter_scale.h.
 */
#include <math.h>
#include <stdlib.h>

#include "counters/counter_scale.h"

struct wire_event counter_wire_event(const struct counter *c)
{
	return (struct wire_event){ .attr = c->attr,
		.user_only_counts = c->user_only_counts,
		.bond = c->bond,
		.strict = c->strict };
}

struct scaled_count counter_scale(
    const struct counter *c, const struct wire_count *n, double per)
{
	double count = (double)n->value / per, share;

	if (c->state != COUNTER_READY || !n->running_ns)
		return (struct scaled_count){ NAN, 0 };
	if (n->running_ns >= n->enabled_ns)
		return (struct scaled_count){ count * c->scale, 100 };
	share = (double)n->running_ns / (double)n->enabled_ns;
	return (struct scaled_count){ count / share * c->scale, 100 * share };
}

bool derived_ready(const struct counter_set *set, const struct derived *d)
{
	for (size_t i = 0; i < formula_names(d->formula); i++)
		if (d->input[i] != SIZE_MAX &&
		    set->counter[d->input[i]].state != COUNTER_READY)
			return false;
	return true;
}

struct scaled_count derived_of(const struct counter_set *set, const struct derived *d,
    const struct wire_count *counts, const double usage[USAGES], double per)
{
	size_t names = formula_names(d->formula);
	double *value = mem_zero(names, sizeof(*value));
	struct scaled_count all = { .running_pct = 100 };

	for (size_t i = 0; i < names; i++) {
		if (d->input[i] == SIZE_MAX) {
			value[i] = usage[usage_find(formula_name(d->formula, i))] / per;
			continue;
		}
		struct scaled_count one =
		    counter_scale(&set->counter[d->input[i]], &counts[d->input[i]], per);

		value[i] = one.value;
		all.running_pct = fmin(all.running_pct, one.running_pct);
	}
	all.value = formula_value(d->formula, value);
	free(value);
	return all;
}
