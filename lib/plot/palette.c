/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The palette; see palette.h. The colors were found by a search that begins with common
 * hues and maximizes the least distance between any two colors under three kinds of color
 * vision.
 */
#include "plot/palette.h"

const unsigned palette_light[PALETTE_SLOTS] = { 0x1a6ac7, 0x9b470c, 0x44a45e, 0x8b2073,
	0xd17f01, 0x5e98c7, 0x809594, 0x453c21 };
const unsigned palette_dark[PALETTE_SLOTS] = { 0x217ed4, 0xcc5634, 0x18dd90, 0xbb6e95,
	0xef9300, 0x74cdff, 0xe8fefd, 0xfeff83 };

const unsigned palette_terminal[PALETTE_SLOTS] = { 0x5555ff, 0xff0000, 0x00ff00, 0xff00ff,
	0xffff00, 0x00ffff, 0x0000ff, 0xc05050 };

static const struct {
	const char *name;
	unsigned slot;
} known[] = {
	{ "cpu", 0 },
	{ "cuda", 2 },
	{ "hip", 1 },
	{ "opencl", 4 },
	{ "ref", 6 },
	{ "better", 2 },
	{ "worse", 1 },
	{ "differs", 3 },
	{ "same", 6 },
	{ "unsure", 4 },
	{ "geomean", 7 },
};

unsigned palette_slot(struct text name)
{
	static const struct text backend = TEXT("backend=");
	struct text value = name;

	if (name.len > backend.len && memcmp(name.ptr, backend.ptr, backend.len) == 0)
		value = (struct text){ name.ptr + backend.len, name.len - backend.len };
	for (size_t i = 0; i < COUNT(known); i++)
		if (text_is(value, known[i].name))
			return known[i].slot;
	return (unsigned)(text_hash(name, 0) % PALETTE_SLOTS);
}
