/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Twenty functions that call.sh measures with bench-run and with Google Benchmark. Each is
 * FUNCTION(NAME, SET-UP, BODY), with the same source for both.
 */
static char source[1 << 16], target[1 << 16];
static double numbers[4096];
static uint32_t words[4096];
static int unsorted[256], sorting[256];

static uint64_t random_state = 88172645463325252u;

static uint64_t random_next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

__attribute__((constructor)) static void fill(void)
{
	for (size_t i = 0; i < sizeof(source); i++)
		source[i] = (char)('a' + random_next() % 26);
	source[sizeof(source) - 1] = 0;
	for (size_t i = 0; i < 4096; i++) {
		numbers[i] = (double)(random_next() % 1000) / 7;
		words[i] = (uint32_t)random_next();
	}
	for (size_t i = 0; i < 256; i++)
		unsorted[i] = (int)(random_next() % 100000);
}

static int ascending(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static void nothing(void)
{
	__asm__ volatile("");
}

#define TEN(x) x x x x x x x x x x

/* Kept by the compilers, which else leave out the whole loop of one of the two. */
FUNCTION(empty, , __asm__ volatile("");)
FUNCTION(call, , nothing();)
/* A chain of 100 dependent multiplications. */
FUNCTION(imul100, uint64_t x = 3; uint64_t y = 12345, TEN(TEN(__asm__ volatile("imul %1, %0"
                                                                               : "+r"(x)
                                                                               : "r"(y));)))
FUNCTION(
    add1000, uint64_t s = 0, for (int i = 0; i < 1000; i++) {
	    s += words[i];
	    KEEP(s);
    })
FUNCTION(
    sqrt100, double d = 2, for (int i = 0; i < 100; i++) {
	    d = __builtin_sqrt(d + 2);
	    KEEP(d);
    })
FUNCTION(
    divide100, uint64_t d = ~0ull, for (int i = 1; i < 101; i++) {
	    d = ~0ull / ((d & 7) + (uint64_t)i);
	    KEEP(d);
    })
FUNCTION(sum4096, double s = 0, s = 0; for (int i = 0; i < 4096; i++) s += numbers[i];
         KEEP(s);)
FUNCTION(copy64, , __builtin_memcpy(target, source, 64); CLOBBER();)
FUNCTION(copy4k, , memcpy(target, source, 4096); CLOBBER();)
FUNCTION(copy64k, , memcpy(target, source, 65536); CLOBBER();)
FUNCTION(set4k, , memset(target, 1, 4096); CLOBBER();)
FUNCTION(length64k, size_t n = 0, n += strlen(source); KEEP(n); CLOBBER();)
FUNCTION(find64k, , KEEP(memchr(source, '!', sizeof(source))); CLOBBER();)
FUNCTION(compare4k, int r = 0, r += memcmp(source, target, 4096); KEEP(r); CLOBBER();)
FUNCTION(malloc100, void *p = NULL, p = malloc(100); KEEP(p); free(p);)
FUNCTION(malloc100k, void *p = NULL, p = malloc(100000); KEEP(p); free(p);)
FUNCTION(qsort256, , memcpy(sorting, unsorted, sizeof(sorting));
         qsort(sorting, 256, sizeof(int), ascending); CLOBBER();)
FUNCTION(hash4k, uint32_t h = 0, h = 2166136261u;
         for (int i = 0; i < 4096; i++) h = (h ^ (uint32_t)source[i]) * 16777619u; KEEP(h);)
FUNCTION(print, char text[40], snprintf(text, sizeof(text), "%d", 123456); KEEP(text[0]);)
FUNCTION(parse, double d = 0, d += strtod("3.14159265", NULL); KEEP(d);)
