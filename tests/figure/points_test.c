/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that a reduced line keeps its extremes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/points.h"
#include "tests/lib/tap.h"

enum { N = 100000, COLUMNS = 100 };

static void test_decimate(void)
{
	struct point *p = mem_zero(N, sizeof(*p)), *q = mem_zero(N, sizeof(*q));
	uint64_t seed = 1;
	size_t kept;
	bool inside = true, extremes = true;

	for (size_t i = 0; i < N; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		q[i] = (struct point){ (double)i, (double)(seed >> 40) };
	}
	memcpy(p, q, N * sizeof(*p));
	kept = points_decimate(p, N, COLUMNS, false);
	tap_ok(kept <= 4 * COLUMNS && kept > 2 * COLUMNS,
	    "a reduced line has at most four points for each column");
	tap_ok(p[0].x == 0 && p[kept - 1].x == N - 1,
	    "a reduced line keeps its first and last point");
	for (size_t i = 1; i < kept; i++)
		inside = inside && p[i].x > p[i - 1].x;
	tap_ok(inside, "the points of a reduced line are in order");
	for (size_t c = 0; c < COLUMNS; c++) {
		double lo = INFINITY, hi = -INFINITY, kept_lo = INFINITY,
		       kept_hi = -INFINITY;
		double width = (N - 1.0) / COLUMNS;

		for (size_t i = 0; i < N; i++)
			if (fmin(COLUMNS - 1, floor(q[i].x / width)) == (double)c) {
				lo = fmin(lo, q[i].value);
				hi = fmax(hi, q[i].value);
			}
		for (size_t i = 0; i < kept; i++)
			if (fmin(COLUMNS - 1, floor(p[i].x / width)) == (double)c) {
				kept_lo = fmin(kept_lo, p[i].value);
				kept_hi = fmax(kept_hi, p[i].value);
			}
		extremes = extremes && lo == kept_lo && hi == kept_hi;
	}
	tap_ok(extremes,
	    "a reduced line keeps the smallest and the largest point of each column");
	tap_ok(points_decimate(q, 300, COLUMNS, false) == 300,
	    "a line of few points is not reduced");
	for (size_t i = 0; i < N; i++)
		q[i] = (struct point){ exp((double)i / N * 10), (double)i };
	kept = points_decimate(q, N, COLUMNS, true);
	tap_ok(kept <= 4 * COLUMNS && q[kept / 2].x > exp(4) && q[kept / 2].x < exp(6),
	    "columns of a logarithmic axis are even in its logarithm");
	free(p);
	free(q);
}

int main(void)
{
	test_decimate();
	return tap_end();
}
