/*
 * Benchmarks that behave, each with something that can be known of it beforehand.
 */
#include <bench.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

__attribute__((constructor)) static void load(void)
{
	if (getenv("SLOW_LOAD"))
		sleep_ms(60);
}

BENCH(empty, "category=loop")
{
	BENCH_LOOP(b) {
	}
}

BENCH(phases, "category=sleep")
{
	int first = 1;

	sleep_ms(50);
	BENCH_LOOP(b) {
		sleep_ms(first ? 40 : 30);
		first = 0;
	}
}

/* Each iteration is n items of 8 bytes. */
BENCH(rates, "category=sleep param.n=10,20 items=n bytes=8*n")
{
	uint64_t n = bench_count(b, "n");

	BENCH_LOOP(b) {
		BENCH_KEEP(n);
		sleep_ms(5);
	}
}

/* They may be known only when it runs. */
BENCH(own_rates, "items=1")
{
	b->items = 7;
	BENCH_LOOP(b) {
		sleep_ms(5);
	}
}

BENCH(paused, "")
{
	BENCH_LOOP(b) {
		sleep_ms(5);
		bench_pause(b);
		sleep_ms(40);
		bench_resume(b);
	}
}

BENCH(allocates, "param.count=3")
{
	uint64_t count = bench_count(b, "count");

	BENCH_LOOP(b) {
		for (uint64_t i = 0; i < count; i++) {
			void *p = malloc(100);

			BENCH_KEEP(p);
			free(p);
		}
	}
}

/* A hundred instructions and more, but not many more. */
BENCH(hundred, "")
{
	uint64_t x = 1;

	BENCH_LOOP(b) {
#define TEN(x) x x x x x x x x x x
		TEN(TEN(x *= 3; __asm__ volatile("" : "+r"(x));))
	}
}

BENCH(resident, "param.mib=32")
{
	size_t size = bench_count(b, "mib") << 20;
	char *memory = malloc(size);

	memset(memory, 1, size);
	BENCH_LOOP(b) {
		BENCH_KEEP(memory);
	}
	free(memory);
}

/* set_up and tear_down are called once a process and worker. */
static int set_up_done;

__attribute__((visibility("default"))) void make_ready(struct bench *b);
void make_ready(struct bench *b)
{
	set_up_done++;
	b->data = &set_up_done;
	sleep_ms(20);
}

__attribute__((visibility("default"))) void tidy(struct bench *b);
void tidy(struct bench *b)
{
	if (b->data != &set_up_done || set_up_done != 1)
		bench_fail(b, "it was not set up once");
}

BENCH(fixture, "setup=make_ready teardown=tidy")
{
	if (b->data != &set_up_done)
		bench_fail(b, "it was not set up");
	BENCH_LOOP(b) {
	}
}

/* Without any of bench.h. */
static int plain_calls;
void run_plain(void);
void run_plain(void)
{
	plain_calls++;
}

__attribute__((visibility("default"))) void called(void);
void called(void)
{
	sleep_ms(5);
}
BENCH_CALL(called, "items=2")

BENCH(text, "param.word=a,b")
{
	if (strlen(bench_text(b, "word")) != 1)
		bench_fail(b, "a word of another length");
	BENCH_LOOP(b) {
	}
}

/* The cost grows with the square of the iterations, for ever. */
BENCH(grows, "")
{
	uint64_t rounds = 0, step = 0;

	BENCH_LOOP(b) {
		rounds += ++step;
		for (uint64_t i = 0; i < rounds; i++)
			__asm__ volatile("");
	}
}

/* A thread of its own does the work. */
static void *spin(void *of)
{
	uint64_t *x = of;

	for (int i = 0; i < 1000000; i++)
		__asm__ volatile("" : "+r"(x) : : "memory");
	return NULL;
}

static void *idle(void *of)
{
	for (;;)
		sleep_ms(100);
	return of;
}

BENCH(own_thread, "")
{
	pthread_t waiting, working;
	uint64_t x = 3;

	pthread_create(&waiting, NULL, idle, NULL);
	BENCH_LOOP(b) {
		pthread_create(&working, NULL, spin, &x);
		pthread_join(working, NULL);
	}
}

BENCH(spins, "")
{
	uint64_t x = 3;

	BENCH_LOOP(b) {
		for (int i = 0; i < 100000; i++) {
			x *= x;
			__asm__ volatile("" : "+r"(x));
		}
	}
}

static pthread_mutex_t only_one = PTHREAD_MUTEX_INITIALIZER;

BENCH(holds_a_lock, "")
{
	uint64_t x = 3;

	BENCH_LOOP(b) {
		pthread_mutex_lock(&only_one);
		for (int i = 0; i < 100000; i++) {
			x *= x;
			__asm__ volatile("" : "+r"(x));
		}
		pthread_mutex_unlock(&only_one);
	}
}

/* Paused from one iteration into the next. */
BENCH(paused_between, "")
{
	bench_pause(b);
	BENCH_LOOP(b) {
		sleep_ms(40);
		bench_resume(b);
		sleep_ms(5);
		bench_pause(b);
	}
}

BENCH(paused_most, "")
{
	BENCH_LOOP(b) {
		sleep_ms(5);
		bench_pause(b);
		sleep_ms(200);
		bench_resume(b);
	}
}

BENCH(allocates_paused, "")
{
	BENCH_LOOP(b) {
		void *p;

		bench_pause(b);
		p = malloc(100);
		BENCH_KEEP(p);
		bench_resume(b);
		free(p);
		if (b->worker == 1)
			sleep_ms(1);
		p = malloc(10);
		BENCH_KEEP(p);
		free(p);
	}
}

BENCH(infinite_items, "")
{
	b->items = __builtin_inf();
	b->bytes = __builtin_nan("");
	BENCH_LOOP(b) {
		sleep_ms(1);
	}
}

BENCH(slow_at_first, "")
{
	int n = 0;

	BENCH_LOOP(b) {
		if (n++ < 8)
			sleep_ms(2);
	}
}

/* Its workers have threads, and the second does more than the first. */
BENCH(uneven_threads, "")
{
	pthread_t waiting;
	uint64_t x = 3;

	pthread_create(&waiting, NULL, idle, NULL);
	BENCH_LOOP(b) {
		spin(&x);
		for (int i = 0; i < 9 && b->worker == 1; i++)
			spin(&x);
	}
}
