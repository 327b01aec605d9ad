/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104). Pure.
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "base/base.h"

enum { SHA256_SIZE = 32, SHA256_BLOCK = 64 };

struct sha256 {
	uint32_t state[8];
	unsigned char block[SHA256_BLOCK];
	uint64_t len; /* bytes so far */
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *bytes, size_t len);
/* Stores the hash of all bytes that were added. */
void sha256_finish(struct sha256 *s, unsigned char out[SHA256_SIZE]);
/* Stores the HMAC of a message. */
void sha256_hmac(struct text key, struct text message, unsigned char out[SHA256_SIZE]);

#endif
