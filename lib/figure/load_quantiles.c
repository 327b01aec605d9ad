/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes marks of quantiles; see load_priv.h. A mark has one value, the quantile, or a limit
 * that the quantile exceeds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/load_priv.h"
#include "stats/censored.h"
#include "stats/quantile_interval.h"

/* Returns a sorted copy. */
static double *sorted(const double *value, size_t count)
{
	double *copy = mem_zero(count, sizeof(*copy));

	if (count)
		memcpy(copy, value, count * sizeof(*copy));
	stats_sort(copy, count);
	return copy;
}

/* Appends a mark without values. */
static struct mark *add_gap(struct figure *fig, size_t *cap)
{
	struct mark *m = VEC_ADD(fig->mark, fig->marks, *cap);

	*m = (struct mark){ 0 };
	stats_summarize(NULL, 0, 0.95, &m->s);
	m->above = m->s;
	return m;
}

/* Appends a mark with a value, or with a limit if the value is only known to exceed it. */
static struct mark *add_mark(struct figure *fig, size_t *cap, struct bounded value)
{
	struct mark *m = VEC_ADD(fig->mark, fig->marks, *cap);
	double *one = mem_zero(1, sizeof(*one));

	*one = value.at;
	*m = (struct mark){ .n = !value.above, .limits = value.above };
	m->s = (struct summary){ .median = NAN, .ci_lo = NAN, .ci_hi = NAN };
	m->above = m->s;
	if (value.above) {
		m->limit = one;
		m->above.median = value.at;
	} else {
		m->value = one;
		m->s.median = value.at;
	}
	m->s.min = m->s.max = value.at;
	return m;
}

struct mark *load_add_quantile(struct figure *fig, size_t *cap,
    const struct collected *values, double p, double confidence)
{
	const struct quantile_input input = { .value = values->value,
		.identity = values->identity,
		.values = values->count,
		.limit = values->missing->limit,
		.limit_identity = values->missing->limit_identity,
		.limits = values->missing->limits };

	if (!values->count && !values->missing->limits)
		return add_gap(fig, cap);

	struct quantile_series *series = quantile_series_open(&input);
	struct quantile_interval interval = quantile_series_interval(series, p, confidence);
	double *value = sorted(values->value, values->count),
	       *limit = sorted(values->missing->limit, values->missing->limits);
	const struct censored all = { value, values->count, limit,
		values->missing->limits };
	struct mark *m = add_mark(fig, cap, censored_quantile(&all, p));

	m->s.ci_lo = interval.lo;
	m->s.ci_hi = interval.hi;
	quantile_series_close(series);
	free(value);
	free(limit);
	return m;
}
