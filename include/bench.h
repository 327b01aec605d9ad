/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench.h: benchmarks in shared objects, measured by bench-run -f. There is no library to
 * link: compile with -shared -fPIC. For C and C++; see bench.h(3).
 *
 *	#include <bench.h>
 *
 *	BENCH(sum, "category=numbers param.n=1000,100000 items=n bytes=8*n")
 *	{
 *		size_t n = bench_count(b, "n");
 *		double *x = calloc(n, sizeof(*x)), s;
 *
 *		BENCH_LOOP(b) {
 *			s = sum(x, n);
 *			BENCH_KEEP(s);
 *		}
 *		free(x);
 *	}
 *
 * What stands before the loop is setup, what stands behind it teardown: neither is timed
 * with the iterations. An exported function named benchmark_* or run_* that takes nothing
 * is a benchmark without this header, too.
 *
 * SPDX-License-Identifier: MIT-0
 *
 * Copyright 2026 the benchutils authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this
 * software and associated documentation files (the "Software"), to deal in the Software
 * without restriction, including without limitation the rights to use, copy, modify, merge,
 * publish, distribute, sublicense, and/or sell copies of the Software, and to permit
 * persons to whom the Software is furnished to do so.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED,
 * INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR
 * PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
 * FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
 * OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
 * DEALINGS IN THE SOFTWARE.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_ABI 1

struct bench;

/* What the program that measures does for a benchmark. */
struct bench_ops {
	/* The iterations to do next; 0: it is over. Called by BENCH_LOOP alone. */
	uint64_t (*next)(struct bench *b);
	void (*pause)(struct bench *b);
	void (*resume)(struct bench *b);
	const char *(*text)(struct bench *b, const char *name);
	double (*number)(struct bench *b, const char *name);
	void (*fail)(struct bench *b, const char *why);
	void (*skip)(struct bench *b, const char *why);
};

/* One worker of a benchmark under way. Fields are only ever added at the end. */
struct bench {
	uint32_t abi;             /* BENCH_ABI of the program that measures */
	uint32_t worker, workers; /* 0 .. workers - 1 run the same function at once */
	uint32_t reserved;
	double items, bytes; /* done by an iteration; it may set them; 0: not known */
	void *data;          /* the benchmark's own, from its setup= on */
	const struct bench_ops *ops;
};

/*
 * The measured loop: for (so many times) { ... }. Exactly one a benchmark, left by its end
 * alone. It costs a decrement and a branch, as any counted loop does.
 */
#define BENCH_LOOP(b)                                                    \
	for (uint64_t bench_left_ = (b)->ops->next(b); bench_left_ != 0; \
	     bench_left_ = bench_step_((b), bench_left_))

/* Leave out what is done between the two. Each pair costs two readings of the clock, and of
 * the counters where there are any; see bench.h(3). */
static inline void bench_pause(struct bench *b)
{
	b->ops->pause(b);
}

static inline void bench_resume(struct bench *b)
{
	b->ops->resume(b);
}

/* The parameter's value as text; the benchmark fails when nothing gives it one. */
static inline const char *bench_text(struct bench *b, const char *name)
{
	return b->ops->text(b, name);
}

/* The same as a number ("1.5", "64k" is 64000); the benchmark fails when it is none. */
static inline double bench_number(struct bench *b, const char *name)
{
	return b->ops->number(b, name);
}

/* It went wrong: a failed row, and the reason is told. Does not return. */
static inline void bench_fail(struct bench *b, const char *why)
{
	b->ops->fail(b, why);
}

/* The parameter's value as a count; the benchmark fails when it is no whole number, since
 * what is not done must not be told as done. */
static inline uint64_t bench_count(struct bench *b, const char *name)
{
	const double value = b->ops->number(b, name);
	uint64_t count = 0;

	if (value >= 0 && value < 18446744073709551616.0)
#ifdef __cplusplus
		count = static_cast<uint64_t>(value);
	if (static_cast<double>(count) != value)
#else
		count = (uint64_t)value;
	if ((double)count != value)
#endif
		bench_fail(b, "a parameter is no count: bench_count wants a whole number");
	return count;
}

/* It cannot be measured here: a row with status unsupported. Does not return. */
static inline void bench_skip(struct bench *b, const char *why)
{
	b->ops->skip(b, why);
}

/* The value, of a scalar type or a pointer, is taken to be used. */
#if defined(__x86_64__) || defined(__i386__)
#define BENCH_KEEP(value) __asm__ volatile("" : : "rmx"(value))
#elif defined(__aarch64__)
#define BENCH_KEEP(value) __asm__ volatile("" : : "rmw"(value))
#else
#define BENCH_KEEP(value) __asm__ volatile("" : : "g"(value))
#endif

/* All of memory that others could see is taken to be read and written. */
#define BENCH_CLOBBER() __asm__ volatile("" : : : "memory")

static inline uint64_t bench_step_(struct bench *b, uint64_t left)
{
	__asm__ volatile("" : "+r"(left));
	if (__builtin_expect(--left != 0, 1))
		return left;
	return b->ops->next(b);
}

#ifdef __cplusplus
}
#define BENCH_C_ extern "C"
#else
#define BENCH_C_
#endif

#ifdef __has_attribute
#if __has_attribute(retain)
#define BENCH_RETAIN_ , retain
#endif
#endif
#ifndef BENCH_RETAIN_
#define BENCH_RETAIN_
#endif

#define BENCH_QUOTE_(x) #x
#define BENCH_QUOTED_(x) BENCH_QUOTE_(x)

/* A text of the object's section .benchutils; its fields are in bench.h(3). */
#define BENCH_NOTE_(sort, symbol, ...)                                    \
	static const char bench_note_##symbol[]                           \
	    __attribute__((section(".benchutils"), used BENCH_RETAIN_)) = \
	        "bench1\t" sort "\t" #symbol "\t" __FILE__                \
	        "\t" BENCH_QUOTED_(__LINE__) "\t" __VA_ARGS__;

/* A benchmark with a loop of its own: BENCH(name, "key=value ...") { ... BENCH_LOOP(b) }.
 * It is the function benchmark_NAME. */
#define BENCH(name, ...)                                                                   \
	BENCH_NOTE_("loop", benchmark_##name, __VA_ARGS__)                                 \
	BENCH_C_                                                                           \
	    __attribute__((visibility("default"))) void benchmark_##name(struct bench *b); \
	void benchmark_##name(struct bench *b)

/* The same said of an exported function that takes nothing, whatever its name:
 * BENCH_CALL(function, "key=value ..."). Each call is an iteration. */
#define BENCH_CALL(function, ...) BENCH_NOTE_("call", function, __VA_ARGS__)

#endif
