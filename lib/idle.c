/*
 * How busy the machine is, from the first line of /proc/stat twice, 100 ms apart. The load
 * average would still show our own last run minutes later.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base.h"
#include "idle.h"
#include "interrupt.h"

enum { WINDOW_MS = 100, PATIENCE_MS = 60000 };

/* Ticks that all processors together were not idle since boot; -1 when unknown. */
static double busy_ticks(void)
{
	FILE *in = fopen("/proc/stat", "re");
	double t[8] = { 0 };
	int got;

	if (!in)
		return -1;
	got = fscanf(in, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &t[0], &t[1], &t[2], &t[3],
	    &t[4], &t[5], &t[6], &t[7]);
	fclose(in);
	return got == (int)COUNT(t) ? t[0] + t[1] + t[2] + t[5] + t[6] + t[7] : -1;
}

bool idle_wait(double busy_max)
{
	static const struct timespec window = { .tv_nsec = WINDOW_MS * 1000000L };
	double ticks_in_window = (double)sysconf(_SC_CLK_TCK) * WINDOW_MS / 1000;

	for (int waited = 0; waited < PATIENCE_MS && !interrupt_seen();
	     waited += WINDOW_MS) {
		double before = busy_ticks(), after;

		nanosleep(&window, NULL);
		after = busy_ticks();
		if (before < 0 || after < 0 ||
		    (after - before) / ticks_in_window < busy_max)
			return true;
	}
	return false;
}
