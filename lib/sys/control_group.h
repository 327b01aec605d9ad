/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The control groups that this process is in, and their files: of version 2, and of
 * version 1 with a hierarchy for each controller.
 */
#ifndef SYS_CONTROL_GROUP_H
#define SYS_CONTROL_GROUP_H

#include "sys/kernel_files.h"

/* Receives the directory of a group, a path for the functions of kernel_files.h. Returns
 * false to end control_groups_each(). */
typedef bool control_group_fn(
    void *ctx, const struct kernel_files *files, const char *group);

/*
 * Calls fn with the group of this process and those above it, from the innermost to the
 * root, in each hierarchy that can have the controller ("cpu", "memory"). In a container,
 * /proc/self/cgroup may name a group of the host, whose files do not exist there. The files
 * of the root of the hierarchy are then those of the container.
 */
void control_groups_each(const struct kernel_files *files, const char *controller,
    control_group_fn *fn, void *ctx);
/* Reads the first line of a file of a group into out. Returns false if the group does not
 * have the file. */
bool control_group_line(
    const struct kernel_files *files, const char *group, const char *name, struct buf *out);
/* Reads N of the line "key N" of a file of a group. Returns false if there is none. */
bool control_group_count(const struct kernel_files *files, const char *group,
    const char *name, const char *key, uint64_t *out);

#endif
