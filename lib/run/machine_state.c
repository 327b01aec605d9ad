/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares the state of the machine before and after a run; see machine_state.h.
 */
#include <math.h>

#include "base/clock.h"
#include "run/machine_state.h"

/* Returns the time of boot by CLOCK_REALTIME. It changes only if that clock is set:
 * CLOCK_BOOTTIME also counts while the machine is suspended. */
static int64_t read_epoch(void)
{
	return clock_realtime_ns() - clock_now_ns(CLOCK_BOOTTIME);
}

static int64_t read_suspended(void)
{
	return clock_now_ns(CLOCK_BOOTTIME) - clock_monotonic_ns();
}

void machine_state_read(struct machine_state *m)
{
	struct kernel_files files = { 0 };
	struct fault ignored;

	*m = (struct machine_state){ .epoch_ns = read_epoch(),
		.suspended_ns = read_suspended() };
	if (kernel_files_open(&files, kernel_files_root(), &ignored) < 0)
		return;
	m->quotas = cpu_quotas(&files, m->quota);
	memory_kills(&files, &m->kills);
	kernel_files_close(&files);
}

/* Notes that the clock of the column time was set by more than a second. Durations are of
 * other clocks. */
static void note_clock(double step_s, struct buf *lines)
{
	if (fabs(step_s) > 1)
		buf_printf(lines,
		    "the clock was set %s by %.0f s during the run: the column time has "
		    "both times, and the run may be sorted wrongly; values are not "
		    "affected\n",
		    step_s > 0 ? "forward" : "back", fabs(step_s));
}

/* Notes that the machine was suspended for more than a second. */
static void note_suspension(double suspended_s, struct buf *lines)
{
	if (suspended_s > 1)
		buf_printf(lines,
		    "the machine was suspended for %.0f s during the run: no value "
		    "includes this time, but the samples next to it may differ\n",
		    suspended_s);
}

void machine_state_explain(const struct machine_state *before,
    const struct machine_state *after, struct buf *lines)
{
	if (before->quotas == after->quotas)
		cpu_quotas_explain(before->quota, after->quota, before->quotas, lines);
	memory_kills_explain(&before->kills, &after->kills, lines);
	note_suspension((double)(after->suspended_ns - before->suspended_ns) / 1e9, lines);
	note_clock((double)(after->epoch_ns - before->epoch_ns) / 1e9, lines);
}
