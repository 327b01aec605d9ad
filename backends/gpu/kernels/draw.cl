/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws elements from a table; see `draw` in bench-backend.h. They are only moved, so T is any type of
 * their size.
 */
enum { PACK = 16 / sizeof(T_TYPE) };

struct __attribute__((aligned(16))) pack {
	T_TYPE of[PACK];
};
CHECK_ALIGNED(pack);

FUNCTION T_TYPE drawn(GLOBAL const T_TYPE *table, const unsigned long key, const long i)
{
	unsigned long z = key + (unsigned long)(i + 1) * 0x9e3779b97f4a7c15UL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
	z ^= z >> 31;
	return table[(z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) + (z >> 48)];
}

KERNEL draw(const long n, OUT(T_TYPE, out), IN(T_TYPE, table), const long key)
{
	const long first = ((long)GROUP_ID * GROUP + LOCAL_ID) * PACK;

	PLACE(out);
	PLACE(table);
	if (first + PACK <= n) {
		struct pack to;

#pragma unroll
		for (int e = 0; e < PACK; e++)
			to.of[e] = drawn(table, (unsigned long)key, first + e);
		*(GLOBAL struct pack *)(out + first) = to;
		return;
	}
	for (long i = first; i < n; i++)
		out[i] = drawn(table, (unsigned long)key, i);
}
