/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 against the examples of FIPS 180-4, and HMAC against those of RFC 4231. */
#include <stdlib.h>

#include "base/sha256.h"
#include "tests/lib/tap.h"

static const char *hex(const unsigned char hash[SHA256_SIZE])
{
	static char text[2 * SHA256_SIZE + 1];

	for (size_t i = 0; i < SHA256_SIZE; i++)
		snprintf(text + 2 * i, 3, "%02x", hash[i]);
	return text;
}

/* Returns the hash of a text that is added in pieces of this size. */
static const char *hash_of(struct text t, size_t piece)
{
	unsigned char out[SHA256_SIZE];
	struct sha256 s;

	sha256_init(&s);
	for (size_t at = 0; at < t.len; at += piece)
		sha256_add(&s, t.ptr + at, t.len - at < piece ? t.len - at : piece);
	sha256_finish(&s, out);
	return hex(out);
}

static struct text repeated(char *room, char c, size_t count)
{
	memset(room, c, count);
	return (struct text){ room, count };
}

int main(void)
{
	static char room[1000000], key[131];
	unsigned char out[SHA256_SIZE];
	const char *want;

	tap_text(hash_of(TEXT(""), 1),
	    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	    "the SHA-256 of nothing is that of FIPS 180-4");
	tap_text(hash_of(TEXT("abc"), 3),
	    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	    "the SHA-256 of one block is that of FIPS 180-4");
	tap_text(
	    hash_of(TEXT("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), 5),
	    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	    "the SHA-256 of two blocks is that of FIPS 180-4");
	tap_text(hash_of(repeated(room, 'a', sizeof(room)), 9973),
	    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
	    "the SHA-256 of a million bytes in pieces is that of FIPS 180-4");
	sha256_hmac(TEXT("Jefe"), TEXT("what do ya want for nothing?"), out);
	tap_text(hex(out),
	    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
	    "an HMAC with a short key is that of RFC 4231");
	want = "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54";
	sha256_hmac(repeated(key, (char)0xaa, sizeof(key)),
	    TEXT("Test Using Larger Than Block-Size Key - Hash Key First"), out);
	tap_text(
	    hex(out), want, "an HMAC with a key longer than a block is that of RFC 4231");
	return tap_end();
}
