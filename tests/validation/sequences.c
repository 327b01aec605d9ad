/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures how many blocks `bench-run --until decided` takes, for until.sh.
 *
 *	sequences MARGIN RIGHT
 *
 * Each line of standard input has the logarithms of the ratios of successive blocks. RIGHT
 * is the right verdict: "within" the margin, or "beyond" it. Prints:
 *
 *	COUNT RIGHT WRONG BOUND MEAN SIGNS RANKS
 *
 * the number of series; of those with the right and with the wrong verdict; the number of
 * blocks after which 95% have the right one; the mean number of blocks with this bound; and
 * the fixed numbers of blocks with which 95% have the right verdict by the sign test and by
 * Wilcoxon's signed ranks, both inverted like the sequential test. 0: too few have it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "stats/dist.h"
#include "stats/sign_sequence.h"
#include "stats/stats.h"

static const double level = 0.05, wanted = 0.95;

enum result { UNSURE, WITHIN, BEYOND };

struct series {
	double *value;
	size_t count, cap;
	enum result verdict;
	size_t blocks; /* until the verdict */
};

struct input {
	struct series *series;
	size_t count, cap;
	double margin;
	enum result right;
};

static void read_series(struct input *in)
{
	char *line = NULL, *end;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		struct series *s = VEC_ADD(in->series, in->count, in->cap);

		*s = (struct series){ 0 };
		for (char *at = line;; at = end) {
			double value = strtod(at, &end);

			if (end == at)
				break;
			*VEC_ADD(s->value, s->count, s->cap) = value;
		}
	}
	free(line);
}

static void decide(struct series *s, double margin)
{
	struct sign_sequence sequence;

	sign_sequence_begin(&sequence, level, margin);
	while (s->blocks < s->count && s->verdict == UNSURE) {
		sign_sequence_add(&sequence, s->value[s->blocks++]);
		if (sign_sequence_p_beyond(&sequence) < level)
			s->verdict = BEYOND;
		else if (sign_sequence_p_within(&sequence) < level)
			s->verdict = WITHIN;
	}
	sign_sequence_free(&sequence);
}

/* Returns the verdict of an interval. */
static enum result verdict_of(double lo, double hi, double margin)
{
	if (lo > margin || hi < -margin)
		return BEYOND;
	return lo > -margin && hi < margin ? WITHIN : UNSURE;
}

static enum result signs_verdict(const struct series *s, size_t n, double margin)
{
	double *copy = mem_zero(n, sizeof(*copy));
	struct summary summary;

	memcpy(copy, s->value, n * sizeof(*copy));
	stats_summarize(copy, n, 1 - level, &summary);
	free(copy);
	return isnan(summary.ci_lo) ? UNSURE
	                            : verdict_of(summary.ci_lo, summary.ci_hi, margin);
}

static int by_size(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

/* Returns 1 or -1 if the first n values lie significantly above or below a shift, by the
 * normal approximation of the sum of signed ranks, corrected for continuity. */
static int ranks_side(const struct series *s, size_t n, double shift)
{
	double *off = mem_zero(n, sizeof(*off)), sum = 0, size = (double)n, spread;

	for (size_t i = 0; i < n; i++)
		off[i] = s->value[i] - shift;
	qsort(off, n, sizeof(*off), by_size);
	for (size_t i = 0; i < n; i++)
		sum += off[i] > 0 ? (double)i + 1 : -((double)i + 1);
	free(off);
	spread = sqrt(size * (size + 1) * (2 * size + 1) / 6);
	return 2 * dist_normal_above((fabs(sum) - 1) / spread) < level
	           ? (sum > 0) - (sum < 0)
	           : 0;
}

static enum result ranks_verdict(const struct series *s, size_t n, double margin)
{
	int from_low = ranks_side(s, n, -margin), from_high = ranks_side(s, n, margin);

	if (from_high > 0 || from_low < 0)
		return BEYOND;
	return from_low > 0 && from_high < 0 ? WITHIN : UNSURE;
}

typedef enum result fixed_test(const struct series *s, size_t n, double margin);

static bool suffices(const struct input *in, size_t n, fixed_test *test)
{
	size_t right = 0;

	for (size_t i = 0; i < in->count; i++)
		right += test(&in->series[i], n, in->margin) == in->right;
	return (double)right >= wanted * (double)in->count;
}

/* Returns the smallest number of blocks that is enough, or 0. */
static size_t fixed_blocks(const struct input *in, fixed_test *test)
{
	size_t lo = 0, hi = 1, most = in->series[0].count;

	while (hi < most && !suffices(in, hi, test)) {
		lo = hi;
		hi = hi * 2 < most ? hi * 2 : most;
	}
	if (!suffices(in, hi, test))
		return 0;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (suffices(in, mid, test))
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

/* Returns the number of blocks after which enough series have the right verdict, or 0. */
static size_t sequence_bound(const struct input *in)
{
	double *blocks = mem_zero(in->count, sizeof(*blocks));
	size_t right = 0, least = (size_t)ceil(wanted * (double)in->count), bound = 0;

	for (size_t i = 0; i < in->count; i++)
		if (in->series[i].verdict == in->right)
			blocks[right++] = (double)in->series[i].blocks;
	stats_sort(blocks, right);
	if (right >= least)
		bound = (size_t)blocks[least - 1];
	free(blocks);
	return bound;
}

int main(int argc, char **argv)
{
	struct input in = { .margin = argc == 3 ? log1p(strtod(argv[1], NULL)) : -1 };
	size_t right = 0, wrong = 0, bound;
	double sum = 0;

	if (in.margin < 0) {
		fputs("sequences: needs a margin and the right verdict\n", stderr);
		return 2;
	}
	in.right = strcmp(argv[2], "beyond") == 0 ? BEYOND : WITHIN;
	read_series(&in);
	for (size_t i = 0; i < in.count; i++) {
		decide(&in.series[i], in.margin);
		right += in.series[i].verdict == in.right;
		wrong += in.series[i].verdict != in.right && in.series[i].verdict != UNSURE;
	}
	bound = sequence_bound(&in);
	for (size_t i = 0; i < in.count; i++)
		sum += (double)(in.series[i].blocks < bound ? in.series[i].blocks : bound);
	printf("%zu %zu %zu %zu %.1f %zu %zu\n", in.count, right, wrong, bound,
	    sum / (double)in.count, bound ? fixed_blocks(&in, signs_verdict) : 0,
	    bound ? fixed_blocks(&in, ranks_verdict) : 0);
	for (size_t i = 0; i < in.count; i++)
		free(in.series[i].value);
	free(in.series);
	return 0;
}
