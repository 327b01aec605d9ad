/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares two sides of random values: a target of libFuzzer, which `make fuzz` runs. Many
 * of the values are the largest, the smallest and equal ones. The first byte of the input
 * has the options, the second one says how often the values are repeated, and the rest are
 * the values of both sides. The comparison must end, and its results must agree with each
 * other.
 */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "tests/compare/made_sides.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

enum { VALUES_MAX = 150 }; /* on a side: more than are tested exactly */
enum fuzz_option {
	FUZZ_PAIRS = 1,  /* the values of a run are a pair */
	FUZZ_SIGNED = 2, /* pairs that are known to differ from each other */
	FUZZ_MEAN = 4,
	FUZZ_WELCH = 8,
	FUZZ_LIMIT = 16,
	FUZZ_SHIFT = 32,
};

static void require(bool kept, const char *rule, const struct two_sample *c)
{
	if (kept)
		return;
	fprintf(stderr,
	    "%s: n %zu and %zu, test %s, p %g, ratio %g [%g, %g], difference %g [%g, %g]\n",
	    rule, c->n_old, c->n_new, c->test ? c->test : "none", c->p, c->ratio,
	    c->ratio_lo, c->ratio_hi, c->diff, c->diff_lo, c->diff_hi);
	abort();
}

/* Compares the sides, without the verdict, for which many values are sought. */
static struct two_sample compare_sides(
    const struct made *side, const struct two_sample_opts *opts)
{
	struct missing_values missing[2];
	struct collected from[2];
	struct two_sample c;

	for (size_t i = 0; i < 2; i++)
		from[i] = censor(&side[i], &missing[i]);
	two_sample_measure(&from[0], &from[1], opts, &c);
	for (size_t i = 0; i < 2; i++) {
		free(from[i].value);
		free(from[i].identity);
		free(missing[i].limit);
		free(missing[i].limit_identity);
	}
	return c;
}

/* Returns the value of a byte: an extreme or a whole number, or one near 100. */
static double value_of_byte(uint8_t byte)
{
	static const double extremes[] = { DBL_MAX, -DBL_MAX, DBL_MIN, -DBL_MIN, 5e-324,
		-5e-324, 1e308, -1e308, 1e300, 1e154, 1e-154, 1e-300, 0x1p53, 0x1p63, 1e-9,
		-1 };

	return byte < 64    ? extremes[byte % COUNT(extremes)]
	       : byte < 128 ? byte / 4 - 16
	                    : 100 + (byte - 192) * 0.1;
}

static void check_interval(
    const struct two_sample *c, double at, double lo, double hi, double none)
{
	const double alpha = inference_alpha(&plain.inference);

	require(!isinf(at) && !isinf(lo) && !isinf(hi), "an infinite result", c);
	require(!(lo > hi), "an interval with its ends exchanged", c);
	if (c->censored_old || c->censored_new)
		return;
	require(!(at < lo) && !(at > hi), "an estimate outside its interval", c);
	/* At an end there may be ties, which have another p than either side of the end.
	 * Next to the largest values, the variance of Welch's test loses small differences.
	 */
	if (strcmp(c->test, "welch") != 0 && isfinite(lo) && isfinite(hi) &&
	    fabs(c->p - alpha) > 1e-6)
		require(c->p < alpha ? none <= lo || none >= hi : none >= lo && none <= hi,
		    "an interval that contradicts p", c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static uint32_t pair_of_run[2 * VALUES_MAX];
	static struct made side[2];
	struct two_sample_opts opts = plain;
	struct two_sample c;
	size_t count, times;

	if (len < 4)
		return -1;
	count = (len - 2) / 2;
	times = 1 + bytes[1] % 4;
	if (count * times > VALUES_MAX)
		return -1;
	for (uint32_t i = 0; i < COUNT(pair_of_run); i++)
		pair_of_run[i] = i;
	opts.location = bytes[0] & FUZZ_MEAN ? LOCATION_MEAN : LOCATION_MEDIAN;
	opts.inference.test = &infer_tests[bytes[0] & FUZZ_WELCH ? 1 : 0];
	opts.shift = bytes[0] & FUZZ_SHIFT;
	opts.pair_of_run =
	    (bytes[0] & FUZZ_PAIRS) && (bytes[0] & FUZZ_SIGNED) ? pair_of_run : NULL;
	for (uint32_t s = 0; s < 2; s++) {
		side[s].count = 0;
		side[s].limit = bytes[0] & FUZZ_LIMIT ? 103 : 0;
		for (size_t i = 0; i < count * times; i++)
			put(&side[s],
			    (uint32_t)i + (bytes[0] & FUZZ_PAIRS ? 0 : s * VALUES_MAX),
			    INT64_MIN, 0, value_of_byte(bytes[2 + i % count * 2 + s]));
	}
	c = compare_sides(side, &opts);
	require(!(c.p < 0) && !(c.p > 1), "no probability", &c);
	require(!(fabs(c.effect) > 1), "no effect", &c);
	check_interval(&c, c.ratio, c.ratio_lo, c.ratio_hi, 1);
	check_interval(&c, c.diff, c.diff_lo, c.diff_hi, 0);
	return 0;
}
