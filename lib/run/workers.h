/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The metrics of what runs as several workers: throughput, speed-up, efficiency and what
 * each worker took. Only where workers were asked for; NULL is nobody who did.
 */
#ifndef RUN_WORKERS_H
#define RUN_WORKERS_H

#include "run/run_sample.h"
#include "run/runner.h"

struct workers;

/* Factors named "workers" and "threads" are counts of them where that is so. */
struct workers *workers_open(const struct subjects *subjects, bool workers, bool threads);
void workers_close(struct workers *w);

/* Forget the sequential samples: another round is over. */
void workers_forget(struct workers *w);
/* The throughput of a subject's sample in this round, NAN where it was not fine; only that
 * of one worker alone is kept. */
void workers_note(struct workers *w, size_t subject, double throughput);
/* By how much a throughput is that of the round's sequential sample; NAN: there is none. */
double workers_speedup(const struct workers *w, size_t subject, double throughput);
/* Threads and processes that run a subject at once. */
uint32_t workers_of(const struct subject *s);

/* Notes the samples of all commands in a round that is over. */
void workers_round(struct workers *w, struct runner *r);
/* Adds what a command's workers came to in the round to its sample. */
void workers_add(
    const struct workers *w, const struct runner *r, size_t subject, struct run_sample *s);
/* Adds speed-up and efficiency, unless there is no speed-up (NAN): the sample failed, or
 * the sequential one of its round did. */
void workers_add_speedup(struct run_sample *s, double speedup);
/* Adds what one worker took. */
void workers_add_wall(struct run_sample *s, uint32_t worker, double wall_ns);

#endif
