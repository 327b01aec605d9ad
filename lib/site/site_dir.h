/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directory of a site. Files are written only if their content differs from that of the
 * last build, and replaced as a whole. Files of the last build that are not written again
 * are removed. The directory .bench-site has the state of the site.
 */
#ifndef SITE_SITE_DIR_H
#define SITE_SITE_DIR_H

#include "base/base.h"

struct site_dir;
/*
 * Opens or creates a directory, and locks it. format: of the pages; if the last build had
 * another one, all files are written again. Returns NULL and the message if the directory
 * is neither empty nor a site, or in use by another build.
 */
struct site_dir *site_dir_open(const char *path, const char *format, struct fault *f);
/* Returns the path of a file of the state; allocated. */
char *site_dir_state(const struct site_dir *d, const char *name);
/*
 * Writes a file of the site. hash identifies its content. If the file was written with the
 * same hash, does nothing, and content may be NULL if site_dir_has() returned true. Threads
 * may call it at the same time for different files. The first failure is kept for
 * site_dir_close().
 */
void site_dir_write(
    struct site_dir *d, const char *path, uint64_t hash, const struct buf *content);
/* The same with a hash of the content. */
void site_dir_put(struct site_dir *d, const char *path, const struct buf *content);
/* Returns whether a file was written with this hash and is still there. */
bool site_dir_has(const struct site_dir *d, const char *path, uint64_t hash);
/* Ends the build: removes old files, unless one could not be written, and unlocks the
 * directory. Returns 0, or -1 and the message. */
int site_dir_close(struct site_dir *d, size_t *written, size_t *removed, struct fault *f);
/* Unlocks the directory without removing files. */
void site_dir_abandon(struct site_dir *d);

#endif
