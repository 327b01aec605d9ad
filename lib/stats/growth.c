/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exponents and models of growth; see growth.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/dist.h"
#include "stats/growth.h"
#include "stats/stats.h"

static double inverse(double n)
{
	return 1 / n;
}

static double constant(double n)
{
	(void)n;
	return 1;
}

static double linear(double n)
{
	return n;
}

static double n_log_n(double n)
{
	return n * log2(n);
}

static double square(double n)
{
	return n * n;
}

static double cube(double n)
{
	return n * n * n;
}

enum { CONSTANT = 1 };
const struct growth_model growth_models[GROWTH_MODELS] = {
	{ "1/n", inverse }, [CONSTANT] = { "1", constant }, { "log n", log2 },
	{ "n", linear }, { "n log n", n_log_n }, { "n^2", square }, { "n^3", cube }
};

/* The logarithms of the values, and f of the sizes for a model, divided by its largest
 * value. */
struct series {
	double *log_value, *shape;
	size_t count;
};

/* A model with the logarithms of its constants, and the sum of squares of its errors. */
struct fit {
	double log_a, log_b, sum;
};

/* Returns a sum of squares, or, if it is less, that of rounding errors, whose differences
 * mean nothing. */
static double at_least_rounding(const struct series *p, double sum)
{
	double rounding = (double)p->count * 1e-24;

	return sum < rounding ? rounding : sum;
}

/*
 * Measures the model r + f, times the factor that suits it best, whose logarithm is
 * returned. Fills in the sum of squares, NAN if the model is 0 for a size, and its
 * derivative by the logarithm of r.
 */
static double measure_ratio(const struct series *p, double r, double *sum, double *slope)
{
	double mean = 0;

	for (size_t i = 0; i < p->count; i++)
		mean += (p->log_value[i] - log(r + p->shape[i])) / (double)p->count;
	*sum = *slope = 0;
	for (size_t i = 0; i < p->count; i++) {
		double error = p->log_value[i] - log(r + p->shape[i]) - mean;

		*sum += error * error;
		*slope -= 2 * error * r / (r + p->shape[i]);
	}
	*sum = at_least_rounding(p, *sum);
	return mean;
}

static struct fit fit_constant(const struct series *p)
{
	double mean = stats_mean(p->log_value, p->count), sum = 0;

	for (size_t i = 0; i < p->count; i++)
		sum += (p->log_value[i] - mean) * (p->log_value[i] - mean);
	return (struct fit){ mean, -INFINITY, at_least_rounding(p, sum) };
}

/* Fills in the shape of a model. Returns its largest value, or NAN if the model cannot be
 * computed for these sizes or is negative for one. */
static double shape_of(
    const struct series *p, const double *size, const struct growth_model *model)
{
	double most = 0;

	for (size_t i = 0; i < p->count; i++) {
		p->shape[i] = model->of(size[i]);
		if (!(p->shape[i] >= 0) || isinf(p->shape[i]))
			return NAN;
		most = fmax(most, p->shape[i]);
	}
	for (size_t i = 0; i < p->count; i++)
		p->shape[i] /= most;
	return most > 0 ? most : (double)NAN;
}

/* Returns the logarithm of r between lo and hi at which the derivative of the sum changes
 * its sign. */
static double find_turn(const struct series *p, double lo, double hi)
{
	double sum, slope;

	for (int step = 0; step < 60; step++) {
		double middle = lo + (hi - lo) / 2;

		measure_ratio(p, exp(middle), &sum, &slope);
		if (slope < 0)
			lo = middle;
		else
			hi = middle;
	}
	return lo;
}

/* Returns the least value of the shape that is not 0. */
static double least_shape(const struct series *p)
{
	double least = 1;

	for (size_t i = 0; i < p->count; i++)
		if (p->shape[i] > 0)
			least = fmin(least, p->shape[i]);
	return least;
}

enum { RATIOS = 128 };

/*
 * Fits a growing model to a series whose shape is filled in: searches the ratio r of a to b
 * up to 1e9, where nothing seems to grow, down to 1e-9 times the least value of f, and 0.
 * The sum of a fit in which nothing grows is infinite.
 */
static struct fit fit_shape(const struct series *p)
{
	const double least = log(least_shape(p)) + log(1e-9),
	             step = (log(1e9) - least) / RATIOS;
	double sum, slope, best_sum = INFINITY, log_r, log_b;
	int best = 0;

	for (int i = 0; i <= RATIOS; i++) {
		measure_ratio(p, exp(least + i * step), &sum, &slope);
		if (sum < best_sum) {
			best_sum = sum;
			best = i;
		}
	}
	if (best == RATIOS)
		return (struct fit){ 0, 0, INFINITY };
	log_r = find_turn(p, least + fmax(0, best - 1) * step, least + (best + 1) * step);
	log_b = measure_ratio(p, exp(log_r), &best_sum, &slope);
	struct fit fit = { log_b + log_r, log_b, best_sum };

