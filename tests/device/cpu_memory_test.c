/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks where the backend cpu places the memory of a session. */

/* The functions of the plug-in keep their names. */
#define cpu_alloc tested_alloc
#define cpu_free tested_free
#define cpu_scratch tested_scratch
#include "backends/cpu/cpu_session.c"
#include "tests/lib/tap.h"

/* Returns the distance of two addresses within a large page. */
static size_t distance(const void *a, const void *b)
{
	const size_t at = (uintptr_t)a % HUGE, other = (uintptr_t)b % HUGE;

	return at > other ? at - other : other - at;
}

int main(void)
{
	struct backend_session s = { 0 };
	void *small[64], *large[3];
	size_t apart = HUGE, aligned = 0;

	for (size_t i = 0; i < 64; i++) {
		small[i] = cpu_alloc(&s, 100000 + i);
		aligned += (uintptr_t)small[i] % LINE == 0;
		memset(small[i], (int)i, 100000 + i);
	}
	for (size_t i = 0; i < 3; i++)
		large[i] = cpu_alloc(&s, 16 << 20);
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < i; j++)
			if (distance(large[i], large[j]) < apart)
				apart = distance(large[i], large[j]);
	tap_ok(aligned == 64, "memory of the backend cpu begins at a line of the cache");
	tap_ok(apart >= 1024,
	    "large buffers of the backend cpu begin at different places of "
	    "large pages");
	tap_ok(!SHARED_BYTES || (char *)small[63] - (char *)small[0] < 64 * 101000,
	    "small buffers of the backend cpu share large pages");
	tap_ok(s.bytes == 64 * 100000 + 63 * 32 + 3 * (16 << 20),
	    "the backend cpu counts the bytes that were asked for");
	for (size_t i = 0; i < 64; i++)
		aligned -= ((char *)small[i])[99999] == (char)i;
	tap_ok(aligned == 0, "buffers of the backend cpu do not overlap");
	tap_ok(!cpu_alloc(&s, SIZE_MAX - 64), "the backend cpu refuses too large a buffer");
	for (size_t i = 0; i < 64; i++)
		cpu_free(&s, small[(i * 37) % 64]);
	for (size_t i = 0; i < 3; i++)
		cpu_free(&s, large[i]);
	tap_ok(s.bytes == 0 && !s.region,
	    "the backend cpu frees a region with its last buffer");
	return tap_end();
}
