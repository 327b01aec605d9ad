/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directory that bench-run -d keeps a run in: DIR/20261122T223433.776Z and its files.
 */
#ifndef RUN_RUN_DIR_H
#define RUN_RUN_DIR_H

#include <stdio.h>

#include "host/host.h"

struct run_dir;

/* Makes a new directory below dir, which is made if need be. Returns NULL and the message
 * on failure. */
struct run_dir *run_dir_open(const char *dir, int64_t begun_ns, struct fault *f);
const char *run_dir_path(const struct run_dir *k);
/* A new file in it. NULL and the message. */
FILE *keep_dir_create(const struct run_dir *k, const char *name, struct fault *f);
/* Close a file; status says whether it was written well so far. 0, or -1 and the message
 * about what, with errno. */
int run_dir_finish(FILE *out, int status, const char *what, struct fault *f);
/* env.csv: the facts of the machine. */
int run_dir_env(
    const struct run_dir *k, const struct host *host, const char *env, struct fault *f);
void run_dir_close(struct run_dir *k);

#endif
