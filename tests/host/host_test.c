/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of facts from a made-up tree, their hash, lists of processors, busy processors, and
 * checks.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/host.h"
#include "host/host_check.h"
#include "host/host_read.h"
#include "sys/cpu_ticks.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"
#include "text/number_set.h"

static const char *fact(const struct host *h, const char *name)
{
	const struct host_fact *found = host_find(h, name);

	return found ? found->value : NULL;
}

static void read_tree(struct host *h)
{
	struct fault f;

	host_free(h);
	if (host_read(h, ".", HOST_ALL, &f) < 0)
		abort();
}

static void test_facts(void)
{
	struct host h = { 0 };
	char before[HOST_HASH_SIZE], after[HOST_HASH_SIZE];

	read_tree(&h);
	tap_ok(h.count == 0, "host_read finds no facts in an empty tree");

	scratch_put("proc/cpuinfo",
	    "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel\t\t: 17\nmodel name\t: A CPU "
	    "@ 2 GHz\n"
	    "flags\t\t: fpu hypervisory vme\n\nprocessor\t: 1\nmodel name\t: another\n");
	scratch_put("sys/devices/system/cpu/online", "0-3\n");
	scratch_put("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,2\n");
	scratch_put("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,3\n");
	scratch_put("sys/devices/system/cpu/cpu0/topology/core_siblings_list", "0-3\n");
	scratch_put("sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
	scratch_put("sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
	scratch_put("sys/devices/system/cpu/cpu0/cache/index0/size", "48K\n");
	scratch_put("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n");
	scratch_put("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave\n");
	scratch_put("sys/devices/system/cpu/cpufreq/policy10/scaling_governor", "performance\n");
	scratch_put("sys/devices/system/cpu/isolated", "\n");
	scratch_put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	scratch_put("proc/meminfo", "MemTotal:        8052116 kB\nMemAvailable:      10 kB\n");
	scratch_put("proc/loadavg", "0.25 0.20 0.10 1/85 100\n");
	scratch_put("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian 12\"\n");
	scratch_put("proc/self/cgroup", "0::/a/b\n");
	scratch_put("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
	scratch_put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
	read_tree(&h);
	tap_text(fact(&h, "cpu_model"), "A CPU @ 2 GHz",
	    "host_read reads the model of the first processor");
	tap_text(fact(&h, "cpu_model_id"), "17",
	    "host_read matches whole keys of /proc/cpuinfo");
	tap_text(fact(&h, "cpu_threads"), "4", "host_read counts the online processors");
	tap_text(fact(&h, "cpu_cores"), "2", "host_read counts the cores");
	tap_text(fact(&h, "cpu_sockets"), "1", "host_read counts the sockets");
	tap_text(
	    fact(&h, "cache_l1d_bytes"), "49152", "host_read reads the size of a cache");
	tap_ok(!fact(&h, "cache_l2_bytes"), "host_read omits a cache that does not exist");
	tap_text(fact(&h, "governor"), "performance powersave",
	    "host_read lists different governors");
	tap_text(
	    fact(&h, "isolated_cpus"), "none", "host_read reads an empty list as none");
	tap_text(fact(&h, "thp"), "madvise", "host_read reads the word in brackets");
	tap_text(fact(&h, "memory_bytes"), "8321499136",
	    "host_read rounds the memory to 256 MiB");
	tap_text(fact(&h, "memory_available_bytes"), "10240",
	    "host_read reads the available memory");
	tap_text(fact(&h, "os"), "Debian 12",
	    "host_read removes the quotes of the name of the system");
	tap_text(fact(&h, "hypervisor"), "none",
	    "host_read matches the flag hypervisor as a whole word");
	tap_text(fact(&h, "cpu_quota_pct"), "150",
	    "host_read reads the limit of a parent control group");
	tap_ok(!fact(&h, "arch"), "host_read omits facts of system calls for another root");

	host_env_hash(&h, before);
	scratch_put("proc/loadavg", "9.00 0.20 0.10 1/85 100\n");
	scratch_put("proc/meminfo", "MemTotal:        8052000 kB\nMemAvailable:      99 kB\n");
	read_tree(&h);
	host_env_hash(&h, after);
	tap_text(after, before, "load and free memory do not change the hash");
	scratch_put("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
	read_tree(&h);
	host_env_hash(&h, after);
	tap_ok(strcmp(after, before) != 0, "another governor changes the hash");
	host_free(&h);
}

static void test_hypervisors(void)
{
	struct host h = { 0 };

	scratch_put("proc/cpuinfo", "flags\t\t: fpu hypervisor vme\n");
	read_tree(&h);
	tap_text(
	    fact(&h, "hypervisor"), "unknown", "a hypervisor without a name is unknown");
	scratch_put("sys/devices/system/clocksource/clocksource0/available_clocksource",
	    "kvm-clock tsc\n");
	read_tree(&h);
	tap_text(fact(&h, "hypervisor"), "kvm",
	    "host_read identifies a hypervisor by its clock source");
	scratch_put("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
	scratch_put("sys/class/dmi/id/product_name", "c6g.large\n");
	read_tree(&h);
	tap_text(fact(&h, "hypervisor"), "amazon",
	    "host_read identifies a hypervisor by the firmware");
	scratch_put("proc/cpuinfo", "CPU implementer\t: 0x41\n");
	scratch_put("sys/class/dmi/id/product_name", "c6g.metal\n");
	read_tree(&h);
	tap_text(fact(&h, "hypervisor"), "none",
	    "host_read finds no hypervisor on a bare-metal machine of a cloud");
	tap_ok(!fact(&h, "container"), "host_read omits the container if there is none");
	scratch_put(".dockerenv", "");
	read_tree(&h);
	tap_text(fact(&h, "container"), "docker", "host_read identifies a container");
	host_free(&h);
}

/* The hashes must never change, because stores hold hashes from years ago. */
static void test_hash(void)
{
	struct host h = { 0 };
	char hash[HOST_HASH_SIZE];

	host_env_hash(&h, hash);
	tap_text(hash, "9ce48422e8d7", "host_env_hash of no facts is the known value");
	host_add(&h, "cpu_model", NULL, true, TEXT("A CPU"));
	host_add(&h, "load_1min", "1", false, TEXT("0.5"));
	host_add(&h, "smt", NULL, true, TEXT("on"));
	host_env_hash(&h, hash);
	tap_text(
	    hash, "3a952e6314b0", "host_env_hash of two stable facts is the known value");
	host_free(&h);
}

static void test_lists(void)
{
	static const struct {
		const char *list;
		size_t count;
		const char *back;
	} cases[] = { { "0", 1, "0" }, { "0-3,8", 5, "0-3,8" }, { "1,2,5-6", 4, "1-2,5-6" },
		{ "", 0, "none" }, { "7-5", 0, "none" }, { "99999", 0, "none" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		bool *set = mem_zero(CPUS_MAX, sizeof(bool));
		struct buf back = { 0 };

		tap_ok(cpu_list_parse(text_of(cases[i].list), set) == cases[i].count,
		    "cpu_list_parse returns the size of '%s'", cases[i].list);
		cpu_list_put(&back, set);
		tap_text(back.ptr, cases[i].back, "cpu_list_put prints the parsed list");
		buf_free(&back);
		free(set);
	}
}

static void test_busy(void)
{
	bool *busy = mem_zero(CPUS_MAX, sizeof(bool));
	struct cpu_ticks t;
	struct text before =
	    TEXT("cpu  200 0 0 200 0 0 0 0\ncpu0 100 0 0 100 0 0 0 0\n"
	         "cpu1 50 0 0 50 0 0 0 0\ncpu10 50 0 0 50 0 0 0 0\nintr 1\n");
	struct text after =
	    TEXT("cpu  240 0 0 230 0 0 0 0\ncpu0 101 0 0 119 0 0 0 0\n"
	         "cpu1 60 0 2 54 4 0 0 0\ncpu10 50 0 12 58 0 0 0 0\nintr 9\n");

	tap_ok(cpus_busy(before, after, busy) == 2 && !busy[0] && busy[1] && busy[10],
	    "cpus_busy finds processors that are busy more than half of the time, not "
	    "counting iowait");
	tap_ok(cpus_busy(after, after, busy) == 0,
	    "cpus_busy finds no busy processor if no time has passed");
	tap_ok(cpu_ticks_parse(after, "cpu1", &t) && t.all == 120 && t.idle == 58 &&
	           t.steal == 0,
	    "cpu_ticks_parse does not confuse cpu1 with cpu10");
	tap_ok(!cpu_ticks_parse(after, "cpu2", &t),
	    "cpu_ticks_parse finds no ticks of a processor without a line");
	tap_ok(
	    !cpu_ticks_parse(TEXT("cpu  1 2 3 4 5 6 7\ncpu0 1 2 3 4 5 6 7 8\n"), "cpu", &t),
	    "cpu_ticks_parse does not read past the end of a line without steal");
	free(busy);
}

static size_t checks_of(
    const char *name, const char *unit, const char *value, struct host_advice *advice)
{
	struct host h = { 0 };
	size_t count;

	host_add(&h, "cpu_threads", "1", true, TEXT("8"));
	host_add(&h, name, unit, true, text_of(value));
	count = host_check(&h, advice);
	host_free(&h);
	return count;
}

static void test_fitness(void)
{
	enum { FIT = -1 };
	static const struct {
		const char *fact, *unit, *value;
		int level;
	} cases[] = {
		{ "governor", NULL, "performance", FIT },
		{ "governor", NULL, "performance powersave", HOST_UNFIT },
		{ "load_1min", "1", "0.5", FIT },
		{ "load_1min", "1", "0.51", HOST_NOTE },
		{ "load_1min", "1", "2.01", HOST_UNFIT },
		{ "clocksource", NULL, "tsc", FIT },
		{ "clocksource", NULL, "kvm-clock", FIT },
		{ "clocksource", NULL, "ts", HOST_UNFIT },
		{ "clocksource", NULL, "hpet", HOST_UNFIT },
		{ "power_source", NULL, "mains", FIT },
		{ "power_source", NULL, "battery", HOST_UNFIT },
		{ "cpu_quota_pct", "%", "150", HOST_UNFIT },
		{ "temperature_c", "°C", "90", FIT },
		{ "temperature_c", "°C", "90.5", HOST_UNFIT },
		{ "steal_pct", "%", "0.2", FIT },
		{ "steal_pct", "%", "1", HOST_NOTE },
		{ "steal_pct", "%", "8", HOST_UNFIT },
		{ "hypervisor", NULL, "none", FIT },
		{ "hypervisor", NULL, "kvm", HOST_NOTE },
		{ "turbo", NULL, "off", FIT },
		{ "turbo", NULL, "on", HOST_NOTE },
		{ "smt", NULL, "on", HOST_NOTE },
		{ "busy_cpus", NULL, "none", FIT },
		{ "busy_cpus", NULL, "3", HOST_NOTE },
		{ "busy_siblings", NULL, "2", HOST_NOTE },
		{ "throttle_count", "1", "0", FIT },
		{ "throttle_count", "1", "7", HOST_NOTE },
		{ "swap_used_bytes", "B", "0", FIT },
		{ "swap_used_bytes", "B", "4096", HOST_NOTE },
		{ "thp", NULL, "madvise", FIT },
		{ "thp", NULL, "always", HOST_NOTE },
		{ "numa_balancing", NULL, "1", HOST_NOTE },
		{ "aslr", NULL, "2", FIT },
		{ "aslr", NULL, "0", HOST_NOTE },
		{ "perf_event_paranoid", NULL, "2", FIT },
		{ "perf_event_paranoid", NULL, "3", HOST_NOTE },
		{ "perf_event_paranoid", NULL, "-1", FIT },
		{ "nmi_watchdog", NULL, "1", HOST_NOTE },
	};
	struct host_advice advice[HOST_CHECKS_MAX];

	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t count =
		    checks_of(cases[i].fact, cases[i].unit, cases[i].value, advice);
		int level = count ? (int)advice[0].severity : FIT;

		tap_ok(count == (cases[i].level != FIT) && level == cases[i].level,
		    "host_check finds %s with the value %s %s", cases[i].fact,
		    cases[i].value,
		    cases[i].level == FIT ? "fit"
		    : cases[i].level      ? "unfit"
		                          : "worth a note");
	}
}

int main(void)
{
	if (!scratch_begin())
		return 1;
	test_facts();
	test_hypervisors();
	test_hash();
	test_lists();
	test_busy();
	test_fitness();
	scratch_end();
	return tap_end();
}
