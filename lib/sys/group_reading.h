/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control groups of version 2 by their names, and what the kernel accounts for each: see
 * Documentation/admin-guide/cgroup-v2.rst and accounting/psi.rst of the kernel.
 */
#ifndef SYS_GROUP_READING_H
#define SYS_GROUP_READING_H

#include "sys/kernel_files.h"

/* Values of a control group, with those below it. */
enum group_value {
	/* since it was created: times in ns */
	GROUP_CPU,
	GROUP_USER,
	GROUP_SYS,
	GROUP_THROTTLED,
	GROUP_CPU_PRESSURE,
	GROUP_CPU_PRESSURE_FULL,
	GROUP_MEMORY_PRESSURE,
	GROUP_MEMORY_PRESSURE_FULL,
	GROUP_IO_PRESSURE,
	GROUP_IO_PRESSURE_FULL,
	/* counts, and bytes */
	GROUP_FAULTS,
	GROUP_MAJOR_FAULTS,
	GROUP_READ,
	GROUP_WRITTEN,
	/* now */
	GROUP_MEMORY,
	GROUP_MEMORY_PEAK, /* the largest until now */
	GROUP_SWAP,
	GROUP_TASKS,
	GROUP_VALUES
};

struct group_reading {
	int64_t at_ns[GROUP_VALUES]; /* CLOCK_MONOTONIC, when each was read */
	double value[GROUP_VALUES];  /* NAN: unknown */
	bool denied[GROUP_VALUES];   /* its file may not be read */
};

/*
 * Finds the directory of a group by its path, or by its name below the mount point of
 * version 2, such as "system.slice/ssh.service". *path and *name, by which the group is
 * found, are allocated. Returns 0, or -1 and the message if there is no such group.
 */
int group_find(const struct kernel_files *files, const char *group, char **path,
    char **name, struct fault *f);
/*
 * Reads a group, whose directory is the root of these files. Returns false if it has been
 * removed.
 */
bool group_reading_take(const struct kernel_files *group, struct group_reading *out);

#endif
