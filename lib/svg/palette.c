/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The palette; see palette.h. The colors of series were found by a search near those of
 * M. Okabe and K. Ito, "Color universal design" (2008), for six hues without red, gray and
 * a second blue whose least difference under four kinds of color vision is large. The ramp
 * is viridis (S. van der Walt, N. Smith); each page uses the part that can be read
 * on it.
 */
#include <math.h>

#include "svg/palette.h"

const struct palette_color palette_series[PALETTE_SLOTS] = {
	{ 0x0169de, 0x1389ff, 0x1389ff, 0x5555ff }, /* blue */
	{ 0xd57f04, 0xe99000, 0xd57f04, 0xffff00 }, /* orange */
	{ 0x00a075, 0x1ec99c, 0x00a075, 0x00ff00 }, /* green */
	{ 0xb04a86, 0xd99fd2, 0xb85c96, 0xff00ff }, /* purple */
	{ 0x5c2d12, 0xa57652, 0xa57652, 0x00ffff }, /* brown */
	{ 0x776500, 0xf1e57b, 0x948424, 0x0000ff }, /* olive */
};

const struct palette_color palette_part[PALETTE_PARTS] = {
	[PALETTE_PAGE] = { 0xffffff, 0x16191d, 0, 0 },
	[PALETTE_INK] = { 0x222222, 0xe6e6e6, 0, 0 },
	[PALETTE_FAINT] = { 0x666666, 0x9aa0a6, 0, 0 },
	[PALETTE_RULE] = { 0xdddddd, 0x3a3f45, 0, 0 },
};

static const struct {
	const char *word;
	struct palette_color color;
} verdicts[] = {
	{ "better", { 0x005a4f, 0x2fd3a6, 0x00a075, 0x00ff00 } },
	{ "worse", { 0xc8102e, 0xff6b6b, 0xe03c3c, 0xff0000 } },
	{ "differs", { 0xb04a87, 0xd99fd3, 0xb85c96, 0xff00ff } },
	{ "geomean", { 0x222223, 0xe6e6e7, 0x1389ff, 0x5555ff } },
	{ "", { 0x7a7a7a, 0x8b9198, 0x808080,
	          0x00ffff } }, /* same, unsure and unknown words */
};

/* Anchors of viridis, at even distances. */
static const unsigned viridis[] = { 0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
	0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725 };

enum { RAMP_STEPS = 64 };

static unsigned viridis_at(double share)
{
	double at = share * (double)(COUNT(viridis) - 1);
	size_t i = at >= (double)(COUNT(viridis) - 1) ? COUNT(viridis) - 2 : (size_t)at;
	unsigned color = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double from = viridis[i] >> shift & 255, to = viridis[i + 1] >> shift & 255;

		color |= (unsigned)lround(from + (to - from) * (at - (double)i)) << shift;
	}
	return color;
}

static struct palette_color ramp_step(unsigned step)
{
	double share = (double)step / (RAMP_STEPS - 1);
	unsigned light = viridis_at(0.56 * (1 - share));

	return (struct palette_color){ .light = light,
		.dark = viridis_at(0.42 + 0.58 * share) };
}

struct palette_color palette_ramp(double share)
{
	return ramp_step((unsigned)lround(fmin(1, fmax(0, share)) * (RAMP_STEPS - 1)));
}

struct palette_color palette_verdict(struct text word)
{
	size_t i = 0;

	while (i + 1 < COUNT(verdicts) && !text_is(word, verdicts[i].word))
		i++;
	return verdicts[i].color;
}

bool palette_darken(unsigned light, unsigned *dark)
{
	for (size_t i = 0; i < PALETTE_SLOTS; i++)
		if (palette_series[i].light == light) {
			*dark = palette_series[i].dark;
			return true;
		}
	for (size_t i = 0; i < PALETTE_PARTS; i++)
		if (palette_part[i].light == light) {
			*dark = palette_part[i].dark;
			return true;
		}
	for (size_t i = 0; i < COUNT(verdicts); i++)
		if (verdicts[i].color.light == light) {
			*dark = verdicts[i].color.dark;
			return true;
		}
	for (unsigned i = 0; i < RAMP_STEPS; i++)
		if (ramp_step(i).light == light) {
			*dark = ramp_step(i).dark;
			return true;
		}
	return false;
}
