/*
 * The directory that bench-run -d keeps a run in: DIR/UTC-TIMESTAMP and its files.
 */
#ifndef KEEP_DIR_H
#define KEEP_DIR_H

#include <stdio.h>

#include "host/host.h"

struct keep_dir;

/* Both directories are made if need be. NULL and the message. */
struct keep_dir *keep_dir_open(const char *dir, int64_t begun_ns, struct fault *f);
const char *keep_dir_path(const struct keep_dir *k);
/* A new file in it. NULL and the message. */
FILE *keep_dir_create(const struct keep_dir *k, const char *name, struct fault *f);
/* Close a file; status says whether it was written well so far. 0, or -1 and the message
 * about what, with errno. */
int keep_dir_finish(FILE *out, int status, const char *what, struct fault *f);
/* env.csv: the facts of the machine. */
int keep_dir_env(
    const struct keep_dir *k, const struct host *host, const char *env, struct fault *f);
void keep_dir_close(struct keep_dir *k);

#endif
