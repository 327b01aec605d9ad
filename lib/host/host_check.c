/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks, as a table over facts. A fact that the machine does not tell passes: nothing
 * is known against it. Rows with the same check are tried in turn until one speaks.
 */
#include <stdio.h>
#include <string.h>

#include "host/host_check.h"
#include "text/units.h"

enum test {
	IS,         /* the fact is one of these words */
	IS_NOT,     /* ... is none of them */
	ABOVE,      /* the fact is a number above this */
	PER_THREAD, /* ... above this for each processor */
};

static const struct check {
	const char *name, *fact;
	enum test test;
	const char *words; /* "a|b" */
	double limit;
	enum host_severity severity;
	const char *advice;
} checks[] = {
	{ "load", "load_1min", PER_THREAD, NULL, 0.25, HOST_UNFIT,
	    "other programs are running; wait (bench-run --wait-idle) or stop them" },
	{ "load", "load_1min", ABOVE, NULL, 0.5, HOST_NOTE,
	    "something else is running; bench-run --wait-idle waits for it to end" },
	{ "governor", "governor", IS_NOT, "performance", 0, HOST_UNFIT,
	    "the clock follows the load; run: sudo cpupower frequency-set -g performance" },
	{ "power_source", "power_source", IS, "battery", 0, HOST_UNFIT,
	    "on battery the firmware slows the processor; plug it in" },
	{ "cpu_quota", "cpu_quota_pct", ABOVE, NULL, 0, HOST_UNFIT,
	    "the control group stops its processes when this share of a processor is "
	    "spent; "
	    "measure outside it or lift cpu.max" },
	{ "temperature", "temperature_c", ABOVE, NULL, 90, HOST_UNFIT,
	    "the processor is about to slow itself down; let it cool" },
	{ "clocksource", "clocksource", IS_NOT,
	    "tsc|kvm-clock|hyperv_clocksource_tsc_page|arch_sys_counter|timebase|"
	    "riscv_clocksource|tod",
	    0, HOST_UNFIT,
	    "reading this clock takes a system call; see the kernel's messages for why tsc "
	    "was "
	    "given up" },
	{ "steal", "steal_pct", ABOVE, NULL, 5, HOST_UNFIT,
	    "the hypervisor gives this much of the processors' time to other guests; use "
	    "another "
	    "machine" },
	{ "steal", "steal_pct", ABOVE, NULL, 0.5, HOST_NOTE,
	    "the hypervisor gives some of the processors' time to other guests; take more "
	    "runs" },
	{ "hypervisor", "hypervisor", IS_NOT, "none", 0, HOST_NOTE,
	    "other guests may disturb, and counters may be missing; take more runs, "
	    "interleaved" },
	{ "turbo", "turbo", IS, "on", 0, HOST_NOTE,
	    "the clock depends on heat and on how many cores are busy; run: echo 1 | sudo "
	    "tee "
	    "/sys/devices/system/cpu/intel_pstate/no_turbo, or: echo 0 | sudo tee "
	    "/sys/devices/system/cpu/cpufreq/boost" },
	{ "smt", "smt", IS, "on", 0, HOST_NOTE,
	    "two threads share each core; give bench-run --cpu one of each pair, or run: "
	    "echo off | "
	    "sudo tee /sys/devices/system/cpu/smt/control" },
	{ "busy_siblings", "busy_siblings", IS_NOT, "none", 0, HOST_NOTE,
	    "these processors share a core with a busy one; keep off them with bench-run "
	    "--cpu" },
	{ "busy_cpus", "busy_cpus", IS_NOT, "none", 0, HOST_NOTE,
	    "these processors are busy now; keep off them with bench-run --cpu" },
	{ "throttle", "throttle_count", ABOVE, NULL, 0, HOST_NOTE,
	    "the processor has slowed itself down this often since boot, because of heat" },
	{ "swap", "swap_used_bytes", ABOVE, NULL, 0, HOST_NOTE,
	    "memory has been short; when it is no longer, run: sudo swapoff -a && sudo "
	    "swapon -a" },
	{ "thp", "thp", IS, "always", 0, HOST_NOTE,
	    "whether a program gets huge pages depends on luck; run: echo madvise | sudo "
	    "tee "
	    "/sys/kernel/mm/transparent_hugepage/enabled" },
	{ "numa_balancing", "numa_balancing", ABOVE, NULL, 0, HOST_NOTE,
	    "the kernel moves memory between nodes as it runs; run: "
	    "sudo sysctl kernel.numa_balancing=0" },
	{ "aslr", "aslr", IS, "0", 0, HOST_NOTE,
	    "every process has the same layout, so one lucky layout stands for all; run: "
	    "sudo sysctl kernel.randomize_va_space=2" },
	{ "energy", "energy_access", IS, "denied", 0, HOST_NOTE,
	    "the energy counters are there but root's, because they can leak secrets "
	    "(CVE-2020-8694); run: sudo chmod a+r /sys/class/powercap/*/*_uj, or: sudo "
	    "sysctl kernel.perf_event_paranoid=0" },
	{ "perf_event_paranoid", "perf_event_paranoid", ABOVE, NULL, 2, HOST_NOTE,
	    "only root may count events; run: sudo sysctl kernel.perf_event_paranoid=2" },
	{ "counters", "counters_dead", ABOVE, NULL, 0, HOST_NOTE,
	    "so many hardware counters run but do not count (the host of a virtual "
	    "machine keeps them, for its NMI watchdog say); bench-run avoids them, other "
	    "programs read 0" },
	{ "nmi_watchdog", "nmi_watchdog", ABOVE, NULL, 0, HOST_NOTE,
	    "it takes one hardware counter; run: sudo sysctl kernel.nmi_watchdog=0" },
};

_Static_assert(COUNT(checks) <= HOST_CHECKS_MAX, "room for every advice");

static bool contains_word(const char *words, const char *word)
{
	size_t len = strlen(word), each;

	for (; *words; words += each + (words[each] == '|')) {
		each = strcspn(words, "|");
		if (each == len && memcmp(words, word, len) == 0)
			return true;
	}
	return false;
}

static bool check_fails(
    const struct check *c, const struct host *h, const struct host_fact *fact)
{
	double number, threads;

	switch (c->test) {
	case IS:
		return contains_word(c->words, fact->value);
	case IS_NOT:
		return !contains_word(c->words, fact->value);
	case ABOVE:
		return host_number(h, c->fact, &number) && number > c->limit;
	case PER_THREAD:
		return host_number(h, c->fact, &number) &&
		       host_number(h, "cpu_threads", &threads) &&
		       number > c->limit * threads;
	}
	return false;
}

size_t host_check(const struct host *h, struct host_advice *out)
{
	size_t count = 0;

	for (size_t i = 0; i < COUNT(checks); i++) {
		const struct check *c = &checks[i];
		const struct host_fact *fact = host_find(h, c->fact);

		if (!fact || (count && strcmp(out[count - 1].check, c->name) == 0) ||
		    !check_fails(c, h, fact))
			continue;
		out[count] = (struct host_advice){
			.severity = c->severity, .check = c->name, .advice = c->advice
		};
		host_print(fact, out[count].found, sizeof(out[count].found));
		count++;
	}
	return count;
}
