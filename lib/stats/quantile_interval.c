/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals of quantiles; see quantile_interval.h.
 *
 * Too few batches would make the estimated variance uncertain, and batches shorter than the
 * dependence would make it too small. So there are many batches, and the lags between them
 * extend as far as the dependence does. The more lags, the fewer degrees of freedom has the
 * variance (M. B. Priestley, "Spectral Analysis and Time Series" (1981), section 6.2.4,
 * truncated window), which Student's t takes into account.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/confidence.h"
#include "stats/dist.h"
#include "stats/quantile_interval.h"
#include "stats/stats.h"

/* The dependence is the largest of those of the quantile and of quantiles nearer to the
 * median. At least RARE_LEAST values are beyond the first quantile, and STEP times as many
 * beyond each further one. */
enum { BATCHES_LEAST = 32, BATCHES_MOST = 1024, RARE_LEAST = 20, STEP = 10 };

/* The confidence of the bounds of the estimated dependence. */
static const double sure = 0.9;

/* If values depend on each other, samples without the rare events that cause the largest
 * values, such as a long queue, also seem less dependent. So the dependence counts this
 * many times; tests/validation/quantiles.sh measures the coverage. */
static const double caution = 2;

struct quantile_series {
	double *value;            /* in the order of measurement; INFINITY: censored */
	double *least, *greatest; /* sorted, with limits and INFINITY in their places */
	size_t n;
	size_t *process; /* the first value of each process, and the end */
	size_t processes;
	size_t *run; /* the first process of each run, and the end */
	size_t runs;
};

struct quantile_place {
	struct sample_id id;
	size_t at; /* in the input */
	double value;
};

