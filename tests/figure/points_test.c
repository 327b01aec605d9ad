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

/* A line of 10000 points with one peak and one dip, over 50 columns. */
static void test_peaks(void)
{
	enum { POINTS = 10000, WIDTH = 50 };
	static struct point line[POINTS], few[4 * WIDTH];
	size_t kept, peaks = 0, dips = 0;
	bool ordered = true;

	for (size_t i = 0; i < POINTS; i++)
		line[i] = (struct point){ (double)i + 1, i == 3141   ? 99
			                                 : i == 5926 ? -99
			                                             : (double)(i % 7) };
	kept = points_decimate(line, POINTS, WIDTH, false);
	tap_ok(kept <= 4 * WIDTH && kept > WIDTH,
	    "a column keeps at most four points (%zu)", kept);
	for (size_t i = 0; i < kept; i++) {
		peaks += line[i].x == 3142 && line[i].value == 99;
		dips += line[i].x == 5927 && line[i].value == -99;
		ordered = ordered && (i == 0 || line[i].x > line[i - 1].x);
	}
	tap_ok(peaks == 1 && dips == 1, "the smallest and the largest point are kept");
	tap_ok(ordered, "points that are kept stay in order");
	tap_ok(line[0].x == 1 && line[kept - 1].x == POINTS,
	    "the first and the last point are kept");

	for (size_t i = 0; i < COUNT(few); i++)
		few[i] = (struct point){ (double)i, (double)(i * i % 11) };
	tap_ok(points_decimate(few, COUNT(few), WIDTH, false) == COUNT(few),
	    "a line with four points a column is kept whole");
	tap_ok(points_decimate(few, COUNT(few), 0, false) == COUNT(few),
	    "a line over no columns is kept whole");

	for (size_t i = 0; i < POINTS; i++)
		line[i] = (struct point){ (double)i + 1, (double)(i % 7) };
	kept = points_decimate(line, POINTS, WIDTH, true);
	for (size_t i = 0; i < 5; i++)
		tap_ok(line[i].x == (double)i + 1,
		    "columns of a logarithmic x are narrow at its beginning (%g)",
		    line[i].x);
}

int main(void)
{
	test_decimate();
	test_peaks();
	return tap_end();
}
