/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control groups; see group_reading.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sys/group_reading.h"
#include "sys/procfs.h"
#include "text/units.h"

/* The ways in which the files are written. */
enum group_form {
	FORM_NUMBER, /* one number */
	FORM_COUNT,  /* lines "key N" */
	FORM_SUM,    /* a line of fields "key=N" for each device */
	FORM_TOTAL,  /* lines "key avg10=... total=N" */
};

/* Values of one file follow each other. */
static const struct {
	const char *file, *key;
	enum group_form form;
	double factor;
} sources[GROUP_VALUES] = {
	[GROUP_CPU] = { "cpu.stat", "usage_usec", FORM_COUNT, 1e3 },
	[GROUP_USER] = { "cpu.stat", "user_usec", FORM_COUNT, 1e3 },
	[GROUP_SYS] = { "cpu.stat", "system_usec", FORM_COUNT, 1e3 },
	[GROUP_THROTTLED] = { "cpu.stat", "throttled_usec", FORM_COUNT, 1e3 },
	[GROUP_CPU_PRESSURE] = { "cpu.pressure", "some", FORM_TOTAL, 1e3 },
	[GROUP_CPU_PRESSURE_FULL] = { "cpu.pressure", "full", FORM_TOTAL, 1e3 },
	[GROUP_MEMORY_PRESSURE] = { "memory.pressure", "some", FORM_TOTAL, 1e3 },
	[GROUP_MEMORY_PRESSURE_FULL] = { "memory.pressure", "full", FORM_TOTAL, 1e3 },
	[GROUP_IO_PRESSURE] = { "io.pressure", "some", FORM_TOTAL, 1e3 },
	[GROUP_IO_PRESSURE_FULL] = { "io.pressure", "full", FORM_TOTAL, 1e3 },
	[GROUP_FAULTS] = { "memory.stat", "pgfault", FORM_COUNT, 1 },
	[GROUP_MAJOR_FAULTS] = { "memory.stat", "pgmajfault", FORM_COUNT, 1 },
	[GROUP_READ] = { "io.stat", "rbytes", FORM_SUM, 1 },
	[GROUP_WRITTEN] = { "io.stat", "wbytes", FORM_SUM, 1 },
	[GROUP_MEMORY] = { "memory.current", NULL, FORM_NUMBER, 1 },
	[GROUP_MEMORY_PEAK] = { "memory.peak", NULL, FORM_NUMBER, 1 },
	[GROUP_SWAP] = { "memory.swap.current", NULL, FORM_NUMBER, 1 },
	[GROUP_TASKS] = { "pids.current", NULL, FORM_NUMBER, 1 },
};

/* Reads N of a word "key=N". Returns false if it is another word. */
static bool word_value(struct text word, const char *key, uint64_t *n)
{
	const size_t len = strlen(key);

	return word.len > len + 1 && memcmp(word.ptr, key, len) == 0 &&
	       word.ptr[len] == '=' &&
	       bits_parse(text_after(word, len + 1), n);
}

/* Adds up the fields of this name of all lines. A group that has used no device has no
 * line. */
static double sum_of(struct text file, const char *key)
{
	struct text line, word;
	double sum = 0;
	uint64_t n;

	while (file.len) {
		line = text_next_line(&file);
		while ((word = text_next_word(&line)).len)
			sum += word_value(word, key, &n) ? (double)n : 0;
	}
	return sum;
}

/* Returns the total of a line of pressure, or NAN. */
static double total_of(struct text file, const char *key)
{
	struct text line, word;
	uint64_t n;

	while (file.len) {
		line = text_next_line(&file);
		if (!text_is(text_next_word(&line), key))
			continue;
		while ((word = text_next_word(&line)).len)
			if (word_value(word, "total", &n))
				return (double)n;
	}
	return NAN;
}

