/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches near a guess; see gallop.h. */
#include "stats/gallop.h"

size_t gallop_count(
    size_t count, size_t guess, bool (*holds)(void *ctx, size_t at), void *ctx)
{
	size_t low = 0, high = count, step = 1;

	while (low < high) {
		size_t middle =
		    guess >= low && guess < high ? guess : low + (high - low) / 2;

		if (holds(ctx, middle)) {
			low = middle + 1;
			guess = middle + step;
		} else {
			high = middle;
			guess = middle - (middle > step ? step : middle);
		}
		step *= 2;
	}
	return low;
}
