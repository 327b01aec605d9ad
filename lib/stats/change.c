/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See change.h. Each point is kept with the stretch in which it was tested, so that it is
 * tested again only if a neighbor was added or removed.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/change.h"
#include "stats/change_window.h"
#include "stats/e_divisive.h"
#include "stats/prewhiten.h"
#include "stats/stats.h"

/* The p of the rank-sum test must also be below this: a few spikes on one side are no
 * level. */
#define RANKS_LEVEL 0.05
/* The share of the level for the bound from ranks. The rest is for the permutations. */
#define SHARE_OF_BOUND 0.1
/*
 * Places that were chosen from the values reduce the estimated correlation more than given
 * places do: as much as 3 more means, in simulated series of 24 to 500 values.
 */
#define CHOSEN 3

/* EXCEEDED_ENOUGH: permutations with as great a statistic, after which p is precise enough.
 * MOVES_MOST: values that all permutations together may move. */
enum { ROUNDS_MOST = 20, EXCEEDED_ENOUGH = 10, MOVES_MOST = 4000000 };
enum { WHOLE_MOST = 2000, WINDOW_USUAL = 200 };
/* The largest distance of a tested value from the quartiles, in units of their distance,
 * and the largest value. Sums that include larger values lose the others, so that a
 * single "no result", such as the largest integer, would hide all changes. */
#define REACH 1e6
#define GREATEST 0x1p960

struct search {
	const double *x; /* as given, for the levels */
	const double *tested;
	size_t n;
	const struct change_opts *opts;
	struct e_divisive *divider;
	double *white, *scratch;
	struct rng rng;
	struct change_point *point;
	size_t count;
};

double change_ratio(double before, double after)
{
	return before > 0 && after >= 0 ? after / before : (double)NAN;
}

/* Computes p with enough permutations to get well below the level, up to MOVES_MOST. */
static double permute(struct search *s, const struct division *found, size_t n)
{
	double alpha = s->opts->alpha * (1 - SHARE_OF_BOUND);
	double wanted = fmin(2 / alpha, MOVES_MOST / (double)n);
	size_t count = (size_t)fmax(wanted, (double)s->opts->permutations);
	double hopeless = ceil(alpha * (double)(count + 1));

	if (hopeless < 2 && 1 / (double)(count + 1) >= alpha)
		return 1;
	return e_divisive_permute(s->divider, found, count,
	           (size_t)fmin(hopeless, EXCEEDED_ENOUGH), &s->rng) /
	       (1 - SHARE_OF_BOUND);
}

/*
 * Returns the autocorrelation of a stretch that changes at a place. Further changes
 * increase the estimate, so it is estimated again with each side divided at its best place.
 * The smaller estimate is returned.
 */
static double memory_of(struct search *s, const double *x, size_t n, size_t at)
{
	size_t place[3], count = 0;
	struct division part;
	double r = prewhiten_of_parts(x, n, &at, 1, 0);

	if (r <= 0)
		return 0;
	if (e_divisive_find(s->divider, x, at, s->opts->least, &part))
		place[count++] = part.at;
	place[count++] = at;
	if (e_divisive_find(s->divider, x + at, n - at, s->opts->least, &part))
		place[count++] = at + part.at;
	return fmin(r, prewhiten_of_parts(x, n, place, count, CHOSEN));
}

/*
 * Finds the best division of a stretch and its p, the smaller one of two tests. Each p is
 * divided by its share of the level, so that both together keep the level. Returns whether
 * the division is significant.
 */
static bool try_stretch(struct search *s, size_t from, size_t to, struct change_point *out)
{
	const double *x = s->tested + from;
	size_t n = to - from;
	struct division found;
	double p, ranks;

	if (!e_divisive_find(s->divider, x, n, s->opts->least, &found))
		return false;
	prewhiten(x, n, memory_of(s, x, n, found.at), s->white);
	if (!e_divisive_find(s->divider, s->white, n, s->opts->least, &found))
		return false;
	ranks = e_divisive_ranks(s->divider, &found);
	if (ranks >= RANKS_LEVEL)
		return false;
	p = fmin(1, ranks * (double)(n - 2 * s->opts->least + 1) / SHARE_OF_BOUND);
	if (p > s->opts->alpha / 10)
		p = fmin(p, permute(s, &found, n));
	*out =
	    (struct change_point){ .at = from + found.at, .from = from, .to = to, .p = p };
	return p < s->opts->alpha;
}

static void divide_stretch(struct search *s, size_t from, size_t to)
{
	struct change_point p;

	while (try_stretch(s, from, to, &p)) {
		divide_stretch(s, from, p.at);
		s->point[s->count++] = p;
		from = p.at;
	}
}