static double value_of(struct text file, enum group_value v)
{
	uint64_t n;

	switch (sources[v].form) {
	case FORM_NUMBER:
		return bits_parse(text_trim(file), &n) ? (double)n : (double)NAN;
	case FORM_COUNT:
		return procfs_count(file, sources[v].key, &n) ? (double)n : (double)NAN;
	case FORM_SUM:
		return sum_of(file, sources[v].key);
	case FORM_TOTAL:
		return total_of(file, sources[v].key);
	}
	return NAN;
}

bool group_reading_take(const struct kernel_files *group, struct group_reading *out)
{
	struct buf file = { 0 };
	bool found = false;

	for (int v = 0; v < GROUP_VALUES; v++) {
		const bool same =
		    v > 0 && strcmp(sources[v].file, sources[v - 1].file) == 0;
		struct kernel_failure failure = { 0 };
		struct kernel_files files = *group;

		out->denied[v] = same && out->denied[v - 1];
		out->at_ns[v] = same ? out->at_ns[v - 1] : clock_monotonic_ns();
		if (!same) {
			file.len = 0;
			files.failure = &failure;
			found = kernel_file_read(&files, sources[v].file, &file);
			out->denied[v] = failure.error == EACCES || failure.error == EPERM;
			free(failure.path);
		}
		out->value[v] = found ? value_of(text_in(&file),
		                            (enum group_value)v) *
		                            sources[v].factor
		                      : (double)NAN;
	}
	buf_free(&file);
	return !isnan(out->value[GROUP_CPU]) || kernel_file_exists(group, "cgroup.procs");
}

/* Returns the mount point of version 2 in a line of /proc/self/mountinfo, which is
 * allocated; NULL: it is another one. */
static char *mount_point(struct text line)
{
	enum { POINT = 4 };
	struct text word, point = { NULL, 0 };
	bool last = false;

	for (int i = 0; (word = text_next_word(&line)).len; i++) {
		if (last)
			return text_equal(word, TEXT("cgroup2")) && point.len > 1
			           ? mem_text(point.ptr + 1, point.len - 1)
				   : NULL;
		if (i == POINT)
			point = word;
		last = text_equal(word, TEXT("-"));
	}
	return NULL;
}

/* Returns the mount point of version 2 without its slash, which is allocated; NULL: there
 * is none. */
static char *find_mount(const struct kernel_files *files)
{
	struct buf file = { 0 };
	struct text lines;
	char *point = NULL;

	if (kernel_file_read(files, "proc/self/mountinfo", &file))
		for (lines = text_in(&file); lines.len && !point;)
			point = mount_point(text_next_line(&lines));
	buf_free(&file);
	return point;
}

/* Returns whether a directory is a control group of version 2. */
static bool is_group(const struct kernel_files *files, const char *path)
{
	char *file = str_format("%s/cgroup.controllers", path);
	const bool found = kernel_file_exists(files, file);

	free(file);
	return found;
}

/* Returns the part of a name below the mount point: it may begin with the latter or with a
 * slash. */
static const char *name_below(const char *group, const char *mount)
{
	const char *name = group + strspn(group, "/");
	const size_t len = strlen(mount);

	if (*group == '/' && strncmp(name, mount, len) == 0 &&
	    (name[len] == '/' || !name[len]))
		name += len;
	return name + strspn(name, "/");
}

int group_find(const struct kernel_files *files, const char *group, char **path,
    char **name, struct fault *f)
{
	char *mount = find_mount(files);
	size_t len;

	*path = *name = NULL;
	if (!mount)
		return fault_set(f,
		    "no control groups of version 2 are mounted (as root: mount -t cgroup2 "
		    "cgroup2 DIR)");
	*name = str_copy(name_below(group, mount));
	for (len = strlen(*name); len && (*name)[len - 1] == '/'; len--)
		(*name)[len - 1] = '\0';
	*path = str_format("%s%s%s", mount, **name ? "/" : "", *name);
	if (!is_group(files, *path)) {
		fault_set(f,
		    "there is no control group '%s' of version 2 below /%s (systemd-cgls "
		    "or "
		    "find -type d lists them)",
		    *name, mount);
		free(*path);
		free(*name);
		*path = *name = NULL;
	}
	free(mount);
	return *path ? 0 : -1;
}
