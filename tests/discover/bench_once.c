/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs one benchmark of a shared object without measuring it. This is the smallest program
 * that can run a benchmark.
 *
 *	bench_once OBJECT SYMBOL [setup=SYMBOL] [teardown=SYMBOL] [NAME=VALUE...]
 *
 * Runs N iterations of the loop (ITERATIONS=N, default 1). Prints the number of calls of
 * next, and the items and bytes that the benchmark set. Status 3: the benchmark failed; 4:
 *it was skipped.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bench.h>

static char **pair;
static int asked, paused;

static const char *given(const char *name)
{
	size_t len = strlen(name);

	for (char **p = pair; *p; p++)
		if (strncmp(*p, name, len) == 0 && (*p)[len] == '=')
			return *p + len + 1;
	return NULL;
}

static uint64_t next(struct bench *b)
{
	const char *iterations = given("ITERATIONS");

	(void)b;
	if (asked++)
		return 0;
	return iterations ? strtoull(iterations, NULL, 10) : 1;
}

static void do_pause(struct bench *b)
{
	(void)b;
	paused++;
}

static void do_resume(struct bench *b)
{
	(void)b;
	paused--;
}

static void fail(struct bench *b, const char *why)
{
	(void)b;
	fprintf(stderr, "fail: %s\n", why);
	exit(3);
}

static void skip(struct bench *b, const char *why)
{
	(void)b;
	fprintf(stderr, "skip: %s\n", why);
	exit(4);
}

static const char *text(struct bench *b, const char *name)
{
	const char *value = given(name);

	if (!value)
		fail(b, name);
	return value;
}

static double number(struct bench *b, const char *name)
{
	return strtod(text(b, name), NULL);
}

static void call(void *object, const char *symbol, struct bench *b)
{
	void (*function)(struct bench *);

	*(void **)&function = dlsym(object, symbol);
	if (!function) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	function(b);
}

int main(int argc, char **argv)
{
	static const struct bench_ops ops = { next, do_pause, do_resume, text, number, fail,
		skip };
	struct bench b = { .abi = BENCH_ABI, .workers = 1, .ops = &ops };
	void *object = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL;

	if (!object) {
		fprintf(stderr, "%s\n",
		    argc > 2 ? dlerror() : "bench_once OBJECT SYMBOL [NAME=VALUE...]");
		return 2;
	}
	pair = argv + 3;
	if (given("setup"))
		call(object, given("setup"), &b);
	call(object, argv[2], &b);
	if (given("teardown"))
		call(object, given("teardown"), &b);
	printf("%s next=%d items=%g bytes=%g%s\n", argv[2], asked, b.items, b.bytes,
	    paused ? " left paused" : "");
	return 0;
}
