/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 and HMAC; see sha256.h. */
#include <string.h>

#include "base/sha256.h"

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constant[64] = { 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
	0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
	0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152,
	0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
	0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624,
	0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3,
	0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };

static uint32_t rotate(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static void schedule(uint32_t w[64], const unsigned char block[SHA256_BLOCK])
{
	for (size_t i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (size_t i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
		       (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

static void compress(uint32_t state[8], const unsigned char block[SHA256_BLOCK])
{
	uint32_t w[64], s[8];

	schedule(w, block);
	memcpy(s, state, sizeof(s));
	for (size_t i = 0; i < 64; i++) {
		uint32_t e = s[4], a = s[0];
		uint32_t one = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
		               ((e & s[5]) ^ (~e & s[6])) + round_constant[i] + w[i];
		uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
		               ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += one;
		s[0] = one + two;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += s[i];
}

void sha256_init(struct sha256 *s)
{
	*s = (struct sha256){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } };
}

void sha256_add(struct sha256 *s, const void *bytes, size_t len)
{
	const unsigned char *from = bytes;

	while (len) {
		size_t at = (size_t)(s->len % SHA256_BLOCK), part = SHA256_BLOCK - at;

		part = part < len ? part : len;
		memcpy(s->block + at, from, part);
		s->len += part;
		from += part;
		len -= part;
		if (s->len % SHA256_BLOCK == 0)
			compress(s->state, s->block);
	}
}

void sha256_finish(struct sha256 *s, unsigned char out[SHA256_SIZE])
{
	static const unsigned char padding[SHA256_BLOCK] = { 0x80 };
	uint64_t bits = s->len * 8;
	size_t at = (size_t)(s->len % SHA256_BLOCK);
	unsigned char length[8];

	for (size_t i = 0; i < 8; i++)
		length[i] = (unsigned char)(bits >> (56 - 8 * i));
	sha256_add(s, padding, at < 56 ? 56 - at : 120 - at);
	sha256_add(s, length, sizeof(length));
	for (size_t i = 0; i < SHA256_SIZE; i++)
		out[i] = (unsigned char)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_hmac(struct text key, struct text message, unsigned char out[SHA256_SIZE])
{
	unsigned char pad[SHA256_BLOCK] = { 0 };
	struct sha256 s;

	sha256_init(&s);
	if (key.len > SHA256_BLOCK) {
		sha256_add(&s, key.ptr, key.len);
		sha256_finish(&s, pad);
		sha256_init(&s);
	} else if (key.len) {
		memcpy(pad, key.ptr, key.len);
	}
	for (size_t i = 0; i < SHA256_BLOCK; i++)
		pad[i] ^= 0x36;
	sha256_add(&s, pad, sizeof(pad));
	sha256_add(&s, message.ptr, message.len);
	sha256_finish(&s, out);
	for (size_t i = 0; i < SHA256_BLOCK; i++)
		pad[i] ^= 0x36 ^ 0x5c;
	sha256_init(&s);
	sha256_add(&s, pad, sizeof(pad));
	sha256_add(&s, out, SHA256_SIZE);
	sha256_finish(&s, out);
}
