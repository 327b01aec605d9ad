/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The available backends: the one compiled in, and the plug-ins of $BENCH_BACKEND_PATH and
 * the library directory.
 */
#ifndef DEVICE_BACKENDS_H
#define DEVICE_BACKENDS_H

#include "base/base.h"
#include "bench-backend.h"

struct backend_file {
	char *name; /* for -b: that of the file, without backend- and .so */
	char *path; /* NULL: compiled in */
};

/*
 * Lists the backends that may be loaded, each name once, in the order of search: ref, then
 * the files backend-NAME.so of the directories of $BENCH_BACKEND_PATH (separated by
 * colons), then of lib_dir, by name in each. Unreadable directories are ignored. With
 * lib_dir NULL, it is the running program's library directory, which is wrong in libexec.
 */
struct backend_file *backends_find(const char *lib_dir, size_t *count);
/* Frees that list. */
void backends_free(struct backend_file *list, size_t count);

/*
 * Loads a backend into this process, where it stays. Returns NULL and the message when it
 * could have been changed by others than root and the user (sys/trusted_file.h), cannot be
 * loaded, has another ABI or name, or lacks a hook that is not optional.
 */
const struct backend *backend_load(const struct backend_file *file, struct fault *f);

#endif
