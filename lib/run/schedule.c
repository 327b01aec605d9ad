/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks and stopping; see schedule.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/schedule.h"
#include "stats/inference.h"
#include "stats/stats.h"
#include "text/near_name.h"

/* limit of the time if a result decides when to stop */
static const double default_max_ns = 60e9;
enum { DEFAULT_MIN_RUNS = 10, DECIDE_AHEAD = 64 };

const char *const order_names[] = { "random", "interleaved", "sequential" };
const size_t order_names_count = COUNT(order_names);

int order_parse(const char *name, enum order *out, struct fault *f)
{
	struct known_names known = { 0 };

	for (size_t i = 0; i < order_names_count; i++)
		if (strcmp(name, order_names[i]) == 0) {
			*out = (enum order)i;
			return 0;
		}
	known_names_add_all(&known, order_names, sizeof(*order_names), order_names_count);
	return unknown_name(f, "unknown value", text_of(name), &known);
}

size_t schedule_round(
    enum order order, struct rng *rng, const bool *wants, size_t count, size_t *round)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (wants[i])
			round[n++] = i;
	if (order == ORDER_SEQUENTIAL && n > 1)
		n = 1;
	/* Fisher and Yates, as in Knuth, The Art of Computer Programming 2, 3.4.2 P */
	for (size_t i = n; order == ORDER_RANDOM && i > 1; i--) {
		size_t j = (size_t)rng_below(rng, i), swapped = round[i - 1];

		round[i - 1] = round[j];
		round[j] = swapped;
	}
	return n;
}

size_t schedule_warmups(
    enum order order, struct rng *rng, const bool *wants, size_t count, size_t *round)
{
	return schedule_round(order == ORDER_SEQUENTIAL ? ORDER_INTERLEAVED : order, rng,
	    wants, count, round);
}

/* Checks that the options do not contradict each other. */
static int check_stop_opts(const struct stop_opts *o, struct fault *f)
{
	if (o->runs && !*o->runs)
		return fault_set(f, "--runs must be at least 1");
	if (o->runs && (o->min_ns || o->precision))
		return fault_set(
		    f, "-r sets an exact number and cannot be combined with -t or -p");
	if (o->until_decided && (o->runs || o->precision))
		return fault_set(f, "--until decided cannot be combined with -r or -p");
	if (o->precision && !(*o->precision > 0))
		return fault_set(f, "--precision must be above 0");
	if (o->precision && *o->precision > 1)
		return fault_set(f, "--precision must be at most 100%% (to measure a "
		                    "running process, use --pid)");
	if (o->max_ns && !(*o->max_ns > 0))
		return fault_set(f, "--max-time must be above 0");
	if (o->max_ns && o->min_ns && *o->min_ns > *o->max_ns)
		return fault_set(f, "--min-time is longer than --max-time");
	return 0;
}

int stop_rule_make(const struct stop_opts *o, struct stop_rule *rule, struct fault *f)
{
	if (check_stop_opts(o, f) < 0)
		return -1;
	*rule = (struct stop_rule){ .runs = o->runs ? *o->runs : 0,
		.min_runs = o->until_decided ? 1 : DEFAULT_MIN_RUNS,
		.min_ns = o->min_ns ? *o->min_ns : o->default_min_ns,
		.max_ns = o->max_ns ? *o->max_ns : 0,
		.precision = o->precision ? *o->precision : 0,
		.confidence = o->confidence ? *o->confidence : DEFAULT_CONFIDENCE,
		.until_decided = o->until_decided };
	if (o->max_ns)
		rule->min_ns = fmin(rule->min_ns, rule->max_ns);
	else if (o->precision || o->until_decided)
		rule->max_ns = fmax(default_max_ns, rule->min_ns);
	return 0;
}

static void count_sample(struct run_progress *t, double wall_ns, double spent_ns)
{
	if (t->runs++ == 0)
		t->reached = INFINITY;
	t->wall_ns += wall_ns;
	t->spent_ns += spent_ns;
}

