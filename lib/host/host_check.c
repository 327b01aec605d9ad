/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of checks over facts. A check is skipped if the machine does not provide its
 * fact. Of several rows with the same check, the first one that fails is reported.
 */
#include <stdio.h>
#include <string.h>

#include "host/host_check.h"
#include "text/units.h"

enum test {
	IS,         /* fails if the fact is one of the words */
	IS_NOT,     /* fails if the fact is not one of the words */
	ABOVE,      /* fails if the fact is a number above the limit */
	PER_THREAD, /* fails if the fact exceeds the limit times the number of processors */
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
	    "other programs are running; stop them, or wait with bench-run --wait-idle" },
	{ "load", "load_1min", ABOVE, NULL, 0.5, HOST_NOTE,
	    "another program is running; stop it, or wait with bench-run --wait-idle" },
	{ "governor", "governor", IS_NOT, "performance", 0, HOST_UNFIT,
	    "the clock rate follows the load; run: sudo cpupower frequency-set -g "
	    "performance" },
	{ "power_source", "power_source", IS, "battery", 0, HOST_UNFIT,
	    "the firmware slows the processor on battery; connect mains power" },
	{ "cpu_quota", "cpu_quota_pct", ABOVE, NULL, 0, HOST_UNFIT,
	    "the control group stops its processes when they have used this share of a "
	    "processor; measure outside the group, or raise cpu.max" },
	{ "temperature", "temperature_c", ABOVE, NULL, 90, HOST_UNFIT,
	    "the processor is about to slow down because of heat; let it cool" },
	{ "clocksource", "clocksource", IS_NOT,
	    "tsc|kvm-clock|hyperv_clocksource_tsc_page|arch_sys_counter|timebase|"
	    "riscv_clocksource|tod",
	    0, HOST_UNFIT,
	    "reading this clock takes a system call; the messages of the kernel say why "
	    "it does not use tsc" },
	{ "steal", "steal_pct", ABOVE, NULL, 5, HOST_UNFIT,
	    "the hypervisor gives this share of the processors' time to other guests; use "
	    "another machine" },
	{ "steal", "steal_pct", ABOVE, NULL, 0.5, HOST_NOTE,
	    "the hypervisor gives some of the processors' time to other guests; take more "
	    "samples" },
	{ "hypervisor", "hypervisor", IS_NOT, "none", 0, HOST_NOTE,
	    "other guests may disturb the measurement, and hardware counters may be "
	    "missing; take more samples, interleaved" },
	{ "turbo", "turbo", IS, "on", 0, HOST_NOTE,
	    "the clock rate depends on heat and on the number of busy cores; run: echo 1 | "
	    "sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo, or: echo 0 | sudo tee "
	    "/sys/devices/system/cpu/cpufreq/boost" },
	{ "smt", "smt", IS, "on", 0, HOST_NOTE,
	    "two threads share each core; pass one processor of each core to bench-run "
	    "--cpu, or run: echo off | sudo tee /sys/devices/system/cpu/smt/control" },
	{ "busy_siblings", "busy_siblings", IS_NOT, "none", 0, HOST_NOTE,
	    "these processors share a core with a busy one; avoid them with bench-run "
	    "--cpu" },
	{ "busy_cpus", "busy_cpus", IS_NOT, "none", 0, HOST_NOTE,
	    "these processors are busy now; avoid them with bench-run --cpu" },
	{ "throttle", "throttle_count", ABOVE, NULL, 0, HOST_NOTE,
	    "number of times that cores have slowed down because of heat since boot" },
	{ "swap", "swap_used_bytes", ABOVE, NULL, 0, HOST_NOTE,
	    "memory was short; when enough is free, run: sudo swapoff -a && sudo swapon "
	    "-a" },
	{ "thp", "thp", IS, "always", 0, HOST_NOTE,
	    "whether a program gets huge pages depends on chance; run: echo madvise | sudo "
	    "tee /sys/kernel/mm/transparent_hugepage/enabled" },
	{ "numa_balancing", "numa_balancing", ABOVE, NULL, 0, HOST_NOTE,
	    "the kernel moves memory between nodes during a measurement; run: sudo sysctl "
	    "kernel.numa_balancing=0" },
	{ "aslr", "aslr", IS, "0", 0, HOST_NOTE,
	    "every process has the same memory layout, so results are valid for that "
	    "layout only; run: sudo sysctl kernel.randomize_va_space=2" },
	{ "energy", "energy_access", IS, "denied", 0, HOST_NOTE,
	    "only root may read the energy counters, because they can leak secrets "
	    "(CVE-2020-8694); run: sudo chmod a+r /sys/class/powercap/*/*_uj, or: sudo "
	    "sysctl kernel.perf_event_paranoid=0" },
	{ "perf_event_paranoid", "perf_event_paranoid", ABOVE, NULL, 2, HOST_NOTE,
	    "only root may count events; run: sudo sysctl kernel.perf_event_paranoid=2" },
	{ "counters", "counters_dead", ABOVE, NULL, 0, HOST_NOTE,
	    "number of hardware counters that do not count (the host of a virtual machine "
	    "uses them, for example for its NMI watchdog); bench-run avoids them, other "
	    "programs read 0" },
	{ "nmi_watchdog", "nmi_watchdog", ABOVE, NULL, 0, HOST_NOTE,
	    "the watchdog uses one hardware counter; run: sudo sysctl "
	    "kernel.nmi_watchdog=0" },
};

_Static_assert(
    COUNT(checks) <= HOST_CHECKS_MAX, "there is room for the advice of every check");

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
