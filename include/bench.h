/* SPDX-License-Identifier: MIT-0 */
/*
 * Declares what a benchmark in C or C++ needs. `bench-run -f` measures benchmarks in shared
 * objects: compile them with -shared -fPIC; no library is needed. See bench.h(3).
 *
 *	#include <bench.h>
 *
 *	BENCH(sum, "category=numbers param.n=1000,100000 items=n bytes=8*n")
 *	{
 *		size_t n = bench_count(b, "n");
 *		double *x = calloc(n, sizeof(*x)), s;
 *
 *		BENCH_LOOP(b) {
 *			BENCH_KEEP(x);
 *			BENCH_CLOBBER();
 *			s = sum(x, n);
 *			BENCH_KEEP(s);
 *		}
 *		free(x);
 *	}
 *
 * The code before the loop is set-up, and the code after it is tear-down; neither is part
 * of an iteration's time. An exported function without parameters whose name begins with
 * benchmark_ or run_ is a benchmark even without this header.
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

/* The functions of the program that measures. Benchmarks call them through the macros and
 * functions below. */
struct bench_ops {
	/* Returns the number of iterations to run next, or 0 to end the loop. Only
	 * BENCH_LOOP calls it. */
	uint64_t (*next)(struct bench *b);
	void (*pause)(struct bench *b);
	void (*resume)(struct bench *b);
	const char *(*text)(struct bench *b, const char *name);
	double (*number)(struct bench *b, const char *name);
	void (*fail)(struct bench *b, const char *why);
	void (*skip)(struct bench *b, const char *why);
};

/* One worker of a running benchmark. New fields are only added at the end. */
struct bench {
	uint32_t abi; /* BENCH_ABI of the program that measures */
	/* The number of this worker, from 0 to workers - 1. All workers run the same
	 * function concurrently. */
	uint32_t worker, workers;
	uint32_t reserved;
	/* The work of an iteration; 0 if unknown. A benchmark may set them. */
	double items, bytes;
	void *data; /* for the benchmark and its setup= and teardown= functions */
	const struct bench_ops *ops;
};

/*
 * Begins the measured loop, whose body is one iteration. A benchmark has exactly one, and
 * must not leave it by break, return, goto or an exception. Each iteration costs a
 * decrement and a branch, as in any counted loop.
 */
#define BENCH_LOOP(b)                                                    \
	for (uint64_t bench_left_ = (b)->ops->next(b); bench_left_ != 0; \
	     bench_left_ = bench_step_((b), bench_left_))

/* Excludes the code up to bench_resume from the time, the counters and the counted
 * allocations. Each pair of calls costs two readings of the clock, and two of the counters
 * if there are any; see bench.h(3). */
static inline void bench_pause(struct bench *b)
{
	b->ops->pause(b);
}

/* Ends what bench_pause began. */
static inline void bench_resume(struct bench *b)
{
	b->ops->resume(b);
}

/* Returns the value of a parameter as text, which is valid until the process ends. The
 * benchmark fails if the parameter has no value. */
static inline const char *bench_text(struct bench *b, const char *name)
{
	return b->ops->text(b, name);
}

/* Returns the value of a parameter as a number: "1.5" is 1.5, "64k" is 64000. The benchmark
 * fails if the parameter has no value, or its value is not a number. */
static inline double bench_number(struct bench *b, const char *name)
{
	return b->ops->number(b, name);
}

/* Ends the benchmark with the status failed and reports the reason. Does not return. */
static inline void bench_fail(struct bench *b, const char *why)
{
	b->ops->fail(b, why);
}

/* Returns the value of a parameter as a count. The benchmark fails if the parameter has no
 * value, or its value is not a whole number of at least 0: rounding would report work that
 * is not done. */
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
		bench_fail(
		    b, "a parameter is not a count: bench_count needs a whole number");
	return count;
}

/* Ends the benchmark with the status unsupported and reports the reason, for machines that
 * lack what the benchmark needs. Does not return. */
static inline void bench_skip(struct bench *b, const char *why)
{
	b->ops->skip(b, why);
}

/* Makes the compiler compute a value, a scalar or a pointer, as if it were used. */
#if defined(__x86_64__) || defined(__i386__)
#define BENCH_KEEP(value) __asm__ volatile("" : : "rmx"(value))
#elif defined(__aarch64__)
#define BENCH_KEEP(value) __asm__ volatile("" : : "rmw"(value))
#else
#define BENCH_KEEP(value) __asm__ volatile("" : : "g"(value))
#endif

/* Makes the compiler assume that all memory that other code could reach is read and written
 * here. */
#define BENCH_CLOBBER() __asm__ volatile("" : : : "memory")

/* Returns the number of iterations left after one, and asks for more at 0. */
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

/* Writes a note about a benchmark to the section .benchutils; bench.h(3) lists its fields.
 */
#define BENCH_NOTE_(sort, symbol, ...)                                    \
	static const char bench_note_##symbol[]                           \
	    __attribute__((section(".benchutils"), used BENCH_RETAIN_)) = \
	        "bench1\t" sort "\t" #symbol "\t" __FILE__                \
	        "\t" BENCH_QUOTED_(__LINE__) "\t" __VA_ARGS__;

/* Defines a benchmark as the exported function benchmark_NAME, with its metadata:
 * BENCH(name, "key=value ...") { ... BENCH_LOOP(b) { ... } ... } */
#define BENCH(name, ...)                                                               \
	BENCH_NOTE_("loop", benchmark_##name, __VA_ARGS__)                             \
	BENCH_C_                                                                       \
	__attribute__((visibility("default"))) void benchmark_##name(struct bench *b); \
	void benchmark_##name(struct bench *b)

/* Declares an exported function without parameters, of any name, as a benchmark, with its
 * metadata: BENCH_CALL(function, "key=value ..."). Each call is an iteration. */
#define BENCH_CALL(function, ...) BENCH_NOTE_("call", function, __VA_ARGS__)

#endif
