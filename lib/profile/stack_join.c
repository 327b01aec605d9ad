/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Joins a stack; see stack_join.h. The chain lacks some of the unwound frames, and has the
 * others in the same order, so the frames after the last common one are missing in the
 * copy.
 */
#include "profile/stack_join.h"

/* Returns the number of links up to the first one at or after begin that equals an address;
 * begin if there is none. */
static size_t links_up_to(
    const uint64_t *chain, size_t links, size_t begin, uint64_t address)
{
	for (size_t i = begin; i < links; i++)
		if (chain[i] == address)
			return i + 1;
	return begin;
}

size_t stack_join(
    uint64_t frame[UNWIND_FRAMES_MAX], size_t count, const uint64_t *chain, size_t links)
{
	size_t common = 0;

	for (size_t i = 0; i < count; i++)
		common = links_up_to(chain, links, common, frame[i]);
	while (common < links && count < UNWIND_FRAMES_MAX)
		frame[count++] = chain[common++];
	return count;
}
