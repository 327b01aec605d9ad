/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits for a quiet machine; see idle.h. The first line of /proc/stat is read twice, 100
 * ms apart. The load average would include our previous run for minutes.
 */
#include <time.h>
#include <unistd.h>

#include "sys/cpu_ticks.h"
#include "sys/idle.h"
#include "sys/interrupt.h"
#include "sys/kernel_files.h"

enum { WINDOW_MS = 100, PATIENCE_MS = 60000 };

/* Returns the ticks since boot in which processors were busy, summed over all; -1 if
 * unknown. */
static double read_busy_ticks(const struct kernel_files *files)
{
	struct buf line = { 0 };
	struct cpu_ticks t;
	bool known = kernel_file_line(files, "proc/stat", &line) &&
	             cpu_ticks_parse(text_in(&line), "cpu", &t);

	buf_free(&line);
	return known ? t.all - t.idle : -1;
}

static bool watch_ticks(const struct kernel_files *files, double busy_max)
{
	static const struct timespec window = { .tv_nsec = WINDOW_MS * 1000000L };
	double ticks_in_window = (double)sysconf(_SC_CLK_TCK) * WINDOW_MS / 1000;

	for (int waited = 0; waited < PATIENCE_MS && !interrupt_seen();
	     waited += WINDOW_MS) {
		double before = read_busy_ticks(files), after;

		nanosleep(&window, NULL);
		after = read_busy_ticks(files);
		if (before < 0 || after < 0 ||
		    (after - before) / ticks_in_window < busy_max)
			return true;
	}
	return false;
}

bool idle_wait(double busy_max)
{
	struct kernel_files files;
	struct fault unknown;
	bool idle;

	if (kernel_files_open(&files, kernel_files_root(), &unknown) < 0)
		return true;
	idle = watch_ticks(&files, busy_max);
	kernel_files_close(&files);
	return idle;
}
