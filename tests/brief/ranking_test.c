/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ranking of subjects and its sentences, and the median with its interval, on values
 * whose comparison is known.
 */
#include <math.h>
#include <stdlib.h>

#include "brief/brief_median.h"
#include "brief/ranking_text.h"
#include "tests/lib/tap.h"

enum { SAMPLES = 12, SUBJECTS = 4 };

/* Samples of a subject in blocks of one run. */
struct made {
	double value[SAMPLES], limit[SAMPLES];
	struct sample_id identity[SAMPLES], limit_identity[SAMPLES];
	struct sample_id failing[SAMPLES];
	struct missing_values missing;
};

static struct made made[SUBJECTS];
static struct collected values[SUBJECTS];
static const char *const names[SUBJECTS] = { "A", "B", "C", "D" };

/* Fills a subject with values near a location; the same block disturbs all subjects. */
static void fill(size_t subject, size_t count, double location)
{
	struct made *m = &made[subject];

	values[subject] = (struct collected){ .value = m->value,
		.identity = m->identity,
		.count = count,
		.missing = &m->missing };
	m->missing = (struct missing_values){ .limit = m->limit,
		.limit_identity = m->limit_identity,
		.failing = m->failing };
	for (size_t i = 0; i < count; i++) {
		m->identity[i] = (struct sample_id){ 0, INT64_MIN, (int64_t)i };
		m->value[i] = location * (1 + 0.01 * (double)(i % 5)) *
		              (1 + 0.001 * (double)((i * (subject + 3)) % 7));
	}
}

/* Makes the samples of a subject failures, or timeouts beyond a limit. */
static void fail(size_t subject, size_t count, double limit)
{
	struct made *m = &made[subject];

	fill(subject, 0, 1);
	for (size_t i = 0; i < count; i++) {
		m->failing[i] = (struct sample_id){ 0, INT64_MIN, (int64_t)i };
		m->limit_identity[i] = m->failing[i];
		m->limit[i] = limit;
	}
	m->missing.failed = m->missing.failings = count;
	m->missing.censored = m->missing.limits = limit > 0 ? count : 0;
}

static struct ranking rank_first(size_t count, enum better better)
{
	const struct ranking_opts opts = {
		.better = better, .inference = INFERENCE_DEFAULTS, .threshold = 0.02
	};
	const struct collected *given[SUBJECTS];
	struct ranking r;

	for (size_t i = 0; i < count; i++)
		given[i] = &values[i];
	ranking_make(&r, given, count, &opts);
	return r;
}

/* Checks the sentence of a place, long or short. */
static void sentence(const struct ranking *r, size_t place, bool is_short, const char *want,
    const char *what)
{
	struct buf b = { 0 };

	(is_short ? ranking_put_short : ranking_put)(&b, r, place, names);
	tap_text(b.ptr, want, what);
	buf_free(&b);
}

static void test_agreement(void)
{
	static const struct two_sample_opts opts = { .location = LOCATION_MEDIAN,
		.better = BETTER_LOWER,
		.inference = INFERENCE_DEFAULTS,
		.threshold = 0.02 };
	struct two_sample direct[2], *list[] = { &direct[0], &direct[1] };
	struct ranking r;
	size_t tests;

	fill(0, SAMPLES, 300);
	fill(1, SAMPLES, 100);
	fill(2, SAMPLES, 101.5);
	r = rank_first(3, BETTER_LOWER);
	two_sample_measure(&values[1], &values[2], &opts, &direct[0]);
	two_sample_measure(&values[1], &values[0], &opts, &direct[1]);
	tests = two_sample_adjust(list, 2, ADJUST_HOLM);
	two_sample_judge(&direct[0], &opts, tests);
	two_sample_judge(&direct[1], &opts, tests);
	tap_ok(r.item[0].subject == 1 && r.item[0].rank == RANK_BEST &&
	           r.item[1].subject == 2 && r.item[2].subject == 0,
	    "subjects are ranked by their medians");
	for (size_t i = 0; i < 2; i++) {
		const struct two_sample *got = &r.item[i + 1].result;

		tap_ok(got->ratio == direct[i].ratio &&
		           got->ratio_lo == direct[i].ratio_lo &&
		           got->ratio_hi == direct[i].ratio_hi && got->p == direct[i].p &&
		           got->p_adj == direct[i].p_adj &&
		           got->verdict == direct[i].verdict && got->basis == BASIS_BLOCK,
		    "the comparison of place %zu is that of two_sample, in blocks", i + 1);
		tap_ok(r.item[i + 1].times == got->ratio &&
		           r.item[i + 1].times_lo == got->ratio_lo,
		    "the best one is the ratio of place %zu times as fast", i + 1);
	}
	ranking_free(&r);
}