	log_b = measure_ratio(p, 0, &sum, &slope);
	if (sum <= best_sum)
		fit = (struct fit){ -INFINITY, log_b, sum };
	return fit;
}

/* Returns the largest ratio of two sums of squares that is no evidence for one more
 * parameter, with these degrees of freedom. The square of Student's t has the distribution
 * F for 1 and as many degrees of freedom. */
static double insignificant_ratio(double alpha, double freedom)
{
	double t = dist_student_quantile_above(alpha / 2, freedom);

	return 1 + t * t / freedom;
}

/* Fits all models. Fills the array with the largest values of their shapes. Returns the
 * number of growing models that were fitted. */
static int fit_models(const struct series *p, const double *size,
    struct fit fit[GROWTH_MODELS], double greatest[GROWTH_MODELS])
{
	int fitted = 0;

	for (int m = 0; m < GROWTH_MODELS; m++) {
		fit[m] = (struct fit){ 0, 0, INFINITY };
		if (m == CONSTANT)
			continue;
		greatest[m] = shape_of(p, size, &growth_models[m]);
		if (isnan(greatest[m]))
			continue;
		fit[m] = fit_shape(p);
		fitted++;
	}
	greatest[CONSTANT] = 1;
	fit[CONSTANT] = fit_constant(p);
	return fitted;
}

/* Chooses the model among the fits. */
static void choose_model(const struct fit fit[GROWTH_MODELS], int fitted, double n,
    double alpha, struct growth *out)
{
	int best = 0;
	double most;

	for (int m = 1; m < GROWTH_MODELS; m++)
		if (m != CONSTANT && fit[m].sum < fit[best].sum)
			best = m;
	if (fit[CONSTANT].sum <=
	    fit[best].sum * insignificant_ratio(alpha / fmax(1, fitted), n - 2)) {
		out->model = CONSTANT;
		most = fit[CONSTANT].sum / insignificant_ratio(alpha, n - 2);
	} else {
		out->model = best;
		most = fit[best].sum * insignificant_ratio(alpha, n - 3);
	}
	for (int m = 0; m < GROWTH_MODELS; m++)
		out->plausible[m] =
		    m == out->model || (m != CONSTANT && fit[m].sum <= most);
}

static void find_model(
    const struct series *p, const double *size, double alpha, struct growth *out)
{
	struct fit fit[GROWTH_MODELS];
	double greatest[GROWTH_MODELS];
	int fitted = fit_models(p, size, fit, greatest);
	const struct fit *chosen;

	choose_model(fit, fitted, (double)p->count, alpha, out);
	chosen = &fit[out->model];
	out->constant = exp(chosen->log_a);
	if (out->model != CONSTANT)
		out->factor = exp(chosen->log_b) / greatest[out->model];
	out->error = sqrt(chosen->sum / (double)p->count);
}

static void find_exponent(
    const struct series *p, const double *size, double alpha, struct growth *out)
{
	double *x = p->shape, n = (double)p->count, x_mean, y_mean, xx = 0, xy = 0,
	       rest = 0;

	for (size_t i = 0; i < p->count; i++)
		x[i] = log(size[i]);
	x_mean = stats_mean(x, p->count);
	y_mean = stats_mean(p->log_value, p->count);
	for (size_t i = 0; i < p->count; i++) {
		xx += (x[i] - x_mean) * (x[i] - x_mean);
		xy += (x[i] - x_mean) * (p->log_value[i] - y_mean);
	}
	if (!(xx > 0))
		return;
	out->exponent = xy / xx;
	for (size_t i = 0; i < p->count; i++) {
		double error = p->log_value[i] - y_mean - out->exponent * (x[i] - x_mean);

		rest += error * error;
	}
	if (p->count > 2) {
		double half = dist_student_quantile_above(alpha / 2, n - 2) *
		              sqrt(rest / (n - 2) / xx);

		out->exponent_lo = out->exponent - half;
		out->exponent_hi = out->exponent + half;
	}
}

/* Returns the number of different sizes. */
static size_t count_sizes(const double *size, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += i == 0 || size[i] != size[i - 1];
	return count;
}

void growth_of(const double *size, const double *value, size_t n, double confidence,
    struct growth *out)
{
	struct series p = { .count = n };

	*out = (struct growth){ NAN, NAN, NAN, -1, NAN, NAN, NAN, { false } };
	p.log_value = mem_zero(2 * n + 1, sizeof(*p.log_value));
	p.shape = p.log_value + n;
	for (size_t i = 0; i < n; i++)
		p.log_value[i] = log(value[i]);
	find_exponent(&p, size, 1 - confidence, out);
	if (count_sizes(size, n) >= GROWTH_LEAST_SIZES)
		find_model(&p, size, 1 - confidence, out);
	free(p.log_value);
}
