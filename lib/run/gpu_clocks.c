/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locked clocks; see gpu_clocks.h. The first line of the file has the process and the time
 * at which it began, and each further line a GPU.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "run/gpu_clocks.h"
#include "sys/parent_dirs.h"
#include "sys/procfs.h"
#include "sys/temp_file.h"
#include "text/units.h"

enum { MHZ_MAX = 100000 };

static const struct gpus *locked; /* NULL: none */
static char *locked_path;
static pid_t locked_by; /* a child process does not unlock */

int gpu_clocks_parse(const char *spec, unsigned *mhz, struct fault *f)
{
	struct text number = text_of(spec);
	double value;

	if (number.len > 3 && strcmp(spec + number.len - 3, "MHz") == 0)
		number.len -= 3;
	if (!number_parse(number, &value) || !(value >= 1 && value <= MHZ_MAX))
		return fault_set(
		    f, "--gpu-clocks '%s': a clock rate in MHz is required", spec);
	*mhz = (unsigned)value;
	return 0;
}

/* Returns the path of the file, or NULL if there is no directory for it; allocated. */
static char *clocks_path(void)
{
	return user_path("XDG_STATE_HOME", ".local/state", "gpu-clocks");
}

/* Returns when a process began, in ticks after boot; 0: there is no such process. */
static uint64_t start_of(long pid)
{
	char path[64];
	struct buf file = { 0 };
	struct procfs_stat stat = { 0 };
	struct fault ignored;
	bool known;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	known = file_read(path, &file, &ignored) == 0 &&
	        procfs_stat(text_in(&file), &stat);
	buf_free(&file);
	return known ? stat.start_ticks : 0;
}

static int write_file(const char *path, const struct gpus *gpus, struct fault *f)
{
	struct buf text = { 0 };
	struct fault ignored;
	struct temp_file *file;
	int status = -1;

	buf_printf(
	    &text, "%ld %llu\n", (long)getpid(), (unsigned long long)start_of(getpid()));
	for (size_t i = 0; i < gpus_count(gpus); i++) {
		gpus_put_id(gpus, i, &text);
		buf_byte(&text, '\n');
	}
	parent_dirs_make(path, 0700, &ignored); /* a failure is reported for the file */
	file = temp_file_open(path, TEMP_FILE_NEW, f);
	if (file && write(temp_file_fd(file), text.ptr, text.len) == (ssize_t)text.len)
		status = temp_file_commit(file, f);
	else if (file) {
		fault_errno(f, "%s", path);
		temp_file_discard(file);
	}
	buf_free(&text);
	return status;
}

void gpu_clocks_unlock(void)
{
	struct fault ignored;

	if (!locked || getpid() != locked_by)
		return;
	for (size_t i = 0; i < gpus_count(locked); i++)
		gpus_lock_clock(locked, i, 0, &ignored);
	locked = NULL;
	unlink(locked_path);
	free(locked_path);
	locked_path = NULL;
}

int gpu_clocks_lock(const struct gpus *gpus, unsigned mhz, struct fault *f)
{
	struct fault why;
	size_t count = 0;
	char *path = clocks_path();

	if (!path)
		return fault_set(f, "--gpu-clocks: neither XDG_STATE_HOME nor HOME names a "
		                    "directory for the list of locked GPUs");
	if (write_file(path, gpus, &why) < 0) {
		fault_set(f, "--gpu-clocks: %s%s", why.text,
		    errno == EEXIST ? " (another run has locked the clocks)" : "");
		free(path);
		return -1;
	}
	locked = gpus;
	locked_path = path;
	locked_by = getpid();
	atexit(gpu_clocks_unlock);
	for (size_t i = 0; i < gpus_count(gpus); i++)
		count += gpus_lock_clock(gpus, i, mhz, count ? &why : f) == 0;
	if (count)
		return 0;
	gpu_clocks_unlock();
	why = *f;
	return fault_set(f, "--gpu-clocks: %s", why.text);
}

/* Returns whether the lines contain the identifier of a GPU. */
static bool has_id(struct text lines, const struct buf *id)
{
	while (lines.len)
		if (id->len &&
		    text_equal(text_next_line(&lines), text_in(id)))
			return true;
	return false;
}

/* Unlocks the GPUs on these lines. Returns how many were unlocked, and the last failure. */
static size_t unlock_listed(struct text lines, struct fault *f)
{
	struct kernel_files files;
	struct gpus *gpus;
	struct buf id = { 0 };
	size_t count = 0;

	if (kernel_files_open(&files, kernel_files_root(), f) < 0)
		return 0;
	gpus = gpus_open(&files, f);
	for (size_t i = 0; gpus && i < gpus_count(gpus); i++) {
		id.len = 0;
		gpus_put_id(gpus, i, &id);
		if (has_id(lines, &id))
			count += gpus_lock_clock(gpus, i, 0, f) == 0;
	}
	gpus_close(gpus);
	kernel_files_close(&files);
	buf_free(&id);
	return count;
}

void gpu_clocks_recover(struct buf *notes)
{
	char *path = clocks_path();
	struct buf file = { 0 };
	struct fault f = { .text = "the GPU is absent" };
	struct text lines;
	unsigned long long start;
	long pid;

	if (!path || access(path, F_OK) < 0 || file_read(path, &file, &f) < 0)
		goto out;
	buf_byte(&file, '\0');
	file.len--;
	lines = text_in(&file);
	text_next_line(&lines);
	if (sscanf(file.ptr, "%ld %llu", &pid, &start) == 2 && start_of(pid) == start)
		goto out; /* that run is not over */
	if (unlock_listed(lines, &f)) {
		buf_str(
		    notes, "unlocked the clocks of GPUs, which a killed run had locked\n");
		unlink(path);
	} else {
		buf_printf(notes,
		    "a killed run left the clocks of GPUs locked, and they cannot be "
		    "unlocked: %s\n",
		    f.text);
	}
out:
	buf_free(&file);
	free(path);
}
