/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Access to the files that describe the machine: /proc, /sys and some of /etc. They are
 * read below a root, which is "/" or a recorded tree: a directory with proc, sys and etc,
 * such as tests/fixtures/machines/intel-laptop. $BENCH_ROOT names such a tree for all
 * programs, so that tests can replace the machine.
 *
 * A recorded tree also replaces perf_event_open(2); see energy_source_perf.c.
 */
#ifndef SYS_KERNEL_FILES_H
#define SYS_KERNEL_FILES_H

#include "base/base.h"

/*
 * The first file that exists, or may exist, and could not be read. A file that root could
 * read is recorded only if there is no other. Zero it to begin.
 */
struct kernel_failure {
	int error; /* 0: none */
	char *path;
};

struct kernel_files {
	int root;                       /* an open directory */
	bool live;                      /* it is the directory of this machine */
	struct kernel_failure *failure; /* filled in; NULL: failures are not recorded */
};

/* Returns $BENCH_ROOT, or "/" if it is unset or empty. */
const char *kernel_files_root(void);
/* Opens a root. Returns 0, or -1 and the message if the directory cannot be opened. */
int kernel_files_open(struct kernel_files *t, const char *root, struct fault *f);
void kernel_files_close(struct kernel_files *t);

/* Paths are relative to the root and do not begin with a slash. */

/* Appends a file, up to 64 KiB of it, to out. Returns false if it cannot be read. */
bool kernel_file_read(const struct kernel_files *t, const char *path, struct buf *out);
/* Reads a file as kernel_file_read() does, with another limit. */
bool kernel_file_read_up_to(
    const struct kernel_files *t, const char *path, size_t max, struct buf *out);
/* Appends the first line of a file, trimmed, to out. Returns false if it cannot be read. */
bool kernel_file_line(const struct kernel_files *t, const char *path, struct buf *out);
/* Reads a file that holds one number. */
bool kernel_file_number(const struct kernel_files *t, const char *path, double *out);
bool kernel_file_exists(const struct kernel_files *t, const char *path);
/* Opens a file for reading. Returns a descriptor, or -1 and errno. */
int kernel_file_open(const struct kernel_files *t, const char *path);
/* Reads the current number in an open file. */
bool kernel_file_count(int fd, uint64_t *out);
/* Reads the whole current content of an open file into out, replacing what it holds.
 * Returns 0 or an errno, which is also left in errno. */
int kernel_file_reread(int fd, struct buf *out);
/* Lists the names in a directory, as dir_names does. */
size_t kernel_dir_names(const struct kernel_files *t, const char *path, char ***names);

#endif
