/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directory of bench-run -d for one run: DIR/20261122T223433.776Z and its files.
 */
#ifndef RESULTS_RUN_DIR_H
#define RESULTS_RUN_DIR_H

#include <stdio.h>

#include "host/host.h"

struct run_dir;

/*
 * Creates a new directory in dir, which is also created if it does not exist. Returns NULL
 * and the message on failure.
 */
struct run_dir *run_dir_open(const char *dir, int64_t begun_ns, struct fault *f);
/* Returns the path of the directory, which lives as long as d. */
const char *run_dir_path(const struct run_dir *d);
/* Creates a file in the directory. Returns NULL and the message on failure. */
FILE *run_dir_create(const struct run_dir *d, const char *name, struct fault *f);
/*
 * Closes a file; status is that of the writes so far. Returns 0, or -1 and a message
 * with `what` and errno.
 */
int run_dir_finish(FILE *out, int status, const char *what, struct fault *f);
/* Closes a file of the directory, as run_dir_finish() does, with its path in the message.
 */
int run_dir_end(
    const struct run_dir *d, FILE *out, int status, const char *name, struct fault *f);
/* Writes env.csv, the facts of the machine. Returns 0, or -1 and the message. */
int run_dir_env(
    const struct run_dir *d, const struct host *host, const char *env, struct fault *f);
void run_dir_close(struct run_dir *d);

#endif
