/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests lib/load/arrivals: the times of each kind, and what is refused.
 */
#include <math.h>
#include <stdlib.h>

#include "../lib/tap.h"
#include "load/arrivals.h"

static int64_t *make(
    enum arrivals_kind kind, struct arrivals_size size, uint64_t seed, size_t *count)
{
	return arrivals_make(&(struct arrivals){ .kind = kind }, &size, seed, count);
}

static void test_uniform(void)
{
	size_t count;
	int64_t *at = make(ARRIVALS_UNIFORM,
	    (struct arrivals_size){ .rate = 50, .period_ns = 1e9 }, 1, &count);

	tap_ok(count == 50 && at[0] == 0 && at[1] == 20000000 && at[49] == 980000000,
	    "uniform arrivals at 50/s for 1 s are 50, each 20 ms after the other");
	free(at);
	at = make(ARRIVALS_UNIFORM, (struct arrivals_size){ .rate = 50, .requests = 3 }, 1,
	    &count);
	tap_ok(count == 3 && at[2] == 40000000, "uniform arrivals have the number that was "
	                                        "asked for");
	free(at);
}

/* Tests that gaps are exponential, by Kolmogorov's distance from that distribution, and
 * that the number of arrivals is that of a Poisson process. */
static void test_poisson(void)
{
	const struct arrivals_size size = { .rate = 1000, .period_ns = 20e9 };
	size_t count, again;
	int64_t *at = make(ARRIVALS_POISSON, size, 42, &count),
	        *same = make(ARRIVALS_POISSON, size, 42, &again);
	double furthest = 0, sum = 0, squares = 0;

	tap_ok(count == again && memcmp(at, same, count * sizeof(*at)) == 0,
	    "the same seed draws the same arrivals");
	free(same);
	tap_ok(fabs((double)count - 20000) < 5 * sqrt(20000),
	    "the number of Poisson arrivals is within 5 sd of its mean");
	for (size_t i = 1; i < count; i++) {
		double gap = (double)(at[i] - at[i - 1]) / 1e6;

		sum += gap;
		squares += gap * gap;
	}
	tap_ok(fabs(sum / (double)(count - 1) - 1) < 5 / sqrt((double)count),
	    "the mean gap is one over the rate");
	tap_ok(fabs(squares / (double)(count - 1) - 2) < 5 * sqrt(20 / (double)count),
	    "the second moment of the gaps is that of an exponential distribution");
	for (double x = 0.01; x < 5; x += 0.01) {
		size_t below = 0;

		for (size_t i = 1; i < count; i++)
			below += (double)(at[i] - at[i - 1]) / 1e6 <= x;
		furthest = fmax(
		    furthest, fabs((double)below / (double)(count - 1) - (1 - exp(-x))));
	}
	tap_ok(furthest < 1.95 / sqrt((double)count),
	    "the gaps have an exponential distribution, by Kolmogorov's test at 0.1%%");
	free(at);
}

static void test_scaled(void)
{
	size_t slow_count, fast_count;
	int64_t *slow = make(ARRIVALS_POISSON,
	    (struct arrivals_size){ .rate = 10, .requests = 100 }, 7, &slow_count);
	int64_t *fast = make(ARRIVALS_POISSON,
	    (struct arrivals_size){ .rate = 20, .requests = 100 }, 7, &fast_count);
	bool scaled = slow_count == 100 && fast_count == 100;

	for (size_t i = 0; scaled && i < 100; i++)
		scaled = llabs(slow[i] - 2 * fast[i]) <= 2;
	tap_ok(scaled, "arrivals at another rate have the same gaps in another scale");
	tap_ok(arrivals_seed(1, 0) != arrivals_seed(1, 1) &&
	           arrivals_seed(1, 0) != arrivals_seed(2, 0) &&
	           arrivals_seed(1, 3) == arrivals_seed(1, 3),
	    "each period of a run has a seed of its own");
	free(slow);
	free(fast);
}

static void test_others(void)
{
	struct arrivals file;
	struct fault f;
	size_t count;
	int64_t *at =
	    make(ARRIVALS_BURST, (struct arrivals_size){ .requests = 5 }, 1, &count);

	tap_ok(
	    count == 5 && at[0] == 0 && at[4] == 0, "all requests of a burst arrive at 0");
	free(at);
	at = make(ARRIVALS_CLOSED, (struct arrivals_size){ .requests = 5 }, 1, &count);
	tap_ok(!at && count == 0, "a closed loop has no arrivals");
	tap_ok(arrivals_parse(TEXT("# times\n0\n 0.5\r\n\n1.25"), "a.txt", &file, &f) == 0,
	    "a file of arrivals is read");
	at = arrivals_make(&file, &(struct arrivals_size){ .requests = 2 }, 1, &count);
	tap_ok(file.count == 3 && file.at_ns[2] == 1250000000 && count == 2 &&
	           at[1] == 500000000,
	    "the first arrivals of a file are taken");
	tap_ok(arrivals_period_ns(&file, &(struct arrivals_size){ 0 }) == 1.25e9,
	    "a file's period lasts until its last arrival");
	free(at);
	arrivals_free(&file);
	arrivals_parse(TEXT("1\n0.5\n"), "a.txt", &file, &f);
	tap_text(f.text, "a.txt:2: 0.5 s is before the previous arrival",
	    "arrivals that decrease are refused");
	arrivals_parse(TEXT("1\nx y\n"), "a.txt", &file, &f);
	tap_text(f.text, "a.txt:2: 'x y' is not a time in seconds",
	    "a line that is no time is refused");
	tap_ok(arrivals_parse(TEXT("1\0\n"), "a.txt", &file, &f) < 0,
	    "a line with a NUL byte is refused");
	arrivals_parse(TEXT("#\n"), "a.txt", &file, &f);
	tap_text(f.text, "a.txt contains no arrival", "an empty file is refused");
}

static void test_rates(void)
{
	double rate;
	struct fault f;

	tap_ok(rate_parse("50/s", &rate, &f) == 0 && rate == 50, "50/s is a rate");
	tap_ok(
	    rate_parse("1.5k", &rate, &f) == 0 && rate == 1500, "a rate may have a prefix");
	tap_ok(rate_parse("0", &rate, &f) < 0 && rate_parse("-1", &rate, &f) < 0 &&
	           rate_parse("2M", &rate, &f) < 0 && rate_parse("/s", &rate, &f) < 0,
	    "rates of 0, below 0 and above a million are refused");
	arrivals_check(&(struct arrivals){ .kind = ARRIVALS_POISSON },
	    &(struct arrivals_size){ .rate = 0.1, .period_ns = 1e9 }, &f);
	tap_text(f.text,
	    "at 0.1/s, fewer than one request arrives in a period of 1 s: use a longer -t, "
	    "or -r",
	    "a period without requests is refused");
	arrivals_check(&(struct arrivals){ .kind = ARRIVALS_UNIFORM },
	    &(struct arrivals_size){ .rate = 1e-9, .requests = 10 }, &f);
	tap_text(f.text,
	    "a period would take 1e+10 s, more than the limit of 100000000 s: use a higher "
	    "rate or a smaller -r",
	    "a period of centuries is refused");
}

int main(void)
{
	test_uniform();
	test_poisson();
	test_scaled();
	test_others();
	test_rates();
	return tap_end();
}
