/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search for the highest rate, on a simulated queue whose answer is known.
 */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/rng.h"
#include "load/rate_search.h"
#include "tests/lib/tap.h"

/* The service takes 1; a request keeps its limit if it waits for at most WAIT_MOST. */
static const double share = 0.95, confidence = 0.95;
enum { WAIT_MOST = 3, SEARCHES = 40 };

/*
 * Returns the share of requests that wait for at most a whole number of services in the
 * queue M/D/1 (A. K. Erlang, "The theory of probabilities and telephone conversations",
 * Nyt Tidsskrift for Matematik B 20, 1909), for a service time of 1.
 */
static double share_within(double rate, int wait)
{
	double sum = 0;

	for (int k = 0; k <= wait; k++) {
		double x = rate * (k - wait), term = exp(-x);

		for (int i = 1; i <= k; i++)
			term *= x / i;
		sum += term;
	}
	return (1 - rate) * sum;
}

/* Returns the highest rate that keeps the level. */
static double known_rate(void)
{
	double low = 0, high = 1;

	while (high - low > 1e-9) {
		double middle = (low + high) / 2;

		if (share_within(middle, WAIT_MOST) >= share)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Plays a period: Lindley's recursion, from an empty queue. */
static void play(struct rng *rng, double rate, bool *kept, size_t n)
{
	double wait = 0;

	for (size_t i = 0; i < n; i++) {
		kept[i] = wait <= WAIT_MOST;
		wait = fmax(0, wait + 1 + log1p(-rng_uniform(rng)) / rate);
	}
}

static struct rate_search search(uint64_t seed)
{
	bool *kept = NULL;
	struct rate_search s;
	struct rng rng;

	rng_seed(&rng, seed);
	rate_search_begin(&s, 1, share, confidence);
	while (s.rate > 0) {
		kept = mem_resize(kept, s.requests, sizeof(*kept));
		play(&rng, s.rate, kept, s.requests);
		rate_search_note(&s, kept, s.requests, false);
	}
	free(kept);
	return s;
}

static void test_queue(void)
{
	const double known = known_rate();
	int right = 0, narrow = 0;

	for (uint64_t seed = 1; seed <= SEARCHES; seed++) {
		struct rate_search s = search(seed);

		right += s.keeps <= known && known <= s.breaks;
		narrow += s.breaks / s.keeps < 1.5;
	}
	tap_ok(right >= SEARCHES * 85 / 100,
	    "the interval of a search contains the rate that theory gives (%d of %d)",
	    right, SEARCHES);
	tap_ok(narrow >= SEARCHES / 2,
	    "at least half of the intervals of a search are narrower than 50%% (%d of %d)",
	    narrow, SEARCHES);
}

/* Searches where each rate up to a limit keeps the level with all requests, and no other
 * does with any; or, if the periods are too short to show this, all rates do, but those
 * above the limit saturate the servers. */
static struct rate_search search_step(double limit, bool short_periods)
{
	bool *kept = NULL;
	struct rate_search s;

	rate_search_begin(&s, 1, share, confidence);
	while (s.rate > 0) {
		kept = mem_resize(kept, s.requests, sizeof(*kept));
		for (size_t i = 0; i < s.requests; i++)
			kept[i] = s.rate <= limit || short_periods;
		rate_search_note(&s, kept, s.requests, s.rate > limit && short_periods);
	}
	free(kept);
	return s;
}

static void test_steps(void)
{
	struct rate_search s = search_step(0.3, false);

	tap_ok(s.keeps <= 0.3 && s.breaks > 0.3 && s.breaks / s.keeps <= 1.05,
	    "a search bisects to an interval of at most 5%%");
	tap_ok(rate_search_middle(&s) > s.keeps && rate_search_middle(&s) < s.breaks,
	    "the middle of a search is in its interval");
	s = search_step(0, false);
	tap_ok(s.keeps == 0 && isfinite(s.breaks) && isnan(rate_search_middle(&s)),
	    "a level that no rate keeps has no highest rate");
	s = search_step(1e9, false);
	tap_ok(s.keeps > 1 && isinf(s.breaks) && isnan(rate_search_middle(&s)),
	    "a level that all rates keep has no highest rate");
	s = search_step(0.3, true);
	tap_ok(s.keeps <= 0.3 && s.breaks > 0.3 && s.breaks / s.keeps <= 1.05,
	    "a rate that saturates the servers breaks a level that its requests kept");
}

static void test_share(void)
{
	size_t n = share_requests(0.99, 0.95);
	struct share_estimate e = {
		.requests = (double)n, .kept = (double)n, .effective = (double)n
	};

	tap_ok(n == 369 && share_estimate_judge(&e, 0.99, 0.95) == RATE_KEEPS,
	    "369 requests are enough to show a share of 99%%");
	e.effective = e.requests = e.kept = 360;
	tap_ok(share_estimate_judge(&e, 0.99, 0.95) == RATE_UNDECIDED,
	    "360 requests are not enough to show a share of 99%%");
	e.kept = 340;
	tap_ok(share_estimate_judge(&e, 0.99, 0.95) == RATE_BREAKS,
	    "20 of 360 requests beyond their limits break a share of 99%%");
}

/* Requests that fail together say less than independent ones. */
static void test_effect(void)
{
	enum { N = 400 };
	struct share_estimate spread = { 0 }, together = { 0 };
	bool kept[N];

	for (size_t i = 0; i < N; i++)
		kept[i] = i % 10 != 0;
	share_estimate_add(&spread, kept, N);
	for (size_t i = 0; i < N; i++)
		kept[i] = i < N - N / 10;
	share_estimate_add(&together, kept, N);
	tap_ok(spread.effective == N, "requests that fail evenly count fully");
	tap_ok(together.effective < N / 5.,
	    "requests that fail together count as fewer (%.0f of %d)", together.effective,
	    N);
}

int main(void)
{
	test_share();
	test_effect();
	test_steps();
	test_queue();
	return tap_end();
}
