/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that the colors of series can be distinguished with any color vision, and that a
 * reduced line keeps its extremes.
 */
#include <math.h>
#include <stdlib.h>

#include "plot/decimate.h"
#include "plot/palette.h"
#include "tests/lib/tap.h"

static double linear(unsigned byte)
{
	double c = byte / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

struct rgb {
	double c[3]; /* linear */
};

static struct rgb rgb_of(unsigned colour)
{
	return (struct rgb){ { linear(colour >> 16 & 255), linear(colour >> 8 & 255),
	    linear(colour & 255) } };
}

/* WCAG 2.1, relative luminance and contrast ratio. */
static double luminance(unsigned colour)
{
	struct rgb l = rgb_of(colour);

	return 0.2126 * l.c[0] + 0.7152 * l.c[1] + 0.0722 * l.c[2];
}

static double contrast(unsigned a, unsigned b)
{
	double x = luminance(a), y = luminance(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static struct rgb times(const double m[3][3], struct rgb v)
{
	struct rgb out;

	for (int i = 0; i < 3; i++)
		out.c[i] = fmin(
		    1, fmax(0, m[i][0] * v.c[0] + m[i][1] * v.c[1] + m[i][2] * v.c[2]));
	return out;
}

/* Machado, Oliveira, Fernandes (2009), severity 1. */
static const double sight[3][3][3] = {
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	{ { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
	    { -0.011820, 0.042940, 0.968881 } },
	{ { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
	    { -0.003882, -0.048116, 1.051998 } },
};
static const char *const sight_names[] = { "all colors", "no green", "no red" };

static double lab_f(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* CIE 1976 L*a*b* under D65. */
static struct rgb lab(struct rgb l)
{
	double x = (0.4124564 * l.c[0] + 0.3575761 * l.c[1] + 0.1804375 * l.c[2]) / 0.95047,
	       y = 0.2126729 * l.c[0] + 0.7151522 * l.c[1] + 0.0721750 * l.c[2],
	       z = (0.0193339 * l.c[0] + 0.1191920 * l.c[1] + 0.9503041 * l.c[2]) / 1.08883;

	return (struct rgb){ { 116 * lab_f(y) - 16, 500 * (lab_f(x) - lab_f(y)),
	    200 * (lab_f(y) - lab_f(z)) } };
}

static double distance(unsigned a, unsigned b, int seen)
{
	struct rgb p = lab(times(sight[seen], rgb_of(a))),
	           q = lab(times(sight[seen], rgb_of(b)));

	return sqrt(
	    pow(p.c[0] - q.c[0], 2) + pow(p.c[1] - q.c[1], 2) + pow(p.c[2] - q.c[2], 2));
}

static void test_palette(const unsigned *palette, unsigned page, const char *theme)
{
	double least = INFINITY;

	for (int i = 0; i < PALETTE_SLOTS; i++)
		least = fmin(least, contrast(palette[i], page));
	tap_ok(least >= 3,
	    "every color of the %s theme has a contrast of 3 with the page (%.2f)", theme,
	    least);
	for (int seen = 0; seen < 3; seen++) {
		least = INFINITY;
		for (int i = 0; i < PALETTE_SLOTS; i++)
			for (int k = 0; k < i; k++)
				least = fmin(least, distance(palette[i], palette[k], seen));
		tap_ok(least >= 20,
		    "all colors of the %s theme differ when seen with %s (%.1f)", theme,
		    sight_names[seen], least);
	}
}

static void test_slots(void)
{
	static const char *const backend[] = { "cpu", "cuda", "hip", "opencl", "ref" };
	unsigned taken = 0;

	for (size_t i = 0; i < COUNT(backend); i++) {
		char *pair = str_format("backend=%s", backend[i]);
		unsigned slot = palette_slot(text_of(backend[i]));

		tap_ok(slot == palette_slot(text_of(pair)),
		    "%s has the same color with and without its column", pair);
		tap_ok(!(taken >> slot & 1),
		    "the color of %s is not used by another backend", pair);
		taken |= 1u << slot;
		free(pair);
	}
	tap_ok(palette_slot(TEXT("x")) < PALETTE_SLOTS &&
	           palette_slot(TEXT("x")) == palette_slot(TEXT("x")),
	    "any name has a color, and always the same");
	tap_ok(palette_slot(TEXT("better")) != palette_slot(TEXT("worse")),
	    "the verdicts better and worse have different colors");
}

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
	kept = decimate_line(p, N, COLUMNS, false);
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
	    "a reduced line keeps the least and the greatest point of each column");
	tap_ok(decimate_line(q, 300, COLUMNS, false) == 300,
	    "a line of few points is not reduced");
	for (size_t i = 0; i < N; i++)
		q[i] = (struct point){ exp((double)i / N * 10), (double)i };
	kept = decimate_line(q, N, COLUMNS, true);
	tap_ok(kept <= 4 * COLUMNS && q[kept / 2].x > exp(4) && q[kept / 2].x < exp(6),
	    "columns of a logarithmic axis are even in its logarithm");
	free(p);
	free(q);
}

int main(void)
{
	test_palette(palette_light, PALETTE_PAGE_LIGHT, "light");
	test_palette(palette_dark, PALETTE_PAGE_DARK, "dark");
	test_slots();
	test_decimate();
	return tap_end();
}
