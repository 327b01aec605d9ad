/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that the colors of series can be distinguished with any color vision, and that
 * an SVG follows the theme of its reader and is small.
 */
#include <math.h>
#include <stdlib.h>

#include "svg/palette.h"
#include "svg/svg_theme.h"
#include "svg/svg_tidy.h"
#include "tests/lib/tap.h"

static double linear(unsigned byte)
{
	double c = byte / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

struct rgb {
	double c[3]; /* linear */
};

static struct rgb rgb_of(unsigned color)
{
	return (struct rgb){ { linear(color >> 16 & 255), linear(color >> 8 & 255),
	    linear(color & 255) } };
}

/* WCAG 2.1, relative luminance and contrast ratio. */
static double luminance(unsigned color)
{
	struct rgb l = rgb_of(color);

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
static const double sight[][3][3] = {
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	{ { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
	    { -0.011820, 0.042940, 0.968881 } },
	{ { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
	    { -0.003882, -0.048116, 1.051998 } },
	{ { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 },
	    { 0.004733, 0.691367, 0.303900 } },
};
static const char *const sight_names[] = { "full color vision", "deuteranopia",
	"protanopia", "tritanopia" };

static double lab_f(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
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

static const double degree = 3.14159265358979323846 / 180;

/* Returns an angle in degrees, from 0 to 360. */
static double hue(double y, double x)
{
	double h = x == 0 && y == 0 ? 0 : atan2(y, x) / degree;

	return h < 0 ? h + 360 : h;
}

/* CIEDE2000 (G. Sharma, W. Wu, E. Dalal, "The CIEDE2000 color-difference formula", Color
 * Research and Application 30 (2005)). */
static double ciede2000(const double p[3], const double q[3])
{
	double mean = (hypot(p[1], p[2]) + hypot(q[1], q[2])) / 2,
	       g = 1.5 - 0.5 * sqrt(pow(mean, 7) / (pow(mean, 7) + pow(25, 7))),
	       c1 = hypot(p[1] * g, p[2]), c2 = hypot(q[1] * g, q[2]),
	       h1 = hue(p[2], p[1] * g), h2 = hue(q[2], q[1] * g), turn = h2 - h1,
	       h = (h1 + h2) / 2, c = (c1 + c2) / 2, l = (p[0] + q[0]) / 2;

	if (c1 * c2 == 0) {
		turn = 0;
		h = h1 + h2;
	} else if (fabs(turn) > 180) {
		turn -= copysign(360, turn);
		h += h1 + h2 < 360 ? 180 : -180;
	}
	double dh = 2 * sqrt(c1 * c2) * sin(turn / 2 * degree),
	       t = 1 - 0.17 * cos((h - 30) * degree) + 0.24 * cos(2 * h * degree) +
	           0.32 * cos((3 * h + 6) * degree) - 0.20 * cos((4 * h - 63) * degree),
	       sl = 1 + 0.015 * pow(l - 50, 2) / sqrt(20 + pow(l - 50, 2)),
	       sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t,
	       rt = -sin(60 * exp(-pow((h - 275) / 25, 2)) * degree) * 2 *
	            sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7)));

	return sqrt(pow((q[0] - p[0]) / sl, 2) + pow((c2 - c1) / sc, 2) + pow(dh / sh, 2) +
	            rt * (c2 - c1) / sc * dh / sh);
}

/* Three of the pairs that Sharma, Wu and Dalal publish with their differences. */
static void test_ciede2000(void)
{
	static const struct {
		double p[3], q[3], want;
	} pairs[] = {
		{ { 50, 2.6772, -79.7751 }, { 50, 0, -82.7485 }, 2.0425 },
		{ { 50, 2.5, 0 }, { 58, 24, 15 }, 19.4535 },
		{ { 6.7747, -0.2908, -2.4247 }, { 5.8714, -0.0985, -2.2286 }, 0.6377 },
	};

	for (size_t i = 0; i < COUNT(pairs); i++)
		tap_ok(fabs(ciede2000(pairs[i].p, pairs[i].q) - pairs[i].want) < 0.00005,
		    "CIEDE2000 of published pair %zu is %.4f", i + 1, pairs[i].want);
}

static double distance(unsigned a, unsigned b, size_t seen)
{
	struct rgb p = lab(times(sight[seen], rgb_of(a))),
	           q = lab(times(sight[seen], rgb_of(b)));

	return ciede2000(p.c, q.c);
}

static unsigned on_page(struct palette_color color, bool dark)
{
	return dark ? color.dark : color.light;
}

static void test_series(bool dark)
{
	const char *theme = dark ? "dark" : "light";
	unsigned page = on_page(palette_part[PALETTE_PAGE], dark);
	double least = INFINITY;

	for (int i = 0; i < PALETTE_SLOTS; i++)
		least = fmin(least, contrast(on_page(palette_series[i], dark), page));
	tap_ok(least >= 3,
	    "every color of the %s theme has a contrast of 3 with the page (%.2f)", theme,
	    least);
	for (size_t seen = 0; seen < COUNT(sight); seen++) {
		least = INFINITY;
		for (int i = 0; i < PALETTE_SLOTS; i++)
			for (int k = 0; k < i; k++)
				least = fmin(
				    least, distance(on_page(palette_series[i], dark),
				               on_page(palette_series[k], dark), seen));
		tap_ok(least >= 14.5,
		    "all colors of the %s theme differ when seen with %s (CIEDE2000 %.1f)",
		    theme, sight_names[seen], least);
	}
}

/* Returns whether a color is seen as red: saturated, with the hue of the color of worse. */
static bool is_red(unsigned color)
{
	struct rgb l = lab(rgb_of(color));
	double h = hue(l.c[2], l.c[1]);

	return hypot(l.c[1], l.c[2]) > 40 && (h < 45 || h > 350);
}

static bool is_gray(unsigned color)
{
	struct rgb l = lab(rgb_of(color));

	return hypot(l.c[1], l.c[2]) < 12;
}

static void test_meaning(bool dark)
{
	const char *theme = dark ? "dark" : "light";
	unsigned better = on_page(palette_verdict(TEXT("better")), dark),
	         worse = on_page(palette_verdict(TEXT("worse")), dark),
	         same = on_page(palette_verdict(TEXT("same")), dark),
	         page = on_page(palette_part[PALETTE_PAGE], dark);
	double least = INFINITY;

	tap_ok(is_red(worse) && !is_red(better), "only worse is red on a %s page", theme);
	tap_ok(is_gray(same) && is_gray(on_page(palette_verdict(TEXT("unsure")), dark)),
	    "same and unsure are gray on a %s page", theme);
	for (int i = 0; i < PALETTE_SLOTS; i++)
		tap_ok(!is_red(on_page(palette_series[i], dark)) &&
		           !is_gray(on_page(palette_series[i], dark)),
		    "color %d of a series is neither red nor gray on a %s page", i + 1,
		    theme);
	for (size_t seen = 0; seen < COUNT(sight); seen++)
		least = fmin(least,
		    fmin(distance(better, worse, seen),
		        fmin(distance(better, same, seen), distance(worse, same, seen))));
	tap_ok(least >= 11,
	    "better, worse and same differ with any color vision on a %s page (CIEDE2000 "
	    "%.1f)",
	    theme, least);
	least =
	    fmin(contrast(better, page), fmin(contrast(worse, page), contrast(same, page)));
	tap_ok(least >= 4.2, "verdicts can be read on a %s page (contrast %.2f)", theme,
	    least);
}

static void test_ramp(bool dark)
{
	enum { STEPS = 20 };
	const char *theme = dark ? "dark" : "light";
	unsigned page = on_page(palette_part[PALETTE_PAGE], dark);
	double before = 0, first = 0;
	bool rises = true;

	for (int i = 0; i < STEPS; i++) {
		double own =
		    contrast(on_page(palette_ramp((double)i / (STEPS - 1)), dark), page);

		first = i ? first : own;
		rises = rises && own > before;
		before = own;
	}
	tap_ok(rises && first >= 2.8,
	    "the ramp can be read on a %s page, and larger values have more contrast (%.2f "
	    "to "
	    "%.2f)",
	    theme, first, before);
}

static void test_darken(void)
{
	unsigned dark;
	bool all = true;

	for (int i = 0; i <= 1000; i++) {
		struct palette_color c = palette_ramp(i / 1000.0);

		all = all && palette_darken(c.light, &dark) && dark == c.dark;
	}
	for (int i = 0; i < PALETTE_SLOTS; i++)
		all = all && palette_darken(palette_series[i].light, &dark) &&
		      dark == palette_series[i].dark;
	tap_ok(all, "every color of a light page has its color on a dark page");
	tap_ok(!palette_darken(0x123456, &dark), "other colors have none");
}

static void test_svg(void)
{
	struct buf svg = { 0 };

	buf_str(&svg,
	    "<?xml version=\"1.0\"?>\n<svg\n width=\"8\">\n<rect fill=\"#FFFFFF\"/>"
	    "<path stroke = 'rgb(  1, 105, 222)' "
	    "fill='#123456'/><text>x='#ffffff'</text></svg>");
	svg_theme(&svg);
	tap_ok(strstr(svg.ptr, "<rect fill=\"var(--xffffff)\"/>"),
	    "the page of an SVG has the color of the theme");
	tap_ok(strstr(svg.ptr, "stroke = 'var(--x0169de)' fill='#123456'"),
	    "a series has the color of the theme, and unknown colors remain");
	tap_ok(strstr(svg.ptr, "<text>x='#ffffff'</text>"), "a text with a color remains");
	tap_ok(strstr(svg.ptr,
	           " width=\"8\">\n<style>:root{--xffffff:#ffffff;--x0169de:#0169de}"),
	    "the style of an SVG has its light colors");
	tap_ok(strstr(svg.ptr, "(prefers-color-scheme:dark){:root:not([data-theme=light])"
	                       "{--xffffff:#16191d;--x0169de:#1389ff}}"),
	    "the style of an SVG has its dark colors");
	buf_free(&svg);
}

static void test_tidy(void)
{
	struct buf svg = { 0 };

	buf_str(&svg,
	    "<svg>\n\n<defs>\n\t<circle id='a' r='1'/>\n\t<use xlink:href='#a' id='b'/>\n"
	    "\t<use xlink:href='#a' id='c'/>\n\t<filter id='f' x='0'>\n\t  <feFlood/>\n"
	    "\t</filter>\n</defs>\n<g fill=\"none\" color=\"black\">\n</g>\n"
	    "<g fill=\"none\" color=\"black\">\n"
	    "\t<use xlink:href='#b' transform='x' color='red'/>\n"
	    "\t<use xlink:href='#b' transform='y' color='red'/>\n"
	    "\t<use xlink:href='#b' transform='z' color='red'/>\n"
	    "\t<use xlink:href='#b' transform='z' color='blue'/>\n</g>\n</svg>\n");
	svg_tidy(&svg);
	tap_text(svg.ptr,
	    "<svg>\n<defs>\n\t<circle id='a' r='1'/>\n\t<use xlink:href='#a' id='b'/>\n"
	    "</defs>\n<g fill=\"none\" color=\"black\">\n<g color='red'>\n"
	    "\t<use xlink:href='#b' transform='x'/>\n\t<use xlink:href='#b' "
	    "transform='y'/>\n"
	    "\t<use xlink:href='#b' transform='z'/>\n</g>\n"
	    "\t<use xlink:href='#b' transform='z' color='blue'/>\n</g>\n</svg>\n",
	    "a tidy SVG has no empty groups, unused symbols or repeated colors");
	buf_free(&svg);
}

int main(void)
{
	test_ciede2000();
	for (int dark = 0; dark < 2; dark++) {
		test_series(dark);
		test_meaning(dark);
		test_ramp(dark);
	}
	test_darken();
	test_svg();
	test_tidy();
	return tap_end();
}
