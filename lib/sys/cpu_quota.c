/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See cpu_quota.h. In a container, /proc/self/cgroup may name a group of the host, whose
 * files do not exist there. The files of the root of the hierarchy are then those of the
 * container, so they are always read.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sys/cpu_quota.h"

/* Reads the number after "key " at the beginning of a line. Returns 0 if there is none. */
static uint64_t stat_number(const char *stat, const char *key)
{
	const size_t len = strlen(key);

	for (const char *line = stat; *line; line = strchr(line, '\n') + 1) {
		if (strncmp(line, key, len) == 0 && line[len] == ' ')
			return strtoull(line + len + 1, NULL, 10);
		if (!strchr(line, '\n'))
			break;
	}
	return 0;
}

/* Reads a file of a group. Returns false if the group does not have it. */
static bool group_line(
    const struct kernel_files *files, const char *group, const char *name, struct buf *out)
{
	char *path = str_format("%s/%s", group, name);
	bool found;

	out->len = 0;
	found = kernel_file_line(files, path, out);
	free(path);
	return found;
}

/*
 * Reads the quota and its period: "QUOTA PERIOD" or "max PERIOD" in a file of version 2, or
 * one number in each file of version 1, where -1 is no limit. Returns the percentage, or 0
 * if there is no limit.
 */
static double group_pct(const struct kernel_files *files, const char *group)
{
	struct buf line = { 0 };
	double quota = 0, period = 0;
	char *rest;

	if (group_line(files, group, "cpu.max", &line)) {
		if (isdigit((unsigned char)line.ptr[0])) {
			quota = (double)strtoull(line.ptr, &rest, 10);
			period = (double)strtoull(rest, NULL, 10);
		}
	} else if (group_line(files, group, "cpu.cfs_quota_us", &line) &&
	           isdigit((unsigned char)line.ptr[0])) {
		quota = (double)strtoull(line.ptr, NULL, 10);
		if (group_line(files, group, "cpu.cfs_period_us", &line))
			period = (double)strtoull(line.ptr, NULL, 10);
	}
	buf_free(&line);
	return period > 0 ? 100 * quota / period : 0;
}

static size_t add_group(
    const struct kernel_files *files, const char *group, struct cpu_quota *out)
{
	struct buf stat = { 0 };
	char *path;

	out->pct = group_pct(files, group);
	if (out->pct <= 0)
		return 0;
	path = str_format("%s/cpu.stat", group);
	buf_str(&stat, "");
	kernel_file_read(files, path, &stat);
	out->periods = stat_number(stat.ptr, "nr_periods");
	out->throttled = stat_number(stat.ptr, "nr_throttled");
	free(path);
	buf_free(&stat);
	return 1;
}

/* Adds the limits of a group and of those above it, up to the root of its hierarchy. */
static size_t add_groups(const struct kernel_files *files, const char *root,
    struct text group, struct cpu_quota *out, size_t room)
{
	char *path = str_format("%s%.*s", root, (int)group.len, group.ptr);
	const size_t root_len = strlen(root);
	size_t count = 0;

	while (count < room) {
		char *slash = strrchr(path, '/');

		if (slash[1])
			count += add_group(files, path, &out[count]);
		if ((size_t)(slash - path) < root_len)
			break;
		*slash = '\0';
	}
	free(path);
	return count;
}

/* Returns whether a list of names, separated by commas, has this one. */
static bool list_has(struct text list, const char *name)
{
	const size_t len = strlen(name);

	while (list.len) {
		const char *comma = memchr(list.ptr, ',', list.len);
		const size_t word = comma ? (size_t)(comma - list.ptr) : list.len;

		if (word == len && memcmp(list.ptr, name, len) == 0)
			return true;
		list.ptr += comma ? word + 1 : word;
		list.len -= comma ? word + 1 : word;
	}
	return false;
}

size_t cpu_quotas(const struct kernel_files *files, struct cpu_quota *out)
{
	struct buf file = { 0 };
	struct text lines, line;
	size_t count = 0;

	if (!kernel_file_read(files, "proc/self/cgroup", &file))
		return 0;
	lines = (struct text){ file.ptr, file.len };
	/* A line is ID:CONTROLLERS:GROUP. Version 2 has no controllers there. */
	while (lines.len && (line = text_next_line(&lines)).len) {
		const char *list = memchr(line.ptr, ':', line.len), *group;
		struct text controllers;

		if (!list || !(group = memchr(list + 1, ':',
		                   (size_t)(line.ptr + line.len - list - 1))))
			continue;
		controllers = (struct text){ list + 1, (size_t)(group - list - 1) };
		if (!controllers.len || list_has(controllers, "cpu"))
			count += add_groups(files,
			    controllers.len ? "sys/fs/cgroup/cpu" : "sys/fs/cgroup",
			    (struct text){
			        group + 1, (size_t)(line.ptr + line.len - group - 1) },
			    out + count, CPU_QUOTAS_MAX - count);
	}
	buf_free(&file);
	return count;
}

void cpu_quotas_explain(const struct cpu_quota *before, const struct cpu_quota *after,
    size_t count, struct buf *line)
{
	uint64_t most = 0;
	size_t which = 0;

	for (size_t i = 0; i < count; i++)
		if (after[i].throttled > before[i].throttled &&
		    after[i].throttled - before[i].throttled > most) {
			most = after[i].throttled - before[i].throttled;
			which = i;
		}
	if (most)
		buf_printf(line,
		    "the control group, which may use %.4g%% of a processor, used this up "
		    "in "
		    "%" PRIu64 " of %" PRIu64 " periods, and its processes were stopped "
		    "until the next; times are too long (see bench-env --check)\n",
		    after[which].pct, most, after[which].periods - before[which].periods);
}
