/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the search near a guess on all small cases, and that a good guess saves work.
 */
#include "stats/gallop.h"
#include "tests/lib/tap.h"

/* A condition that holds below a position, and how often it was evaluated. */
struct below {
	size_t end, evaluations;
};

static bool is_below(void *ctx, size_t at)
{
	struct below *b = ctx;

	b->evaluations++;
	return at < b->end;
}

int main(void)
{
	size_t wrong = 0, most = 0;
	struct below far = { .end = 700000 };

	for (size_t count = 0; count <= 20; count++)
		for (size_t end = 0; end <= count; end++)
			for (size_t guess = 0; guess <= count + 2; guess++) {
				struct below b = { .end = end };

				wrong += gallop_count(count, guess, is_below, &b) != end;
			}
	tap_ok(wrong == 0, "gallop_count finds the end from each guess");
	for (size_t guess = 699998; guess <= 700002; guess++) {
		struct below near = { .end = 700000 };

		gallop_count(1000000, guess, is_below, &near);
		most = near.evaluations > most ? near.evaluations : most;
	}
	gallop_count(1000000, 1, is_below, &far);
	tap_ok(
	    most <= 8, "a guess next to the end costs 8 evaluations at most (%zu)", most);
	tap_ok(far.evaluations > most && far.evaluations <= 60,
	    "a guess far from the end costs few more than a bisection (%zu)",
	    far.evaluations);
	return tap_end();
}
