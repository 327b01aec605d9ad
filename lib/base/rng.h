/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small seeded generator: xoshiro256** (D. Blackman, S. Vigna, "Scrambled linear
 * pseudorandom number generators", ACM TOMS 47(4), 2021), seeded through splitmix64 as its
 * authors advise. The same seed gives the same numbers on every machine.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

static inline uint64_t rng_splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline void rng_seed(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = rng_splitmix(&seed);
}

static inline uint64_t rng_rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

/* Returns 64 random bits. */
static inline uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, out = rng_rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rng_rotate(s[3], 45);
	return out;
}

/*
 * Returns one of 0 .. bound - 1, all equally likely; bound is greater than 0. Uses the
 * multiplication of D. Lemire, "Fast random integer generation in an interval", ACM TOMACS
 * 29(1), 2019.
 */
static inline uint64_t rng_below(struct rng *r, uint64_t bound)
{
	unsigned __int128 product = (unsigned __int128)rng_next(r) * bound;

	if ((uint64_t)product < bound) {
		uint64_t short_of = -bound % bound;

		while ((uint64_t)product < short_of)
			product = (unsigned __int128)rng_next(r) * bound;
	}
	return (uint64_t)(product >> 64);
}

/* Returns a double in [0, 1), a multiple of 2^-53. */
static inline double rng_uniform(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

#endif
