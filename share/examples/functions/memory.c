/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures how fast memory is copied, filled, searched and allocated. bytes= yields a rate
 * in bytes per second; the sizes range from the first cache to main memory.
 *
 *	gcc -shared -fPIC -O2 memory.c -o memory.so
 *	bench-run -f ./memory.so
 */
#include <stdlib.h>
#include <string.h>

#include <bench.h>

#define SIZES "param.n=64,4096,262144,16777216"

/* Returns memory that was written to, so that the kernel has provided its pages. */
static char *filled(struct bench *b, size_t bytes)
{
	char *memory = malloc(bytes);

	if (!memory)
		bench_fail(b, "no memory");
	memset(memory, 'x', bytes);
	return memory;
}

/* bytes= counts the bytes that are written; as many are read. */
BENCH(memcpy, "category=memory " SIZES " items=1 bytes=n")
{
	size_t n = (size_t)bench_count(b, "n");
	char *from = filled(b, n), *to = filled(b, n);

	BENCH_LOOP(b) {
		memcpy(to, from, n);
		BENCH_KEEP(to);
		BENCH_CLOBBER();
	}
	free(from);
	free(to);
}

BENCH(memset, "category=memory " SIZES " items=1 bytes=n")
{
	size_t n = (size_t)bench_count(b, "n");
	char *memory = filled(b, n);

	BENCH_LOOP(b) {
		memset(memory, 0, n);
		BENCH_KEEP(memory);
		BENCH_CLOBBER();
	}
	free(memory);
}

/*
 * Without BENCH_KEEP of the address and BENCH_CLOBBER, the compiler may conclude that the
 * text stays the same, and compute its length once for all iterations.
 */
BENCH(strlen, "category=memory " SIZES " items=1 bytes=n")
{
	size_t n = (size_t)bench_count(b, "n");
	char *text = filled(b, n + 1);

	text[n] = '\0';
	BENCH_LOOP(b) {
		BENCH_KEEP(text);
		BENCH_CLOBBER();
		size_t length = strlen(text);
		BENCH_KEEP(length);
	}
	free(text);
}

/* Allocates and frees one block at a time, which the allocator can reuse. */
BENCH(malloc_pair, "category=memory param.n=16,1024,65536 items=1")
{
	size_t n = (size_t)bench_count(b, "n");

	BENCH_LOOP(b) {
		void *block = malloc(n);

		BENCH_KEEP(block);
		free(block);
	}
}

/* Allocates a thousand blocks, and then frees them in another order. */
BENCH(malloc_many, "category=memory param.n=16,1024 items=1000")
{
	enum {
		BLOCKS = 1000,
		STRIDE = 7
	}; /* 7 and 1000 are coprime, so each block is freed once */
	static void *block[BLOCKS];
	size_t n = (size_t)bench_count(b, "n");

	BENCH_LOOP(b) {
		for (size_t i = 0; i < BLOCKS; i++)
			block[i] = malloc(n);
		BENCH_CLOBBER();
		for (size_t i = 0; i < BLOCKS; i++)
			free(block[i * STRIDE % BLOCKS]);
	}
}
