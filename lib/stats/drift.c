/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines against steps; see drift.h. A fit is kept as an orthonormal basis of its terms and
 * the residuals, to which terms are added one by one.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/dist.h"
#include "stats/drift.h"
#include "stats/stats.h"

/*
 * The amount by which the criterion of a line must be lower: for a line alone, for a line
 * with steps, and if no steps were found.
 */
#define EVIDENCE 2
#define EVIDENCE_WITH_STEPS 6
#define EVIDENCE_FIRST 10
/* Robust standard deviations by which a value may differ from its level. */
#define FAR 3

/* Few steps are enough to approximate a line; more make the search slow. */
enum { LINE_TERMS = 2, STEP_PARAMETERS = 2, VALUES_LEAST = 8, STEPS_MOST = 20 };

struct fit {
	size_t n, terms;
	double *basis; /* [terms][n], orthonormal */
	double *rest;  /* residuals */
	double square; /* their sum of squares */
	double length; /* of the last term added, orthogonal to the others */
	double weight; /* coefficient of the last term */
};

static void fit_open(struct fit *f, const double *x, size_t n, size_t cap)
{
	*f = (struct fit){ .n = n };
	f->basis = mem_zero(n * cap, sizeof(*f->basis));
	f->rest = mem_zero(n, sizeof(*f->rest));
	memcpy(f->rest, x, n * sizeof(*x));
}

static void fit_close(struct fit *f)
{
	free(f->basis);
	free(f->rest);
}

static double product(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

static void subtract(double *a, double times, const double *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] -= times * b[i];
}

/* Adds the term that is stored after the basis. */
static void add_term(struct fit *f)
{
	double *q = f->basis + f->terms * f->n;

	/* Orthogonalizes twice, because of rounding errors of the first time. */
	for (int round = 0; round < 2; round++)
		for (size_t k = 0; k < f->terms; k++)
			subtract(q, product(q, f->basis + k * f->n, f->n),
			    f->basis + k * f->n, f->n);
	f->length = sqrt(product(q, q, f->n));
	for (size_t i = 0; i < f->n; i++)
		q[i] /= f->length;
	f->weight = product(q, f->rest, f->n);
	subtract(f->rest, f->weight, q, f->n);
	f->weight /= f->length;
	f->square = product(f->rest, f->rest, f->n);
	f->terms++;
}

static void add_level(struct fit *f, size_t from)
{
	double *q = f->basis + f->terms * f->n;

	for (size_t i = 0; i < f->n; i++)
		q[i] = i >= from;
	add_term(f);
}

static void add_line(struct fit *f)
{
	double *q = f->basis + f->terms * f->n;

	for (size_t i = 0; i < f->n; i++)
		q[i] = (double)i - (double)(f->n - 1) / 2;
	add_term(f);
}

/* Returns whether a step may be here: not too close to an end or to another step. */
static bool may_step(
    const struct fit *f, size_t at, size_t least, const struct change *step, size_t steps)
{
	if (at < least || at + least > f->n)
		return false;
	for (size_t i = 0; i < steps; i++)
		if (at + least > step[i].at && step[i].at + least > at)
			return false;
	return true;
}

/*
 * Returns the place of the step that reduces the residuals most, by sums over the values
 * from each place on; 0 if there is none.
 */
static size_t best_step(
    const struct fit *f, size_t least, const struct change *step, size_t steps)
{
	double *behind = mem_zero(f->terms + 1, sizeof(*behind)), rest = 0, most = 0;
	size_t best = 0;

	for (size_t at = f->n; at-- > 1;) {
		double length = (double)(f->n - at);

		rest += f->rest[at];
		for (size_t k = 0; k < f->terms; k++) {
			behind[k] += f->basis[k * f->n + at];
			length -= behind[k] * behind[k];
		}
		if (length > 1e-9 && rest * rest / length > most &&
		    may_step(f, at, least, step, steps)) {
			most = rest * rest / length;
			best = at;
		}
	}
	free(behind);
	return best;
}

/* Returns the autocorrelation of the residuals at lag 1, corrected for bias. */
static double memory_of(const struct fit *f)
{
	double sum = product(f->rest, f->rest + 1, f->n - 1);
	double r = f->square > 0 ? sum / f->square : 0;

	r += ((double)f->terms + 3 * fmax(r, 0)) / (double)f->n;
	return fmin(fmax(r, 0), 0.9);
}

/* Returns the Bayesian information criterion, without terms that all fits share. */
static double criterion(double square, double parameters, double effective)
{
	return effective * log(square) + parameters * log(effective);
}

/* Moves outliers toward the median of their level. */
static void tame(
    const double *x, size_t n, const struct change *step, size_t steps, double *out)
{
	double *off = mem_zero(n, sizeof(*off)), limit;

	for (size_t k = 0; k <= steps; k++) {
		size_t from = k ? step[k - 1].at : 0, to = k < steps ? step[k].at : n;
		double median;

		memcpy(out + from, x + from, (to - from) * sizeof(*x));
		stats_sort(out + from, to - from);
		median = stats_quantile(out + from, to - from, 0.5);
		for (size_t i = from; i < to; i++) {
			off[i] = x[i] - median;
			out[i] = median;
		}
	}
	double *sorted = mem_zero(n, sizeof(*sorted));

	for (size_t i = 0; i < n; i++)
		sorted[i] = fabs(off[i]);
	stats_sort(sorted, n);
	limit = FAR * 1.4826 * stats_quantile(sorted, n, 0.5);
	for (size_t i = 0; i < n; i++)
		out[i] += fmin(fmax(off[i], -limit), limit);
	free(sorted);
	free(off);
}

