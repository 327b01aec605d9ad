/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * results.json in the directory of a run: an object with the run's provenance, the facts
 * of its machine, its samples as written by bench-run --json, and their summary as
 * written by bench-stat --json. bench-csv(5) describes the members.
 *
 * The file is written during the run and gets its name when it is complete.
 */
#ifndef RESULTS_RUN_RESULTS_H
#define RESULTS_RUN_RESULTS_H

#include "io/render.h"
#include "record/record.h"
#include "results/run_dir.h"

struct run_results;
/*
 * Begins the file of a run that began at begun_ns. origin contains the cells COL_RUN,
 * COL_HOST, COL_ENV and COL_COMMIT of a row of the samples. Returns NULL and the
 * message if the file cannot be created.
 */
struct run_results *run_results_open(const struct run_dir *dir, const struct text *origin,
    int64_t begun_ns, const struct host *host, struct fault *f);
/* Returns the file; the caller writes the array of samples, then calls run_results_end. */
FILE *run_results_file(struct run_results *r);
/*
 * Completes the file and gives it its name. print writes the array of the summary and
 * returns 0, or -1 and errno. Returns 0, or -1 and the message.
 */
int run_results_end(
    struct run_results *r, int (*print)(void *ctx, FILE *out), void *ctx, struct fault *f);
/* Removes the file unless it is complete, and frees r. NULL is allowed. */
void run_results_close(struct run_results *r);

#endif
