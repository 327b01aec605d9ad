/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The load that other processes cause; see other_load.h. The time that a hypervisor gives
 * to other guests is not theirs, and does not count as busy.
 */
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sys/cpu_ticks.h"
#include "sys/kernel_files.h"
#include "sys/other_load.h"
#include "text/plural.h"

/* A share of the processors that bench-env --check also calls unfit. */
static const double SHARE_NOTED = 0.25;
enum { SECONDS_LEAST = 1, STAT_BYTES_MAX = 1 << 20 };

static double ticks_of(const struct timeval *t)
{
	return ((double)t->tv_sec + (double)t->tv_usec * 1e-6) *
	       (double)sysconf(_SC_CLK_TCK);
}

/* Returns the processor time of this process and of the children that ended, in ticks. */
static double own_ticks(void)
{
	static const int whose[] = { RUSAGE_SELF, RUSAGE_CHILDREN };
	double ticks = 0;

	for (size_t i = 0; i < COUNT(whose); i++) {
		struct rusage usage;

		if (getrusage(whose[i], &usage) == 0)
			ticks += ticks_of(&usage.ru_utime) + ticks_of(&usage.ru_stime);
	}
	return ticks;
}

static bool stat_read(struct buf *stat)
{
	struct kernel_files files;
	struct fault unknown;
	bool known;

	if (kernel_files_open(&files, kernel_files_root(), &unknown) < 0)
		return false;
	known = kernel_file_read_up_to(&files, "proc/stat", STAT_BYTES_MAX, stat);
	kernel_files_close(&files);
	return known;
}

/* Sums the ticks of the processors up to now. Returns their number; 0: unknown. */
static size_t ticks_read(const cpu_set_t *cpus, struct cpu_ticks *sum)
{
	struct buf stat = { 0 };
	size_t count = 0;
	bool known = stat_read(&stat);

	*sum = (struct cpu_ticks){ 0 };
	for (size_t i = 0; known && i < CPU_SETSIZE; i++) {
		struct cpu_ticks ticks;
		char name[32];

		snprintf(name, sizeof(name), "cpu%zu", i);
		if (!CPU_ISSET(i, cpus) ||
		    !cpu_ticks_parse(text_in(&stat), name, &ticks))
			continue;
		sum->all += ticks.all;
		sum->idle += ticks.idle + ticks.steal;
		count++;
	}
	buf_free(&stat);
	return count;
}

void other_load_begin(struct other_load *l, const cpu_set_t *cpus)
{
	struct cpu_ticks sum;

	*l = (struct other_load){ .own = own_ticks() };
	if (cpus)
		l->observed = *cpus;
	else if (sched_getaffinity(0, sizeof(l->observed), &l->observed) < 0)
		return;
	l->cpus = ticks_read(&l->observed, &sum);
	l->all = sum.all;
	l->busy = sum.all - sum.idle;
}

double other_load_end(struct other_load *l)
{
	struct cpu_ticks sum;

	if (!l->cpus || ticks_read(&l->observed, &sum) != l->cpus)
		return NAN;
	l->own = own_ticks() - l->own;
	l->all = sum.all - l->all;
	l->busy = sum.all - sum.idle - l->busy;
	if (!(l->all > 0))
		return NAN;
	return fmax(0, l->busy - l->own) / l->all * (double)l->cpus;
}

void other_load_explain(const struct other_load *l, double others, struct buf *lines)
{
	double seconds =
	    l->cpus ? l->all / (double)sysconf(_SC_CLK_TCK) / (double)l->cpus : 0;

	if (seconds < SECONDS_LEAST || !(others >= SHARE_NOTED * (double)l->cpus))
		return;
	buf_printf(lines,
	    "other processes kept %.1f of %zu processor%s busy; unless the subjects need "
	    "them, measure on a quieter machine, or with --wait-idle\n",
	    others, l->cpus, plural_s(l->cpus));
}