static int by_place(const void *a, const void *b)
{
	const struct quantile_place *x = a, *y = b;
	int order = sample_id_order(&x->id, &y->id);

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* Stores the values in order, and where processes and runs begin. */
static void take_order(struct quantile_series *s, const struct quantile_place *p)
{
	for (size_t i = 0; i < s->n; i++) {
		bool run = !i || p[i].id.run != p[i - 1].id.run;

		s->value[i] = p[i].value;
		if (run)
			s->run[s->runs++] = s->processes;
		if (run || p[i].id.process != p[i - 1].id.process)
			s->process[s->processes++] = i;
	}
	s->process[s->processes] = s->n;
	s->run[s->runs] = s->processes;
}

struct quantile_series *quantile_series_open(const struct quantile_input *in)
{
	struct quantile_series *s = mem_zero(1, sizeof(*s));
	size_t n = in->values + in->limits;
	struct quantile_place *placed = mem_zero(n + 1, sizeof(*placed));

	s->n = n;
	s->value = mem_zero(n + 1, sizeof(*s->value));
	s->least = mem_zero(n + 1, sizeof(*s->least));
	s->greatest = mem_zero(n + 1, sizeof(*s->greatest));
	s->process = mem_zero(n + 1, sizeof(*s->process));
	s->run = mem_zero(n + 1, sizeof(*s->run));
	for (size_t i = 0; i < in->values; i++) {
		placed[i] = (struct quantile_place){ in->identity[i], i, in->value[i] };
		s->least[i] = in->value[i];
	}
	for (size_t i = 0; i < in->limits; i++) {
		placed[in->values + i] = (struct quantile_place){ in->limit_identity[i],
			in->values + i, INFINITY };
		s->least[in->values + i] = in->limit[i];
	}
	for (size_t i = 0; i < n; i++)
		s->greatest[i] = placed[i].value;
	stats_sort(s->least, n);
	stats_sort(s->greatest, n);
	qsort(placed, n, sizeof(*placed), by_place);
	take_order(s, placed);
	free(placed);
	return s;
}

/* The variance of the number of values up to a threshold. */
struct spread {
	double factor; /* divided by that of independent values */
	double freedom;
};

/* Numbers of values up to a threshold, each less its expectation. */
struct deviations {
	double *of; /* of the batches of each process in turn */
	size_t count;
	size_t *first; /* the first batch of each process, and the end */
	size_t processes;
};

/* Returns the sum of the products of batches of a process at this lag, and adds their
 * number to *pairs. */
static double sum_products(const struct deviations *d, size_t lag, double *pairs)
{
	double sum = 0, times = lag ? 2 : 1;

	for (size_t p = 0; p < d->processes; p++)
		for (size_t i = d->first[p]; i + lag < d->first[p + 1]; i++) {
			sum += times * d->of[i] * d->of[i + lag];
			*pairs += times;
		}
	return sum;
}

/* Returns the variance of the sum of all batches, or INFINITY if the dependence extends too
 * far to estimate it, and its degrees of freedom. The deviations are from the mean of all
 * batches, which makes the sums of products smaller, in proportion to their number. */
static double serial_variance(const struct deviations *d, double *freedom)
{
	double n = (double)d->count, pairs = 0, last = INFINITY, kept;
	double sum = sum_products(d, 0, &pairs) + sum_products(d, 1, &pairs);

	for (size_t lag = 2; lag < d->count; lag += 2) {
		double own = 0, more = sum_products(d, lag, &own);

		more += sum_products(d, lag + 1, &own);
		if (!(more > 0))
			break;
		last = fmin(last, more);
		sum += last;
		pairs += own;
	}
	kept = 1 - pairs / (n * n);
	*freedom = n * n / pairs - 1;
	return kept > 0.25 && *freedom >= 1 ? fmax(0, sum) / kept : INFINITY;
}

/* Adds the differences between units: processes or runs. The degrees of freedom are those
 * of F. E. Satterthwaite, "An approximate distribution of estimates of variance
 * components", Biometrics Bulletin 2 (1946). */
static void add_units(
    struct spread *s, const double *deviation, size_t units, double independent)
{
	double squares = 0, own = s->factor * s->factor / s->freedom, factor, excess;

	if (units < 2 || !isfinite(s->factor))
		return;
	for (size_t i = 0; i < units; i++)
		squares += deviation[i] * deviation[i];
	factor = squares * (double)units / (double)(units - 1) / independent;
	excess = factor - s->factor;
	if (!(excess > 0))
		return;
	s->factor = factor;
	s->freedom = factor * factor / (own + excess * excess / (double)(units - 1));
}

/* Fills the deviations of at least `batches` batches of equal length, unless there are
 * fewer values. */
static void divide(const struct quantile_series *s, const unsigned char *is_upto,
    double share, size_t batches, struct deviations *d)
{
	for (size_t p = 0; p < s->processes; p++) {
		size_t from = s->process[p], length = s->process[p + 1] - from;
		size_t own = (batches * length + s->n - 1) / s->n;

		own = own < length ? own : length;
		d->first[p] = d->count;
		for (size_t b = 0; b < own; b++) {
			size_t i = from + b * length / own,
			       end = from + (b + 1) * length / own;
			double sum = -share * (double)(end - i);

			for (; i < end; i++)
				sum += is_upto[i];
			d->of[d->count++] = sum;
		}
	}
	d->processes = s->processes;
	d->first[s->processes] = d->count;
}

/* Adds up the deviations of the batches of each process, and of the processes of each run.
 */
static void add_all_units(const struct quantile_series *s, const struct deviations *d,
    double independent, struct spread *out)
{
	double *process = mem_zero(s->processes, sizeof(*process)),
	       *run = mem_zero(s->runs, sizeof(*run));

	for (size_t r = 0; r < s->runs; r++)
		for (size_t p = s->run[r]; p < s->run[r + 1]; p++) {
			for (size_t i = d->first[p]; i < d->first[p + 1]; i++)
				process[p] += d->of[i];
			run[r] += process[p];
		}
	add_units(out, process, s->processes, independent);
	if (s->runs < s->processes)
		add_units(out, run, s->runs, independent);
	free(process);
	free(run);
}

/* Returns how the number of values up to a threshold, or below it, varies. */
static struct spread spread_upto(
    const struct quantile_series *s, double threshold, bool below)
{
	struct spread out = { 1, INFINITY };
	unsigned char *is_upto = mem_zero(s->n, 1);
	struct deviations d = { 0 };
	size_t count = 0, rare, batches;
	double share, independent;

	for (size_t i = 0; i < s->n; i++) {
		is_upto[i] =
		    s->value[i] < threshold || (!below && s->value[i] == threshold);
		count += is_upto[i];
	}
	rare = count < s->n - count ? count : s->n - count;
	share = (double)count / (double)s->n;
	independent = (double)count * (1 - share);
	if (rare) {
		batches = rare / 2 < BATCHES_LEAST ? BATCHES_LEAST : rare / 2;
		batches = batches < BATCHES_MOST ? batches : BATCHES_MOST;
		d.of = mem_zero(batches + s->processes, sizeof(*d.of));
		d.first = mem_zero(s->processes + 1, sizeof(*d.first));
		divide(s, is_upto, share, batches, &d);
		out.factor = serial_variance(&d, &out.freedom) / independent;
		add_all_units(s, &d, independent, &out);
		free(d.of);
		free(d.first);
	}
	free(is_upto);
	return out;
}

/* How many values count as one: for the ends of the interval, and for its existence. */
struct inflation {
	double ends, existence;
};

/* Returns what an estimated spread inflates. In proportion to the part of the dependence
 * that is certain, both are the upper bound of the spread, with caution. */
static struct inflation inflation_from(const struct spread *spread, double n, double tail)
{
	double t = dist_student_quantile_above(tail, spread->freedom) /
	           dist_student_quantile_above(tail, n - 1);
	double scaled = spread->factor * spread->freedom;
	double least = scaled / dist_chi_square_quantile(sure, spread->freedom);
	double most = scaled / dist_chi_square_quantile(1 - sure, spread->freedom);
	double certain = 1 - 1 / fmax(1, least), ends = spread->factor * t * t;

	return (struct inflation){ ends + certain * (caution * most - ends),
		fmax(ends, most) + certain * (caution * most - fmax(ends, most)) };
}

/* Adds a spread. At most, each run or process counts as one value. */
static void inflate(struct inflation *out, const struct quantile_series *s,
    const struct spread *spread, double tail)
{
	double n = (double)s->n, most = n / (double)(s->runs > 1 ? s->runs : s->processes);
	struct inflation own = { spread->factor, spread->factor };

	if (isfinite(spread->freedom) && isfinite(spread->factor))
		own = inflation_from(spread, n, tail);
	out->ends = fmax(out->ends, fmin(own.ends, most));
	out->existence = fmax(out->existence, fmin(own.existence, most));
}

/* Adds the dependence of the values up to a quantile. */
static void inflate_at(
    struct inflation *out, const struct quantile_series *s, double p, double tail)
{
	size_t rank = (size_t)ceil(p * (double)s->n);
	struct spread spread;
	double at;

	rank = rank < 1 ? 1 : rank > s->n ? s->n : rank;
	at = s->greatest[rank - 1];
	spread = spread_upto(s, at, false);
	inflate(out, s, &spread, tail);
	if ((rank > 1 && s->greatest[rank - 2] == at) ||
	    (rank < s->n && s->greatest[rank] == at)) {
		spread = spread_upto(s, at, true);
		inflate(out, s, &spread, tail);
	}
}

static struct inflation inflation_of(
    const struct quantile_series *s, double p, double confidence)
{
	double tail = (1 - confidence) / 2, away = p < 0.5 ? p : 1 - p;
	struct inflation out = { 1, 1 };

	for (away = fmax(away, RARE_LEAST / (double)s->n);; away *= STEP) {
		away = fmin(away, 0.5);
		inflate_at(&out, s, p < 0.5 ? away : 1 - away, tail);
		if (away >= 0.5)
			return out;
	}
}

struct quantile_interval quantile_series_interval(
    const struct quantile_series *s, double p, double confidence)
{
	struct quantile_interval out = { NAN, NAN, NAN };
	double least = fmax(confidence_quantile_values(p, confidence, false),
	    confidence_quantile_values(p, confidence, true));
	struct inflation inflation = { 1, 1 };
	size_t count, lo, hi, own_lo, own_hi;

	if (s->n > 1)
		inflation = inflation_of(s, p, confidence);
	out.needed = ceil(least * inflation.existence);
	if (!((double)s->n >= out.needed))
		return out;
	count = (size_t)((double)s->n / inflation.ends);
	confidence_quantile_ranks(s->n, p, confidence, &own_lo, &own_hi);
	confidence_quantile_ranks(count, p, confidence, &lo, &hi);
	if (lo < 1 || hi > count)
		return out;
	lo = lo * (s->n + 1) / (count + 1);
	hi = (hi * (s->n + 1) + count) / (count + 1);
	lo = lo < own_lo ? lo : own_lo;
	hi = hi > own_hi ? hi : own_hi;
	if (lo < 1 || hi > s->n)
		return out;
	out.lo = s->least[lo - 1];
	out.hi = isfinite(s->greatest[hi - 1]) ? s->greatest[hi - 1] : (double)NAN;
	return out;
}

void quantile_series_close(struct quantile_series *s)
{
	if (!s)
		return;
	free(s->value);
	free(s->least);
	free(s->greatest);
	free(s->process);
	free(s->run);
	free(s);
}
