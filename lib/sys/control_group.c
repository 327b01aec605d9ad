/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the control groups of this process; see control_group.h.
 */
#include <stdlib.h>
#include <string.h>

#include "sys/control_group.h"

bool control_group_line(
    const struct kernel_files *files, const char *group, const char *name, struct buf *out)
{
	char *path = str_format("%s/%s", group, name);
	bool found;

	out->len = 0;
	found = kernel_file_line(files, path, out);
	free(path);
	return found;
}

bool control_group_count(const struct kernel_files *files, const char *group,
    const char *name, const char *key, uint64_t *out)
{
	const size_t len = strlen(key);
	char *path = str_format("%s/%s", group, name);
	struct buf file = { 0 };
	struct text lines, line;
	bool found = false;

	kernel_file_read(files, path, &file);
	lines = text_in(&file);
	while (lines.len && !found) {
		line = text_next_line(&lines);
		found = line.len > len + 1 && memcmp(line.ptr, key, len) == 0 &&
		        line.ptr[len] == ' ';
		if (found)
			*out = strtoull(line.ptr + len + 1, NULL, 10);
	}
	free(path);
	buf_free(&file);
	return found;
}

/* Calls fn with a group and those above it. Returns false if fn stops. */
static bool each_above(const struct kernel_files *files, const char *root,
    struct text group, control_group_fn *fn, void *ctx)
{
	char *path = str_format("%s%.*s", root, (int)group.len, group.ptr);
	const size_t root_len = strlen(root);
	bool on = true;

	while (on) {
		char *slash = strrchr(path, '/');

		if (slash[1])
			on = fn(ctx, files, path);
		if ((size_t)(slash - path) < root_len)
			break;
		*slash = '\0';
	}
	free(path);
	return on;
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

/* Divides a line ID:CONTROLLERS:GROUP of /proc/self/cgroup. Version 2 has no controllers
 * there. Returns false if the line has another form. */
static bool divide(struct text line, struct text *controllers, struct text *group)
{
	const char *end = line.ptr + line.len, *list, *path;

	list = line.len ? memchr(line.ptr, ':', line.len) : NULL;
	path = list ? memchr(list + 1, ':', (size_t)(end - list - 1)) : NULL;
	if (!path)
		return false;
	*controllers = (struct text){ list + 1, (size_t)(path - list - 1) };
	*group = (struct text){ path + 1, (size_t)(end - path - 1) };
	return true;
}

void control_groups_each(const struct kernel_files *files, const char *controller,
    control_group_fn *fn, void *ctx)
{
	char *hierarchy = str_format("sys/fs/cgroup/%s", controller);
	struct buf file = { 0 };
	struct text lines, list, group;
	bool on = true;

	if (kernel_file_read(files, "proc/self/cgroup", &file)) {
		lines = text_in(&file);
		while (on && lines.len)
			if (divide(text_next_line(&lines), &list, &group) &&
			    (!list.len || list_has(list, controller)))
				on = each_above(files,
				    list.len ? hierarchy : "sys/fs/cgroup", group, fn, ctx);
	}
	free(hierarchy);
	buf_free(&file);
}
