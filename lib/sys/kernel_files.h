/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one way to the files by which a kernel describes its machine: /proc, /sys and what of
 * /etc counts as that. They are read below a root, "/" or a recorded tree: a directory with
 * proc, sys and etc in it, such as tests/fixtures/machines/intel-laptop. $BENCH_ROOT names
 * one for every program that looks at its machine, so that a test hands it another.
 *
 * A recorded tree also answers for perf_event_open(2), see energy_source_perf.c.
 */
#ifndef SYS_KERNEL_FILES_H
#define SYS_KERNEL_FILES_H

#include "base/base.h"

/*
 * The first file that exists, or may exist, and cannot be read; a file that root could read
 * is kept only if there is no other. Zero it to begin.
 */
struct kernel_failure {
	int error; /* 0: none */
	char *path;
};

struct kernel_files {
	int root;                       /* an open directory */
	bool live;                      /* it is the directory of this machine */
	struct kernel_failure *failure; /* is filled in; NULL: failures are not kept */
};

/* $BENCH_ROOT, or "/" when it is unset or empty. */
const char *kernel_files_root(void);
/* Returns 0, or -1 when the directory cannot be opened. */
int kernel_files_open(struct kernel_files *t, const char *root, struct fault *f);
void kernel_files_close(struct kernel_files *t);

/* Paths are relative to the root, without a slash before. */

/* Puts a file, at most 64 KiB of it, behind out; false when it cannot be read. */
bool kernel_file_read(const struct kernel_files *t, const char *path, struct buf *out);
/* As kernel_file_read(), with another limit. */
bool kernel_file_read_up_to(
    const struct kernel_files *t, const char *path, size_t max, struct buf *out);
/* Puts the first line of a file, trimmed, behind out; false when it cannot be read. */
bool kernel_file_line(const struct kernel_files *t, const char *path, struct buf *out);
/* Reads a file that holds one number. */
bool kernel_file_number(const struct kernel_files *t, const char *path, double *out);
bool kernel_file_exists(const struct kernel_files *t, const char *path);
/* Opens a file for reading. Returns a descriptor, or -1 and errno. */
int kernel_file_open(const struct kernel_files *t, const char *path);
/* Reads the number in an open file, each time anew. */
bool kernel_file_count(int fd, uint64_t *out);
/* Lists the names in a directory, as dir_names does. */
size_t kernel_dir_names(const struct kernel_files *t, const char *path, char ***names);

/* Without the white space around it. */
struct text text_trim(struct text t);
/* Cuts the first line off a text of lines. */
struct text text_next_line(struct text *lines);

#endif
