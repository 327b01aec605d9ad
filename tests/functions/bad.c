/*
 * Benchmarks that go wrong, each in its way; the rest must go on.
 */
#include <bench.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

BENCH(crashes, "")
{
	volatile int *nowhere = NULL;

	BENCH_LOOP(b) {
		*nowhere = 1;
	}
}

BENCH(aborts, "")
{
	BENCH_LOOP(b) {
		abort();
	}
}

BENCH(exits, "")
{
	BENCH_LOOP(b) {
		exit(0);
	}
}

BENCH(exits_in_setup, "")
{
	_exit(3);
	BENCH_LOOP(b) {
	}
}

BENCH(hangs, "")
{
	BENCH_LOOP(b) {
		for (;;)
			BENCH_CLOBBER();
	}
}

BENCH(hangs_in_setup, "")
{
	for (;;)
		pause();
	BENCH_LOOP(b) {
	}
}

static int deeper(volatile char *above, int depth)
{
	volatile char room[4096];

	room[0] = above[0];
	return depth == 0 ? 0 : deeper(room, depth - 1) + room[0];
}

BENCH(overflows, "")
{
	BENCH_LOOP(b) {
		char c = 1;
		int sum = deeper(&c, 1 << 30);

		BENCH_KEEP(sum);
	}
}

/* It crashes only after a while. */
BENCH(crashes_later, "")
{
	uint64_t n = 0;

	BENCH_LOOP(b) {
		usleep(1000);
		if (++n == 100)
			__builtin_trap();
	}
}

BENCH(leaks, "")
{
	BENCH_LOOP(b) {
		void *p = malloc(64);

		BENCH_KEEP(p);
	}
}

BENCH(fails, "")
{
	bench_fail(b, "the disk is not there");
	BENCH_LOOP(b) {
	}
}

BENCH(not_here, "")
{
	bench_skip(b, "no such instructions");
	BENCH_LOOP(b) {
	}
}

BENCH(no_loop, "")
{
	(void)b;
}

BENCH(leaves, "")
{
	BENCH_LOOP(b) {
		break;
	}
}

BENCH(loops_twice, "")
{
	BENCH_LOOP(b) {
	}
	BENCH_LOOP(b) {
	}
}

BENCH(wants_a_parameter, "")
{
	uint64_t n = bench_count(b, "n");

	BENCH_LOOP(b) {
		BENCH_KEEP(n);
	}
}

BENCH(wants_a_count, "param.n=1.5 items=n")
{
	uint64_t n = bench_count(b, "n");

	BENCH_LOOP(b) {
		BENCH_KEEP(n);
	}
}

BENCH(pauses, "")
{
	BENCH_LOOP(b) {
		bench_pause(b);
	}
}

/* It does not say that it has a loop. */
void benchmark_undeclared(struct bench *b);
void benchmark_undeclared(struct bench *b)
{
	BENCH_LOOP(b) {
	}
}

/* Children that it leaves behind. */
BENCH(forks, "")
{
	if (fork() == 0)
		execlp("sleep", "sleep", "98765", (char *)NULL);
	BENCH_LOOP(b) {
	}
}

/* One of several goes wrong. */
BENCH(second_crashes, "")
{
	volatile int *nowhere = NULL;

	BENCH_LOOP(b) {
		if (b->worker == 1)
			*nowhere = 1;
	}
}

BENCH(second_fails, "")
{
	if (b->worker == 1)
		bench_fail(b, "the second is not ready");
	BENCH_LOOP(b) {
	}
}

/* It closes what is not its own. */
BENCH(closes, "")
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	BENCH_LOOP(b) {
	}
}

/* One of several processes ends badly, and nobody is told. */
BENCH(ends_unseen, "")
{
	signal(SIGCHLD, SIG_IGN);
	BENCH_LOOP(b) {
		usleep(100);
	}
	if (b->worker == 1)
		abort();
}

BENCH(exits_at_end, "")
{
	BENCH_LOOP(b) {
		usleep(100);
	}
	if (b->worker == 1)
		_exit(0);
}

BENCH(dies_unseen, "")
{
	signal(SIGCHLD, SIG_IGN);
	BENCH_LOOP(b) {
		if (b->worker == 1)
			abort();
	}
}

BENCH(hangs_at_end, "")
{
	BENCH_LOOP(b) {
		usleep(100);
	}
	for (;;)
		pause();
}

BENCH(leaves_group, "")
{
	setpgid(0, getpgid(getppid()));
	BENCH_LOOP(b) {
		for (;;)
			pause();
	}
}
