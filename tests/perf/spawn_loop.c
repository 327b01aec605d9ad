/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lower bound for bench-run: posix_spawn and wait4 in a loop, timed in the same way. Prints the
 * whole time in s and the median of one run in us.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	enum { WARMUPS = 10, RUNS = 1000 };
	static double took[RUNS];
	posix_spawn_file_actions_t actions;
	double begin;

	if (argc != 2)
		return 2;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	begin = now_s();
	for (int i = -WARMUPS; i < RUNS; i++) {
		struct rusage use;
		double start = now_s();
		pid_t pid;
		int status;

		if (posix_spawn(&pid, argv[1], &actions, NULL, argv + 1, environ) != 0 ||
		    wait4(pid, &status, 0, &use) < 0)
			return 1;
		if (i >= 0)
			took[i] = now_s() - start;
	}
	printf("%.6f ", now_s() - begin);
	qsort(took, RUNS, sizeof(*took), ascending);
	printf("%.2f\n", (took[RUNS / 2 - 1] + took[RUNS / 2]) / 2 * 1e6);
	return 0;
}