void run_progress_add_value(
    struct run_progress *t, double wall_ns, double spent_ns, double value)
{
	count_sample(t, wall_ns, spent_ns);
	*VEC_ADD(t->value, t->count, t->cap) = value;
}

void run_progress_add(struct run_progress *t, double wall_ns, double spent_ns, bool fine)
{
	if (fine)
		run_progress_add_value(t, wall_ns, spent_ns, wall_ns);
	else
		count_sample(t, wall_ns, spent_ns);
}

/*
 * Computes the precision reached. This costs a sort, so it is only repeated when there
 * are a tenth more samples.
 */
static void look_at_precision(struct run_progress *t, double confidence)
{
	struct summary s;
	double *copy;

	if (t->checked && t->runs < t->checked + t->checked / 10 + 1)
		return;
	t->checked = t->runs;
	copy = mem_zero(t->count, sizeof(*copy));
	if (t->count)
		memcpy(copy, t->value, t->count * sizeof(*copy));
	stats_summarize(copy, t->count, confidence, &s);
	free(copy);
	t->reached = isfinite(s.ci_lo) && s.median > 0 ? (s.ci_hi - s.ci_lo) / 2 / s.median
	                                               : INFINITY;
}

bool run_progress_wants(struct run_progress *t, const struct stop_rule *rule)
{
	if (rule->runs)
		return t->runs < rule->runs &&
		       (rule->max_ns == 0 || t->spent_ns < rule->max_ns);
	if (run_progress_is_spent(t, rule))
		return false;
	if (t->runs < rule->min_runs || t->wall_ns < rule->min_ns)
		return true;
	return !run_progress_is_precise(t, rule);
}

bool run_progress_is_spent(const struct run_progress *t, const struct stop_rule *rule)
{
	return rule->max_ns > 0 && t->runs && t->spent_ns >= rule->max_ns;
}

bool run_progress_is_precise(struct run_progress *t, const struct stop_rule *rule)
{
	if (rule->precision == 0)
		return true;
	look_at_precision(t, rule->confidence);
	return t->reached <= rule->precision;
}

/* Returns the number of samples until the time is used, at the rate so far. */
static double runs_until(double wanted_ns, double had_ns, uint64_t runs)
{
	return runs && had_ns > 0 ? (wanted_ns - had_ns) * (double)runs / had_ns : 1;
}

uint64_t run_progress_ahead(const struct run_progress *t, const struct stop_rule *rule)
{
	uint64_t runs = rule->runs ? rule->runs : rule->min_runs;
	double ahead = runs > t->runs ? (double)(runs - t->runs) : 1;

	if (!rule->runs)
		ahead = fmax(ahead, runs_until(rule->min_ns, t->wall_ns, t->runs));
	if (rule->until_decided)
		ahead = fmax(ahead, DECIDE_AHEAD);
	if (rule->max_ns > 0)
		ahead = fmin(ahead, runs_until(rule->max_ns, t->spent_ns, t->runs));
	return ahead > 1 ? (uint64_t)fmin(ahead, 1e9) : 1;
}

double run_progress_left_ns(const struct run_progress *t, const struct stop_rule *rule)
{
	double each = t->runs ? t->spent_ns / (double)t->runs : 0, left;
	uint64_t runs = rule->runs ? rule->runs : rule->min_runs;

	left = runs > t->runs ? (double)(runs - t->runs) * each : 0;
	if (!rule->runs && t->wall_ns > 0)
		left = fmax(left, (rule->min_ns - t->wall_ns) * t->spent_ns / t->wall_ns);
	if (rule->max_ns > 0)
		left = rule->until_decided ? rule->max_ns - t->spent_ns
		                           : fmin(left, rule->max_ns - t->spent_ns);
	return fmax(left, 0);
}

double run_progress_done(const struct run_progress *t, const struct stop_rule *rule)
{
	double left = run_progress_left_ns(t, rule);

	if (!t->runs)
		return 0;
	return t->spent_ns + left > 0 ? t->spent_ns / (t->spent_ns + left) : 1;
}
