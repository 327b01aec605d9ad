/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The use of the whole machine, as kernels report it.
 */
#include <math.h>

#include "sys/cpu_ticks.h"
#include "sys/machine_reading.h"
#include "sys/procfs.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"
#include "text/number_set.h"

static const char times[] =
    "cpu  300 20 100 5000 40 6 14 9 70 5\ncpu0 200 10 60 2500 30 2 8 4 70 5\n"
    "cpu2 100 10 40 2500 10 4 6 5 0 0\nintr 1 2 cpu7 3\nctxt 12345\nbtime 1\n"
    "processes 678\n";
static const char vmstat[] = "nr_free_pages 1\npgpgin 100\npgpgout 300\npgfault 5000\n"
                             "pgmajfault 7\n";
static const char net[] =
    "Inter-|   Receive     |  Transmit\n face |bytes    packets errs\n"
    "    lo: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0\n"
    "  eth0:1000 9 0 0 0 0 0 0 200 8 0 0 0 0 0 0\n"
    "wlan0: 50 1 0 0 0 0 0 0 5 1 0 0 0 0 0 0\n"
    "br0: 700 1 0 0 0 0 0 0 70 1 0 0 0 0 0 0\n";

static bool is_near(double got, double want)
{
	return fabs(got - want) <= 1e-9 * fabs(want);
}

static void put_machine(void)
{
	scratch_put("proc/stat", times);
	scratch_put("proc/vmstat", vmstat);
	scratch_put("proc/net/dev", net);
	scratch_put("proc/meminfo", "MemTotal: 1000 kB\nMemFree: 100 kB\n"
	                            "MemAvailable:     400 kB\n");
	scratch_put("sys/class/net/eth0/device/vendor", "x");
	scratch_put("sys/class/net/wlan0/device/vendor", "x");
	scratch_put("sys/class/net/lo/mtu", "x");
}

static void test_reading(const struct kernel_files *files)
{
	const double tick_ns = machine_reading_tick_ns();
	struct machine_reading r = { 0 };
	struct fault f;

	tap_ok(machine_reading_take(files, &r, &f) == 0 && r.cpus == 2 &&
	           r.cpu[1].number == 2 && !machine_reading_cpu(&r, 1) &&
	           machine_reading_cpu(&r, 2) == &r.cpu[1],
	    "a reading has the processors that are online");
	tap_ok(is_near(r.time.user, 320 * tick_ns),
	    "the time in user mode includes that of guests once");
	tap_ok(is_near(r.time.sys, 120 * tick_ns) &&
	           is_near(r.time.idle, 5000 * tick_ns) &&
	           is_near(r.time.iowait, 40 * tick_ns) &&
	           is_near(r.time.steal, 9 * tick_ns),
	    "the time in the kernel includes interrupts, and idle time excludes iowait");
	tap_ok(is_near(r.cpu[0].time.user, 210 * tick_ns) &&
	           is_near(r.cpu[1].time.sys, 50 * tick_ns),
	    "each processor has its own times");
	tap_ok(r.switches == 12345 && r.forks == 678 && r.faults == 5000 &&
	           r.major_faults == 7 && r.read_bytes == 102400 &&
	           r.written_bytes == 307200 && r.memory_bytes == 600 * 1024,
	    "a reading has the counts of the kernel, in bytes where they are bytes");
	tap_ok(r.links == 2 && r.link[0].received == 1000 && r.link[1].sent == 5,
	    "only network interfaces with a device count, even without a space before "
	    "their bytes");
	machine_reading_free(&r);
}

static void test_difference(const struct kernel_files *files)
{
	struct machine_reading a = { 0 }, b = { 0 };
	double in, out;
	struct fault f;

	machine_reading_take(files, &a, &f);
	machine_reading_take(files, &b, &f);
	b.cpu[0].time.iowait -= 1e7;
	b.cpu[0].time.user += 2e7;
	struct cpu_times t = cpu_times_between(&a.cpu[0].time, &b.cpu[0].time);
	tap_ok(t.user == 2e7 && t.sys == 0 && isnan(t.iowait),
	    "a time of processors that goes back is unknown");
	b.link[1].received += 10;
	machine_reading_network(&a, &b, &in, &out);
	tap_ok(in == 10 && out == 0, "the bytes of network interfaces are added");
	b.links = 1;
	machine_reading_network(&a, &b, &in, &out);
	tap_ok(isnan(in) && isnan(out), "the bytes are unknown if an interface has gone");
	b.links = 2;
	b.link[0].sent = 0;
	machine_reading_network(&a, &b, &in, &out);
	tap_ok(isnan(in) && isnan(out), "the bytes are unknown if a count was reset");
	tap_ok(machine_reading_same_cpus(&a, &b), "equal processors are recognized");
	b.cpu[1].number = 1;
	tap_ok(!machine_reading_same_cpus(&a, &b), "other processors are recognized");
	machine_reading_free(&a);
	machine_reading_free(&b);
}

static void test_lacks(const struct kernel_files *files)
{
	struct machine_reading r = { 0 };
	double in, out;
	struct fault f;

	scratch_put("proc/vmstat", "pgfault x\n");
	scratch_put("proc/meminfo", "MemTotal: 1000 kB\n");
	scratch_put("proc/net/dev", "garbage: 1 2\n");
	tap_ok(machine_reading_take(files, &r, &f) == 0 && isnan(r.faults) &&
	           isnan(r.read_bytes) && isnan(r.memory_bytes),
	    "counts that the kernel lacks are unknown");
	machine_reading_network(&r, &r, &in, &out);
	tap_ok(isnan(in), "the bytes of network interfaces are unknown if there is none");
	scratch_put("proc/stat", "cpu  1 2 3\ncpu0 1 2 3\n");
	tap_ok(machine_reading_take(files, &r, &f) < 0,
	    "a kernel without the times of processors is refused");
	machine_reading_free(&r);
}

static void test_keep(const struct kernel_files *files)
{
	const double tick_ns = machine_reading_tick_ns();
	static bool chosen[CPUS_MAX];
	struct machine_reading r = { 0 };
	struct fault f;

	chosen[1] = chosen[2] = true;
	put_machine();
	machine_reading_take(files, &r, &f);
	machine_reading_keep(&r, chosen);
	tap_ok(r.cpus == 1 && r.cpu[0].number == 2 && is_near(r.time.user, 110 * tick_ns) &&
	           is_near(r.time.idle, 2500 * tick_ns),
	    "the times of chosen processors are those of the ones that are online");
	tap_ok(isnan(r.switches) && isnan(r.memory_bytes) && isnan(r.faults) && r.links == 0,
	    "values that all processors share do not belong to chosen ones");
	chosen[2] = false;
	machine_reading_keep(&r, chosen);
	tap_ok(r.cpus == 0 && isnan(r.time.user) && isnan(r.time.steal),
	    "chosen processors that are all offline have no times");
	machine_reading_free(&r);
}

int main(void)
{
	struct kernel_files files;
	struct fault f;

	if (!scratch_begin())
		return 1;
	put_machine();
	tap_ok(kernel_files_open(&files, ".", &f) == 0, "the files of a machine are read");
	test_reading(&files);
	test_difference(&files);
	test_lacks(&files);
	test_keep(&files);
	kernel_files_close(&files);
	scratch_end();
	return tap_end();
}
