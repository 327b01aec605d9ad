/*
 * The backends that there are: the one compiled in, and the plugins of
 * $BENCH_BACKEND_PATH and the library directory.
 */
#ifndef BACKENDS_H
#define BACKENDS_H

#include "bench-backend.h"
#include "base/base.h"

struct backend_file {
	char *name; /* of -b: that of the file, without backend- and .so */
	char *path; /* NULL: compiled in */
};

/*
 * Those that could be loaded, each name once, the first found first: ref, then files
 * backend-NAME.so of the directories of $BENCH_BACKEND_PATH (with colons between), then of
 * lib_dir, by name in each. Directories that cannot be read are passed over. lib_dir NULL:
 * where the running program's library directory is, which is wrong in libexec.
 */
struct backend_file *backends_find(const char *lib_dir, size_t *count);
void backends_free(struct backend_file *list, size_t count);

/*
 * Load one into this process, where it stays. NULL and the message when it cannot be, has
 * another ABI or name, or lacks a hook that is not optional.
 */
const struct backend *backend_load(const struct backend_file *file, struct fault *f);

#endif
