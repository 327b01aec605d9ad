/*
 * How busy the machine is, from the first line of /proc/stat twice, 100 ms apart. The load
 * average would still show our own last run minutes later.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "idle.h"
#include "interrupt.h"
#include "tree.h"

enum { WINDOW_MS = 100, PATIENCE_MS = 60000 };

/* Ticks that all processors together were not idle since boot; -1 when unknown. */
static double busy_ticks(const struct tree *tree)
{
	struct buf line = { 0 };
	double t[8] = { 0 };
	int got = 0;

	if (tree_line(tree, "proc/stat", &line))
		got = sscanf(line.ptr, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &t[0], &t[1],
		    &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]);
	buf_free(&line);
	return got == (int)COUNT(t) ? t[0] + t[1] + t[2] + t[5] + t[6] + t[7] : -1;
}

static bool watch(const struct tree *tree, double busy_max)
{
	static const struct timespec window = { .tv_nsec = WINDOW_MS * 1000000L };
	double ticks_in_window = (double)sysconf(_SC_CLK_TCK) * WINDOW_MS / 1000;

	for (int waited = 0; waited < PATIENCE_MS && !interrupt_seen();
	     waited += WINDOW_MS) {
		double before = busy_ticks(tree), after;

		nanosleep(&window, NULL);
		after = busy_ticks(tree);
		if (before < 0 || after < 0 ||
		    (after - before) / ticks_in_window < busy_max)
			return true;
	}
	return false;
}

bool idle_wait(double busy_max)
{
	struct tree tree;
	struct fault unknown;
	bool idle;

	if (tree_open(&tree, tree_root(), &unknown) < 0)
		return true;
	idle = watch(&tree, busy_max);
	tree_close(&tree);
	return idle;
}
