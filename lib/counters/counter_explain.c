/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports events that could not be counted, the reason, and the command that helps; see
 * counter.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/paths.h"
#include "counters/counter.h"

/*
 * Appends the setting that allows counting. For perf_event_paranoid see Documentation/
 * admin-guide/sysctl/kernel.rst of the kernel; level 3 of Debian forbids everything.
 */
static void put_remedy(const struct counter_set *set, struct buf *out)
{
	const bool on_cpus = set->whole_machine || set->in_groups;
	char *helper =
	    set->attached || on_cpus ? bin_path("bench-run") : libexec_path("bench-spawn");
	const double allowed = on_cpus ? 0 : 1;
	double level;

	if (!set->files_open ||
	    !kernel_file_number(&set->files, "proc/sys/kernel/perf_event_paranoid", &level))
		buf_printf(out, "the kernel has no perf_event");
	else if (set->foreign)
		buf_printf(out,
		    "the process belongs to another user; as root: run bench-run, or "
		    "setcap cap_perfmon+ep %s",
		    helper);
	else if (level > allowed)
		buf_printf(out,
		    "%skernel.perf_event_paranoid is %.0f; as root: sysctl "
		    "kernel.perf_event_paranoid=%.0f, or setcap cap_perfmon+ep %s",
		    set->whole_machine ? "the whole machine is counted; "
		    : set->in_groups   ? "control groups are counted on whole processors; "
		                       : "",
		    level, allowed, helper);
	else
		buf_printf(out,
		    "kernel.perf_event_paranoid is %.0f, which allows counting, but the "
		    "seccomp filter of a container or a security module denies it",
		    level);
	free(helper);
}

/* Reasons, by the error of opening; 0: any other one. */
static const struct reason {
	enum counter_state state;
	int error;
	const char *why;
	bool remedy; /* a setting can help */
} reasons[] = {
	{ COUNTER_DENIED, 0, "permission denied", true },
	{ COUNTER_READY, 0, "counted in user mode only", true },
	{ COUNTER_UNSUPPORTED, ECANCELED,
	    "their group can never be counted together (more events than the processor "
	    "has counters, or an event that it lacks)",
	    false },
	{ COUNTER_UNSUPPORTED, ENOSPC,
	    "too few of this machine's counters work (the host of the virtual machine "
	    "uses some of them: see its NMI watchdog)",
	    false },
	{ COUNTER_UNSUPPORTED, EDOM,
	    "on whole processors it would include their idle time (cpu_time and "
	    "cpu_utilisation do not)",
	    false },
	{ COUNTER_UNSUPPORTED, EADDRNOTAVAIL,
	    "counted on other processors than those that are measured (see the file "
	    "cpumask or cpus of their PMU in /sys/bus/event_source/devices)",
	    false },
	{ COUNTER_UNSUPPORTED, 0,
	    "this machine cannot count them (no such hardware counter, or a virtual "
	    "machine without hardware counters)",
	    false },
};

/* Returns the reason why an event is not counted, or only in part; NULL: it is. */
static const struct reason *reason_of(const struct counter *c)
{
	if (c->state == COUNTER_READY && !c->user_only)
		return NULL;
	for (size_t i = 0; i < COUNT(reasons); i++)
		if (reasons[i].state == c->state &&
		    (!reasons[i].error || reasons[i].error == c->error))
			return &reasons[i];
	return NULL;
}

bool counter_explain(const struct counter_set *set, bool unrequested, struct buf *out)
{
	bool remedy = false;

	for (size_t k = 0; k < COUNT(reasons); k++) {
		bool any = false;

		for (size_t i = 0; i < set->count; i++) {
			const struct counter *c = &set->counter[i];

			if (c->hidden || reason_of(c) != &reasons[k])
				continue;
			if (!reasons[k].remedy && !c->asked && !unrequested)
				continue;
			buf_str(out, any ? ", " : out->len ? "; " : "");
			buf_str(out, c->name);
			any = true;
		}
		if (any)
			buf_printf(out, ": %s", reasons[k].why);
		remedy = remedy || (any && reasons[k].remedy);
	}
	if (remedy) {
		buf_str(out, " (");
		put_remedy(set, out);
		buf_str(out, ")");
	}
	return out->len > 0;
}
