/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds and loads backends: the one that is compiled in, and the plug-ins in
 * $BENCH_BACKEND_PATH and the library directory.
 */
#ifndef DEVICE_BACKENDS_H
#define DEVICE_BACKENDS_H

#include "base/base.h"
#include "bench-backend.h"

/* A backend that may be loaded. */
struct backend_file {
	char *name; /* for -b: the name of the file without backend- and .so */
	char *path; /* NULL if it is compiled in */
};

/*
 * Lists the backends that may be loaded, each name once, in the order of search: ref; then
 * the files backend-NAME.so in the directories of $BENCH_BACKEND_PATH, which are separated
 * by colons; then those in lib_dir. Within a directory they are sorted by name. Unreadable
 * directories are ignored. If lib_dir is NULL, it is the library directory of the running
 * program, which is wrong for a program in libexec.
 */
struct backend_file *backends_find(const char *lib_dir, size_t *count);
/* Frees a list of backends. */
void backends_free(struct backend_file *list, size_t count);

/*
 * Loads a backend into this process, where it stays. Returns NULL and the message if users
 * other than root and the caller could have changed it (sys/trusted_file.h), if it cannot
 * be loaded, if its ABI or name differs, or if it lacks a required hook.
 */
const struct backend *backend_load(const struct backend_file *file, struct fault *f);

#endif