static void test_sentences(void)
{
	struct ranking r;

	fill(0, SAMPLES, 100);
	fill(1, SAMPLES, 252);
	r = rank_first(2, BETTER_LOWER);
	sentence(&r, 1, false, "A is 2.520 times as fast as B (95%: 2.514 to 2.525)",
	    "a difference is a factor with its interval");
	sentence(&r, 1, true, "2.520 times as fast as B (95%: 2.514 to 2.525)",
	    "the short form of a difference lacks the best name");
	ranking_free(&r);
	r = rank_first(2, BETTER_HIGHER);
	tap_ok(r.item[0].subject == 1, "a higher throughput is better");
	sentence(&r, 1, false, "B is 2.520 times as fast as A (95%: 2.514 to 2.525)",
	    "the factor of throughputs is above 1");
	ranking_free(&r);
	fill(1, SAMPLES, 100.5);
	r = rank_first(2, BETTER_LOWER);
	sentence(&r, 1, false,
	    "A is as fast as B to within 2% (1.0050 times, 95%: 1.0025 to 1.0070)",
	    "a difference within the margin is none");
	ranking_free(&r);
	fill(1, SAMPLES, 102);
	r = rank_first(2, BETTER_LOWER);
	sentence(&r, 1, false,
	    "A is faster than B, but perhaps only by up to 2% (1.0200 times, 95%: 1.0175 "
	    "to 1.0220)",
	    "a difference that may be within the margin is a difference");
	tap_ok(r.item[1].result.verdict == VERDICT_UNSURE,
	    "a difference that may be within the margin has no verdict");
	ranking_free(&r);
	fill(1, 3, 252);
	r = rank_first(2, BETTER_LOWER);
	sentence(&r, 1, false,
	    "A cannot be told apart from B with 3 runs: at least 6 are needed (use --runs=6)",
	    "a pair with too few samples has no factor");
	ranking_free(&r);
}

static void test_noise(void)
{
	struct ranking r;
	struct buf b = { 0 };

	fill(0, SAMPLES, 100);
	fill(1, SAMPLES, 103);
	for (size_t i = 0; i < SAMPLES; i++)
		made[1].value[i] *= i % 2 ? 0.8 : 1.25;
	r = rank_first(2, BETTER_LOWER);
	ranking_put(&b, &r, 1, names);
	tap_ok(strncmp(b.ptr, "A is not clearly faster than B (", 32) == 0 &&
	           strstr(b.ptr, " more runs may decide"),
	    "noise leaves no clearly faster subject, with the runs that may decide");
	buf_free(&b);
	ranking_free(&r);
}

static void median(size_t count, bool utf8, const char *want, const char *what)
{
	const struct brief_opts opts = { .inference = INFERENCE_DEFAULTS, .utf8 = utf8 };
	struct buf b = { 0 };

	values[0].count = count;
	brief_put_median(&b, &values[0], TEXT("ns"), &opts);
	tap_text(b.ptr, want, what);
	buf_free(&b);
}

static void test_median(void)
{
	static const double rising[] = { 100, 101, 102, 103, 104, 105 };

	fill(0, 6, 1);
	memcpy(made[0].value, rising, sizeof(rising));
	median(6, true, "102.5 ns ± 2.5 ns", "a median has half its interval");
	median(6, false, "102.5 ns +- 2.5 ns", "half an interval has an ASCII sign");
	median(5, true, "102 ns", "a median may have no interval");
	made[0].value[5] = 900;
	median(6, true, "102.5 ns, 100 ns to 900 ns",
	    "an interval whose median is far from its middle has two ends");
}

static void test_contests(void)
{
	const size_t contest[SUBJECTS] = { 0, 1, 0, 2 };
	const struct ranking_opts opts = { .better = BETTER_LOWER,
		.inference = INFERENCE_DEFAULTS,
		.threshold = 0.02,
		.contest = contest };
	const struct collected *given[SUBJECTS] = { &values[0], &values[1], &values[2],
		&values[3] };
	struct ranking r;

	fill(0, SAMPLES, 400);
	fill(1, SAMPLES, 100);
	fill(2, SAMPLES, 200);
	fill(3, 0, 1);
	ranking_make(&r, given, SUBJECTS, &opts);
	tap_ok(r.item[0].subject == 2 && r.item[1].subject == 0 && r.item[2].subject == 1 &&
	           r.item[3].subject == 3,
	    "a ranking has one contest after the other, each with its best subject first");
	tap_ok(r.item[0].rank == RANK_BEST && r.item[1].rank == RANK_COMPARED &&
	           r.item[2].rank == RANK_ALONE && r.item[3].rank == RANK_EMPTY,
	    "the best subject of a contest has no rival in another contest");
	tap_ok(r.compared == 1 && fabs(r.item[1].times - 2) < 0.01 &&
	           r.item[1].result.verdict == VERDICT_WORSE,
	    "a subject is compared with the best one of its contest");
	tap_ok(isnan(r.item[2].times), "a subject that is alone has no factor");
	ranking_free(&r);
}

static void test_failures(void)
{
	struct ranking r;

	fill(0, SAMPLES, 100);
	fail(1, SAMPLES, 1000);
	fail(2, SAMPLES, 0);
	fill(3, 0, 1);
	r = rank_first(4, BETTER_LOWER);
	sentence(&r, 1, false,
	    "A is at least 9.9 times as fast as B (95%), which timed out in 12 of 12 runs",
	    "timeouts bound the factor from below");
	sentence(&r, 2, false, "C is not compared: all 12 runs failed",
	    "a subject that always failed has no factor");
	sentence(&r, 3, false, "D is not compared: it was not measured",
	    "a subject without samples is not compared");
	ranking_free(&r);
	fail(0, 1, 0);
	r = rank_first(1, BETTER_LOWER);
	tap_ok(r.item[0].rank == RANK_FAILED && !r.compared,
	    "no subject is best if all failed");
	ranking_free(&r);
	fail(0, SAMPLES, 1000);
	r = rank_first(2, BETTER_LOWER);
	tap_ok(r.item[0].rank != RANK_BEST && isnan(r.item[0].median) &&
	           r.item[0].above == 1000,
	    "no subject is best if all timed out");
	ranking_free(&r);
}

int main(void)
{
	test_agreement();
	test_sentences();
	test_noise();
	test_median();
	test_contests();
	test_failures();
	return tap_end();
}
