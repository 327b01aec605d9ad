/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes medians and quantiles; see brief_median.h.
 */
#include <math.h>
#include <stdlib.h>

#include "brief/brief_median.h"
#include "brief/brief_text.h"
#include "stats/censored.h"

/* An interval with a side that is this many times the other one has its ends printed, not
 * half its width. */
enum { LOPSIDED = 2, ABOVE_LEAST = 2 };

struct summary brief_summary_of(
    const struct collected *values, double confidence, struct summary *above)
{
	size_t n = values->count, m = values->missing->limits;
	double *value = mem_zero(n + m + 1, sizeof(*value)), *limit = value + n;
	struct summary s;

	if (n)
		memcpy(value, values->value, n * sizeof(*value));
	if (m)
		memcpy(limit, values->missing->limit, m * sizeof(*limit));
	censored_summarize(value, n, limit, m, confidence, &s, above);
	free(value);
	return s;
}

bool brief_put_median(struct buf *b, const struct collected *values, struct text unit,
    const struct brief_opts *opts)
{
	struct summary above,
	    s = brief_summary_of(values, opts->inference.confidence, &above);
	bool interval = isfinite(s.median) && isfinite(s.ci_hi - s.ci_lo);
	double left = s.median - s.ci_lo, right = s.ci_hi - s.median;

	if (interval && fmax(left, right) <= LOPSIDED * fmin(left, right))
		brief_put_half(b, s.median, (s.ci_hi - s.ci_lo) / 2, unit, opts->utf8);
	else if (interval) {
		brief_put_value(b, s.median, unit, opts->utf8);
		buf_str(b, ", ");
		brief_put_value(b, s.ci_lo, unit, opts->utf8);
		buf_str(b, " to ");
		brief_put_value(b, s.ci_hi, unit, opts->utf8);
	} else if (isfinite(s.median))
		brief_put_value(b, s.median, unit, opts->utf8);
	else if (isfinite(above.median)) {
		buf_byte(b, '>');
		brief_put_value(b, above.median, unit, opts->utf8);
	}
	return interval;
}

void brief_put_bare_median(struct buf *b, const struct collected *values, struct text unit,
    const struct brief_opts *opts)
{
	struct summary above,
	    s = brief_summary_of(values, opts->inference.confidence, &above);

	if (isnan(s.median) && isfinite(above.median))
		buf_byte(b, '>');
	brief_put_value(b, isnan(s.median) ? above.median : s.median, unit, opts->utf8);
}

bool brief_put_median_of(struct buf *b, const struct collected *values, struct text metric,
    struct text unit, const struct brief_opts *opts)
{
	if (!values->several && !text_is(metric, "latency"))
		return brief_put_median(b, values, unit, opts);
	brief_put_bare_median(b, values, unit, opts);
	return false;
}

void brief_put_quantiles(struct buf *b, const struct collected *values, struct text unit,
    const struct brief_opts *opts)
{
	struct summary above,
	    s = brief_summary_of(values, opts->inference.confidence, &above);
	const struct {
		const char *name;
		double value, part_above;
	} quantiles[] = { { "p90", s.p90, 0.1 }, { "p99", s.p99, 0.01 },
		{ "p99.9", s.p999, 0.001 }, { "p99.99", s.p9999, 0.0001 } };

	for (size_t i = 0; i < COUNT(quantiles); i++) {
		if (!isfinite(quantiles[i].value) ||
		    s.n * quantiles[i].part_above < ABOVE_LEAST)
			continue;
		buf_printf(b, "%s%s ", b->len ? ", " : "", quantiles[i].name);
		brief_put_value(b, quantiles[i].value, unit, opts->utf8);
	}
}

size_t brief_values_needed(double confidence)
{
	size_t n = 1, lo, hi;

	while (n < 100 && !stats_median_ranks(n, confidence, &lo, &hi))
		n++;
	return n;
}