/* Tests each point again between its neighbors. Returns whether a point moved or was
 * removed. */
static bool try_again(struct search *s)
{
	bool moved = false;

	for (size_t i = 0; i < s->count; i++) {
		struct change_point *p = &s->point[i], again;
		size_t from = i ? p[-1].at : 0, to = i + 1 < s->count ? p[1].at : s->n;

		if (p->from == from && p->to == to)
			continue;
		if (try_stretch(s, from, to, &again)) {
			moved |= again.at != p->at;
			*p = again;
			continue;
		}
		change_point_drop(s->point, &s->count, i--);
		moved = true;
	}
	return moved;
}

static void search_whole(struct search *s)
{
	s->divider = e_divisive_open(s->n);
	divide_stretch(s, 0, s->n);
	for (size_t i = 0; i < ROUNDS_MOST && try_again(s); i++)
		;
	e_divisive_close(s->divider);
}

static double median_of(struct search *s, size_t from, size_t to)
{
	memcpy(s->scratch, s->x + from, (to - from) * sizeof(*s->scratch));
	stats_sort(s->scratch, to - from);
	return stats_quantile(s->scratch, to - from, 0.5);
}

/* Returns the absolute logarithm of the ratio of the medians; 0 if they are equal. */
static double magnitude(const struct change *c)
{
	double ratio = change_ratio(c->before, c->after);

	if (c->before == c->after)
		return 0;
	return isnan(ratio) ? HUGE_VAL : fabs(log(ratio));
}

static struct change measure(struct search *s, size_t i)
{
	size_t at = s->point[i].at;

	return (struct change){
		.at = at,
		.p = s->point[i].p,
		.before = median_of(s, i ? s->point[i - 1].at : 0, at),
		.after = median_of(s, at, i + 1 < s->count ? s->point[i + 1].at : s->n),
	};
}

/* Removes the smallest change as long as it is within the margin. */
static void drop_small(struct search *s, struct change *out)
{
	for (size_t i = 0; i < s->count; i++)
		out[i] = measure(s, i);
	while (s->count) {
		size_t least = 0;

		for (size_t i = 1; i < s->count; i++)
			if (magnitude(&out[i]) < magnitude(&out[least]))
				least = i;
		if (magnitude(&out[least]) > log1p(s->opts->threshold))
			return;
		memmove(
		    out + least, out + least + 1, (s->count - least - 1) * sizeof(*out));
		change_point_drop(s->point, &s->count, least);
		if (least)
			out[least - 1] = measure(s, least - 1);
		if (least < s->count)
			out[least] = measure(s, least);
	}
}

/* Returns the values to test: those given or, if some of them are too far from the others
 * or too great for sums, a copy with limits, in out. */
static const double *limit_values(const double *x, size_t n, double *out)
{
	double low, high, reach, scale = 1;
	bool within = true;

	memcpy(out, x, n * sizeof(*out));
	stats_sort(out, n);
	low = stats_quantile(out, n, 0.25);
	high = stats_quantile(out, n, 0.75);
	if (fmax(-out[0], out[n - 1]) > GREATEST)
		scale = 1 / (double)(1ULL << 62);
	reach = REACH * (high * scale - low * scale);
	if (!(reach > 0))
		reach = REACH * fabs(low * scale);
	if (!(reach > 0))
		reach = HUGE_VAL;
	for (size_t i = 0; i < n; i++) {
		out[i] =
		    fmax(low * scale - reach, fmin(high * scale + reach, x[i] * scale));
		within = within && out[i] == x[i];
	}
	return within ? x : out;
}

size_t change_find(
    const double *x, size_t n, const struct change_opts *given, struct change *out)
{
	struct change_opts opts = *given;
	struct search s = { .x = x, .n = n, .opts = &opts };
	double *limited;

	if (n < 2 * opts.least)
		return 0;
	if (!opts.window)
		opts.window = n > WHOLE_MOST ? WINDOW_USUAL : n;
	if (opts.window < 2 * opts.least)
		opts.window = 2 * opts.least;
	limited = mem_zero(n, sizeof(*limited));
	s.tested = limit_values(x, n, limited);
	s.white = mem_zero(n, sizeof(*s.white));
	s.scratch = mem_zero(n, sizeof(*s.scratch));
	s.point = mem_zero(n / opts.least + 1, sizeof(*s.point));
	rng_seed(&s.rng, opts.seed);
	if (n > opts.window) {
		prewhiten(
		    s.tested, n, prewhiten_of_differences(s.tested, n, s.scratch), s.white);
		s.count = change_window_find(s.white, n, &opts, s.point);
	} else
		search_whole(&s);
	drop_small(&s, out);
	free(limited);
	free(s.white);
	free(s.scratch);
	free(s.point);
	return s.count;
}
