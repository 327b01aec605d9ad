/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the numbers of processes that the kernel killed, from made-up trees.
 */
#include <stdlib.h>

#include "sys/memory_kills.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"

static struct memory_kills read_tree(void)
{
	struct kernel_files files = { 0 };
	struct memory_kills kills;
	struct fault f;

	if (kernel_files_open(&files, ".", &f) < 0)
		abort();
	memory_kills(&files, &kills);
	kernel_files_close(&files);
	return kills;
}

static bool is(struct memory_kills k, uint64_t group, uint64_t machine, double limit)
{
	return k.group == group && k.machine == machine && k.limit == limit;
}

static void test_second_version(void)
{
	tap_ok(is(read_tree(), 0, 0, 0), "a machine without control groups has no kills");
	scratch_put("proc/vmstat", "nr_free_pages 7\noom_kill 14\nnuma_hit 3\n");
	tap_ok(is(read_tree(), 0, 14, 0), "the kills of a machine are those of vmstat");
	scratch_put("proc/self/cgroup", "0::/outer/inner\n");
	scratch_put("sys/fs/cgroup/outer/inner/memory.max", "max\n");
	scratch_put("sys/fs/cgroup/outer/inner/memory.events",
	    "low 0\nhigh 0\nmax 8\noom 4\noom_kill 2\noom_group_kill 1\n");
	scratch_put("sys/fs/cgroup/outer/memory.max", "3000000\n");
	scratch_put("sys/fs/cgroup/outer/memory.events", "oom_kill 5\n");
	scratch_put("sys/fs/cgroup/memory.max", "4000000\n");
	tap_ok(is(read_tree(), 2, 14, 3000000),
	    "the kills are those of the innermost group, and the limit is the lowest");
	scratch_put("proc/self/cgroup", "0::/of/the/host\n");
	scratch_put("sys/fs/cgroup/memory.events", "oom_kill 9\n");
	tap_ok(is(read_tree(), 9, 14, 4000000),
	    "the kills of the root count if the group is one of the host");
}

static void test_first_version(void)
{
	scratch_put("proc/self/cgroup", "4:memory:/g\n1:cpu:/c\n");
	scratch_put(
	    "sys/fs/cgroup/memory/g/memory.oom_control", "under_oom 0\noom_kill 6\n");
	scratch_put(
	    "sys/fs/cgroup/memory/g/memory.limit_in_bytes", "9223372036854771712\n");
	tap_ok(is(read_tree(), 6, 14, 0), "a group of version 1 has kills and no limit");
	scratch_put("sys/fs/cgroup/memory/memory.limit_in_bytes", "20971520\n");
	tap_ok(is(read_tree(), 6, 14, 20971520), "a group has the limit of its parent");
}

/* Returns the explanation of these numbers, in a static buffer. */
static const char *explained(struct memory_kills before, struct memory_kills after)
{
	static struct buf line;

	line.len = 0;
	buf_str(&line, "");
	memory_kills_explain(&before, &after, &line);
	return line.ptr;
}

static void test_explain(void)
{
	const struct memory_kills before = { 3, 9, 1 << 20 };

	tap_text(explained(before, before), "", "a run without kills is no news");
	tap_text(explained(before, (struct memory_kills){ 0 }), "",
	    "numbers that began again are no news");
	tap_text(explained(before, (struct memory_kills){ 4, 10, 1 << 20 }),
	    "the kernel killed 1 process of the control group for lack of memory, of which "
	    "the group may use 1.000 MiB; samples that failed with SIGKILL may be among "
	    "them\n",
	    "a kill in the group is reported with its limit");
	tap_text(explained(before, (struct memory_kills){ 3, 11, 1 << 20 }),
	    "the kernel killed 2 processes of the machine for lack of memory, perhaps "
	    "samples, which then failed with SIGKILL\n",
	    "kills in other groups are reported");
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
