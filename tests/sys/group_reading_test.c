/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control groups: how they are found, and their files, also damaged ones.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sys/group_reading.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"

/* Returns whether a group is found under this name. */
static bool finds(const struct kernel_files *files, const char *group, const char *want)
{
	char *path, *name;
	struct fault f;
	bool is;

	if (group_find(files, group, &path, &name, &f) < 0)
		return !want;
	is = want && strcmp(name, want) == 0;
	free(path);
	free(name);
	return is;
}

static void test_names(const struct kernel_files *files)
{
	tap_ok(finds(files, "a/b", NULL), "a machine where no groups are mounted has none");
	scratch_put("proc/self/mountinfo",
	    "short line\n\n22 1 0:20 / /sys rw - sysfs sysfs rw\n"
	    "30 22 0:26 / /sys/fs/cg rw,nosuid shared:9 master:2 - cgroup2 none rw\n");
	scratch_put("sys/fs/cg/cgroup.controllers", "cpu memory\n");
	scratch_put("sys/fs/cg/a/b/cgroup.controllers", "");
	scratch_put("sys/fs/cg/other/file", "x");
	tap_ok(finds(files, "a/b", "a/b") && finds(files, "/a/b/", "a/b") &&
	           finds(files, "/sys/fs/cg/a/b", "a/b"),
	    "a group is found by its name, with slashes around it, and by its path");
	tap_ok(finds(files, "/", "") && finds(files, "/sys/fs/cg", ""),
	    "the root is a group");
	tap_ok(finds(files, "a/c", NULL) && finds(files, "other", NULL) &&
	           finds(files, "/sys/fs/cgx", NULL),
	    "other directories are no groups");
}

static void test_values(void)
{
	struct group_reading r;
	struct kernel_files group;
	struct fault f;

	tap_ok(kernel_files_open(&group, "sys/fs/cg/a/b", &f) == 0, "the directory of a group is opened");
	scratch_put("sys/fs/cg/a/b/cpu.stat",
	    "usage_usec 7\nuser_usec\nsystem_usec x\nthrottled_usec 99999999999999999999\n");
	scratch_put("sys/fs/cg/a/b/io.stat",
	    "8:0 rbytes=10 wbytes=1 rios=2\n\n8:16 rbytes=5\n7:0 \nrbytes=x rbytes= wbytes\n");
	scratch_put("sys/fs/cg/a/b/cpu.pressure", "some avg10=1.50 total=3\nfull avg10=0.00");
	scratch_put("sys/fs/cg/a/b/memory.current", "4096");
	scratch_put("sys/fs/cg/a/b/memory.peak", "max\n");
	scratch_put("sys/fs/cg/a/b/pids.current", "");
	tap_ok(group_reading_take(&group, &r) && r.value[GROUP_CPU] == 7000,
	    "times are read in microseconds");
	tap_ok(isnan(r.value[GROUP_USER]) && isnan(r.value[GROUP_SYS]) &&
	           isnan(r.value[GROUP_THROTTLED]),
	    "a line without a number has no value");
	tap_ok(r.value[GROUP_READ] == 15 && r.value[GROUP_WRITTEN] == 1,
	    "the bytes of all devices are added, and words of another form are ignored");
	tap_ok(r.value[GROUP_CPU_PRESSURE] == 3000 && isnan(r.value[GROUP_CPU_PRESSURE_FULL]),
	    "a line of pressure without a total has no value");
	tap_ok(r.value[GROUP_MEMORY] == 4096 && isnan(r.value[GROUP_MEMORY_PEAK]) &&
	           isnan(r.value[GROUP_TASKS]) && isnan(r.value[GROUP_SWAP]) &&
	           !r.denied[GROUP_SWAP],
	    "a file that is missing, empty or no number has no value");
	kernel_files_close(&group);
}

int main(void)
{
	struct kernel_files files;
	struct fault f;

	if (!scratch_begin())
		return 1;
	tap_ok(kernel_files_open(&files, ".", &f) == 0, "a recorded tree is opened");
	test_names(&files);
	test_values();
	kernel_files_close(&files);
	scratch_end();
	return tap_end();
}
