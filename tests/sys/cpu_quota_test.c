/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the limits of processor time of control groups, from made-up trees.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "sys/cpu_quota.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"

static size_t read_tree(struct cpu_quota *out)
{
	struct kernel_files files = { 0 };
	struct fault f;
	size_t count;

	if (kernel_files_open(&files, ".", &f) < 0)
		abort();
	count = cpu_quotas(&files, out);
	kernel_files_close(&files);
	return count;
}

static void test_second_version(void)
{
	struct cpu_quota q[CPU_QUOTAS_MAX];

	tap_ok(read_tree(q) == 0, "a machine without control groups has no quota");
	scratch_put("proc/self/cgroup", "0::/\n");
	tap_ok(read_tree(q) == 0, "the root group has no quota");
	scratch_put("proc/self/cgroup", "0::/outer/inner\n");
	scratch_put("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
	scratch_put("sys/fs/cgroup/outer/cpu.max", "150000 100000\n");
	scratch_put("sys/fs/cgroup/outer/cpu.stat",
	    "usage_usec 9\nnr_periods 70\nnr_throttled 4\nthrottled_usec 5\n");
	scratch_put("sys/fs/cgroup/cpu.max", "20000 10000");
	tap_ok(read_tree(q) == 2 && q[0].pct == 150 && q[0].periods == 70 &&
	           q[0].throttled == 4,
	    "the quota of a parent group has its periods");
	tap_ok(q[1].pct == 200 && q[1].periods == 0,
	    "the quota of the root, which is that of a container, may have no periods");
	scratch_put("proc/self/cgroup", "0::/of/the/host\n");
	tap_ok(read_tree(q) == 1 && q[0].pct == 200,
	    "the quota of the root counts if the group is one of the host");
}

static void test_first_version(void)
{
	struct cpu_quota q[CPU_QUOTAS_MAX];

	scratch_put("proc/self/cgroup", "9:pids:/p\n2:cpuset:/s\n1:cpuacct,cpu:/g\n0::/\n");
	scratch_put("sys/fs/cgroup/cpu.max", "max 100000\n");
	scratch_put("sys/fs/cgroup/cpu/g/cpu.cfs_quota_us", "25000\n");
	scratch_put("sys/fs/cgroup/cpu/g/cpu.cfs_period_us", "100000\n");
	scratch_put("sys/fs/cgroup/cpu/g/cpu.stat", "nr_periods 3\nnr_throttled 2");
	scratch_put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
	scratch_put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
	tap_ok(
	    read_tree(q) == 1 && q[0].pct == 25 && q[0].periods == 3 && q[0].throttled == 2,
	    "cpu_quotas reads the quota of a group of version 1");
	scratch_put("proc/self/cgroup", "garbage\n::\n:cpu\n9:cpu:\n");
	tap_ok(read_tree(q) == 0, "cpu_quotas ignores lines that it does not know");
}

/* Returns the explanation of these counts, in a static buffer. */
static const char *explained(const struct cpu_quota *before, const struct cpu_quota *after)
{
	static struct buf line;

	line.len = 0;
	buf_str(&line, "");
	cpu_quotas_explain(before, after, 2, &line);
	return line.ptr;
}

static void test_explain(void)
{
	const struct cpu_quota before[] = { { 50, 10, 1 }, { 150, 100, 7 } },
	                       less[] = { { 50, 2, 0 }, { 150, 100, 7 } },
	                       after[] = { { 50, 14, 3 }, { 150, 105, 12 } };

	tap_text(
	    explained(before, before), "", "a group that was not throttled is no news");
	tap_text(explained(before, less), "", "counts that began again are no news");
	tap_text(explained(before, after),
	    "the control group, which may use 150% of a processor, used this up in 5 of 5 "
	    "periods, and its processes were stopped until the next; times are too long "
	    "(see "
	    "bench-env --check)\n",
	    "the group that was throttled most often is reported");
}

int main(void)
{
	if (!scratch_begin())
		return 1;
	test_second_version();
	test_first_version();
	test_explain();
	scratch_end();
	return tap_end();
}
