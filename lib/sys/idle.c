/*
 * How busy the machine is, from the first line of /proc/stat twice, 100 ms apart. The load
 * average would still show our own last run minutes later.
 */
#include <time.h>
#include <unistd.h>

#include "sys/cpu_ticks.h"
#include "sys/idle.h"
#include "sys/interrupt.h"
#include "sys/kernel_files.h"

enum { WINDOW_MS = 100, PATIENCE_MS = 60000 };

/* Returns the ticks since boot that all processors were not idle; -1 when unknown. */
static double busy_ticks(const struct tree *tree)
{
	struct buf line = { 0 };
	struct cpu_ticks t;
	bool known = tree_line(tree, "proc/stat", &line) &&
	             cpu_ticks_parse((struct text){ line.ptr, line.len }, "cpu", &t);

	buf_free(&line);
	return known ? t.all - t.idle : -1;
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
