/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics of subjects that run as several workers: throughput, speed-up, efficiency and
 * the time of each worker. All functions accept NULL, which means that no workers were
 * requested.
 */
#ifndef RUN_WORKERS_H
#define RUN_WORKERS_H

#include "sample/run_sample.h"
#include "run/runner.h"

struct workers;

/*
 * Opens the metrics of these subjects, which must outlive the result. workers and threads
 * say whether the factors of these names are numbers of workers.
 */
struct workers *workers_open(const struct subjects *subjects, bool workers, bool threads);
void workers_close(struct workers *w);

/* Forgets the sequential samples, because a new block begins. */
void workers_forget(struct workers *w);
/*
 * Notes the throughput of a subject's sample in this block, NAN if the sample failed.
 * Only that of a single worker is kept.
 */
void workers_note(struct workers *w, size_t subject, double throughput);
/*
 * Returns the throughput relative to that of the block's sequential sample; NAN if
 * there is none.
 */
double workers_speedup(const struct workers *w, size_t subject, double throughput);
/* Returns the number of threads in all processes that run the subject concurrently. */
uint32_t workers_of(const struct subject *s);

/* Notes the samples of all commands in a block that is complete. */
void workers_round(struct workers *w, struct runner *r);
/* Adds the metrics of a command's workers to its sample of the block. */
void workers_add(
    const struct workers *w, const struct runner *r, size_t subject, struct run_sample *s);
/* Adds the rate at which workers became ready, and its speed-up and efficiency unless
 * speedup is NAN. A rate of NAN adds nothing. */
void workers_add_init(struct run_sample *s, double rate, double speedup);
/*
 * Adds speed-up and efficiency, unless speedup is NAN because the sample or the
 * sequential sample of its block failed.
 */
void workers_add_speedup(struct run_sample *s, double speedup);
/* Adds the time of one worker. */
void workers_add_wall(struct run_sample *s, uint32_t worker, double wall_ns);

#endif
