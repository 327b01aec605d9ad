/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures an existing library: zlib's checksums and its compression, on a buffer of which
 * half can be compressed.
 *
 *	gcc -shared -fPIC -O2 zlib.c -o zlib.so -lz
 *	bench-run -f ./zlib.so
 *
 * The function of setup= makes the buffer once for each worker, and passes it in b->data.
 */
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include <bench.h>

struct buffers {
	size_t n;
	unsigned char *plain, *packed;
	uLong packed_bytes, packed_room;
};

void zlib_open(struct bench *b);
void zlib_close(struct bench *b);

/* Returns the next number of SplitMix64; the numbers are the same in each process. */
static uint64_t bits(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

void zlib_open(struct bench *b)
{
	enum { PIECE = 64 }; /* noise and a line of text alternate */
	static const char line[PIECE] =
	    "the quick brown fox jumps over the lazy dog, and then once more\n";
	struct buffers *s = calloc(1, sizeof(*s));
	uint64_t state = 1;

	if (!s)
		bench_fail(b, "no memory");
	s->n = (size_t)bench_count(b, "n");
	s->packed_room = compressBound((uLong)s->n);
	s->plain = malloc(s->n);
	s->packed = malloc(s->packed_room);
	if (!s->plain || !s->packed)
		bench_fail(b, "no memory");
	for (size_t i = 0; i < s->n; i++)
		s->plain[i] = i / PIECE % 2 ? (unsigned char)line[i % PIECE]
		                            : (unsigned char)bits(&state);
	s->packed_bytes = s->packed_room;
	if (compress(s->packed, &s->packed_bytes, s->plain, (uLong)s->n) != Z_OK)
		bench_fail(b, "compress");
	b->data = s;
}

void zlib_close(struct bench *b)
{
	struct buffers *s = b->data;

	free(s->plain);
	free(s->packed);
	free(s);
}

#define BUFFER "category=zlib param.n=1048576 bytes=n setup=zlib_open teardown=zlib_close"

BENCH(crc32, BUFFER)
{
	struct buffers *s = b->data;

	BENCH_LOOP(b) {
		uLong sum = crc32(0, s->plain, (uInt)s->n);
		BENCH_KEEP(sum);
	}
}

BENCH(adler32, BUFFER)
{
	struct buffers *s = b->data;

	BENCH_LOOP(b) {
		uLong sum = adler32(1, s->plain, (uInt)s->n);
		BENCH_KEEP(sum);
	}
}

BENCH(compress, BUFFER " param.level=1,6,9")
{
	struct buffers *s = b->data;
	int level = (int)bench_number(b, "level");

	BENCH_LOOP(b) {
		uLong bytes = s->packed_room;

		if (compress2(s->packed, &bytes, s->plain, (uLong)s->n, level) != Z_OK)
			bench_fail(b, "compress2");
	}
}

/* bytes= counts the uncompressed bytes. */
BENCH(uncompress, BUFFER)
{
	struct buffers *s = b->data;

	BENCH_LOOP(b) {
		uLong bytes = (uLong)s->n;

		if (uncompress(s->plain, &bytes, s->packed, s->packed_bytes) != Z_OK ||
		    bytes != s->n)
			bench_fail(b, "uncompress");
	}
}
