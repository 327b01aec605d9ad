/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Made-up sides of known distributions, and their comparison.
 */
#ifndef TESTS_COMPARE_MADE_SIDES_H
#define TESTS_COMPARE_MADE_SIDES_H

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "compare/two_sample.h"
#include "tests/lib/tap.h"

enum { MOST = 2000 };

static struct rng rng;

/* One side. */
struct made {
	double value[MOST];
	struct sample_id identity[MOST];
	size_t count;
	double limit; /* greater values are censored; 0: none */
};

/* Returns the values of a side, and fills the limits of those above the limit; allocated. */
static inline struct collected censor(const struct made *m, struct missing_values *missing)
{
	struct collected c = { .missing = missing };

	*missing = (struct missing_values){ 0 };
	c.value = mem_resize(NULL, m->count + 1, sizeof(*c.value));
	c.identity = mem_resize(NULL, m->count + 1, sizeof(*c.identity));
	missing->limit = mem_resize(NULL, m->count + 1, sizeof(*missing->limit));
	missing->limit_identity =
	    mem_resize(NULL, m->count + 1, sizeof(*missing->limit_identity));
	for (size_t i = 0; i < m->count; i++)
		if (m->limit > 0 && m->value[i] > m->limit) {
			missing->limit[missing->limits] = m->limit;
			missing->limit_identity[missing->limits++] = m->identity[i];
		} else {
			c.value[c.count] = m->value[i];
			c.identity[c.count++] = m->identity[i];
		}
	return c;
}

static inline struct two_sample measure(
    const struct made *old, const struct made *new, const struct two_sample_opts *opts)
{
	struct made *side[] = { (struct made *)old, (struct made *)new };
	struct missing_values missing[2];
	struct collected from[2];
	struct two_sample c, *list[] = { &c };

	for (size_t i = 0; i < 2; i++)
		from[i] = censor(side[i], &missing[i]);
	two_sample_measure(&from[0], &from[1], opts, &c);
	for (size_t i = 0; i < 2; i++) {
		free(from[i].value);
		free(from[i].identity);
		free(missing[i].limit);
		free(missing[i].limit_identity);
	}
	two_sample_judge(&c, opts, two_sample_adjust(list, 1, ADJUST_HOLM));
	return c;
}

static inline void put(
    struct made *m, uint32_t run, int64_t process, int64_t sample, double value)
{
	m->identity[m->count] = (struct sample_id){ run, process, sample };
	m->value[m->count++] = value;
}

static inline double normal(void)
{
	double x, y, s;

	do {
		x = 2 * rng_uniform(&rng) - 1;
		y = 2 * rng_uniform(&rng) - 1;
		s = x * x + y * y;
	} while (s >= 1 || s == 0);
	return x * sqrt(-2 * log(s) / s);
}

/* Distributions with a median of about 100. */
static inline double of_normal(void)
{
	return 100 + 5 * normal();
}

static inline double of_lognormal(void)
{
	return 100 * exp(0.2 * normal());
}

static inline double of_two_modes(void)
{
	return (rng_below(&rng, 10) < 7 ? 100 : 130) * (1 + 0.01 * normal());
}

static inline double of_heavy(void)
{
	return 100 + fabs(normal() / normal());
}

static inline double of_coarse(void)
{
	return round(20 + normal()) * 5;
}

static inline double of_few(void)
{
	return (double)rng_below(&rng, 3);
}

static inline double of_one(void)
{
	return 100;
}

static const struct family {
	const char *name;
	double (*draw)(void);
} families[] = {
	{ "normal", of_normal },
	{ "log-normal", of_lognormal },
	{ "bimodal", of_two_modes },
	{ "heavy-tailed", of_heavy },
	{ "coarse", of_coarse },
	{ "small", of_few },
	{ "constant", of_one },
};

static inline void fill(
    struct made *m, const struct family *f, uint32_t run, size_t n, double by)
{
	m->count = 0;
	for (size_t i = 0; i < n; i++)
		put(m, run, INT64_MIN, (int64_t)i, by * f->draw());
}

static const struct two_sample_opts plain = { .better = BETTER_LOWER,
	.inference = { .confidence = 0.95, .seed = 1 },
	.threshold = 0.02 };

static inline bool alarms(const struct two_sample *c)
{
	return c->verdict == VERDICT_WORSE || c->verdict == VERDICT_BETTER;
}

/* Returns the largest count of `rounds` that chance allows at this rate. */
static inline int most(int rounds, double rate)
{
	return (int)(rounds * rate + 3 * sqrt(rounds * rate * (1 - rate)));
}

#endif