/* Returns the degrees of freedom, of the effective number of values. */
static double freedom_of(const struct fit *f, double r)
{
	return fmax(1, (double)f->n * (1 - r) / (1 + r) - (double)f->terms);
}

static int by_place(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Returns the standard error of the coefficient of the last term, and its p. */
static double last_error(const struct fit *f, double r, double *p)
{
	double n = (double)f->n, terms = (double)f->terms;
	double error = sqrt(f->square / (n - terms) * (1 + r) / (1 - r)) / f->length;

	*p = error > 0 ? 2 * dist_t_above(fabs(f->weight) / error, freedom_of(f, r)) : 0;
	return error;
}

/* Fits a level, a line and steps, with step number `last` last; if it is `steps`, the line
 * last. */
static void fit_all(struct fit *f, const double *x, size_t n, const struct change *step,
    size_t steps, size_t last)
{
	fit_open(f, x, n, steps + LINE_TERMS);
	add_level(f, 0);
	if (last < steps)
		add_line(f);
	for (size_t i = 0; i < steps; i++)
		if (i != last)
			add_level(f, step[i].at);
	if (last < steps)
		add_level(f, step[last].at);
	else
		add_line(f);
}

/* Computes the line's slope and ends, and the steps in addition to it. The autocorrelation
 * is at most r, and less if that of the line with its steps is. */
static void measure(
    const struct drift_series *s, double r, struct change *step, struct drift *out)
{
	const double *x = s->x;
	const size_t n = s->n;
	struct fit f;
	double half;

	fit_all(&f, x, n, step, out->steps, out->steps);
	r = fmin(r, memory_of(&f));
	half = last_error(&f, r, &out->p) *
	       dist_student_quantile_above((1 - s->confidence) / 2, freedom_of(&f, r));
	out->slope = f.weight;
	out->slope_lo = f.weight - half;
	out->slope_hi = f.weight + half;
	out->first = x[0] - f.rest[0];
	out->last = x[n - 1] - f.rest[n - 1];
	fit_close(&f);
	for (size_t i = 0; i < out->steps; i++) {
		size_t at = step[i].at;

		fit_all(&f, x, n, step, out->steps, i);
		last_error(&f, r, &step[i].p);
		step[i].p = fmin(1, step[i].p * (double)n);
		step[i].before = x[at - 1] - f.rest[at - 1];
		step[i].after = x[at] - f.rest[at];
		fit_close(&f);
	}
}

/*
 * Adds to a line the steps that lower the criterion by at least EVIDENCE, the best one
 * first. Returns their number.
 */
static size_t add_steps(
    struct fit *f, size_t least, double effective, size_t most, struct change *step)
{
	size_t count = 0, at;
	double parameters = LINE_TERMS, best = criterion(f->square, parameters, effective);

	while (count < most && (at = best_step(f, least, step, count))) {
		double before = f->square, now;

		add_level(f, at);
		parameters += STEP_PARAMETERS;
		now = criterion(f->square, parameters, effective);
		if (!(now + EVIDENCE < best)) {
			f->square = before;
			break;
		}
		best = now;
		step[count++].at = at;
	}
	return count;
}

/* Returns whether a line with as few steps as improve it explains the values better than
 * the given steps, and replaces these by its own. Stores their number, and the
 * autocorrelation. */
static bool line_wins(const struct drift_series *s, struct change *step, size_t steps,
    size_t *left, double *memory)
{
	struct fit line, levels;
	double effective, of_steps, of_line;
	bool exact;

	fit_open(&levels, s->x, s->n, steps + 1);
	fit_open(&line, s->x, s->n, steps + LINE_TERMS);
	add_level(&levels, 0);
	for (size_t i = 0; i < steps; i++)
		add_level(&levels, step[i].at);
	exact = levels.square <= 1e-24 * product(s->x, s->x, s->n);
	add_level(&line, 0);
	add_line(&line);
	*memory = fmin(memory_of(&levels), memory_of(&line));
	effective = (double)s->n * (1 - *memory) / (1 + *memory);
	of_steps = criterion(levels.square, 1 + STEP_PARAMETERS * (double)steps, effective);
	*left = add_steps(&line, s->least, effective, steps, step);
	of_line =
	    criterion(line.square, LINE_TERMS + STEP_PARAMETERS * (double)*left, effective);
	fit_close(&levels);
	fit_close(&line);
	/* Only rounding errors are left: the steps, or the level, explain all values. */
	if (exact)
		return false;
	double evidence = !steps ? EVIDENCE_FIRST : *left ? EVIDENCE_WITH_STEPS : EVIDENCE;

	return of_line + evidence < of_steps;
}

bool drift_find(
    const struct drift_series *s, struct change *step, size_t steps, struct drift *out)
{
	struct drift_series tamed = *s;
	struct change *left;
	double *x, memory;
	bool found = false;

	*out = (struct drift){ .steps = 0 };
	if (s->n < VALUES_LEAST || steps > STEPS_MOST)
		return false;
	left = mem_zero(steps + 1, sizeof(*left));
	x = mem_zero(s->n, sizeof(*x));
	memcpy(left, step, steps * sizeof(*left));
	tame(s->x, s->n, step, steps, x);
	tamed.x = x;
	if (line_wins(&tamed, left, steps, &out->steps, &memory)) {
		qsort(left, out->steps, sizeof(*left), by_place);
		measure(&tamed, memory, left, out);
		memcpy(step, left, out->steps * sizeof(*left));
		found = true;
	}
	free(x);
	free(left);
	return found;
}
