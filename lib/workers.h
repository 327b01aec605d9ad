/*
 * The metrics of commands that run as several workers: throughput, speed-up, efficiency and
 * what each worker took. Only where workers were asked for; NULL is nobody who did.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include "emit.h"
#include "runner.h"

struct workers;

struct workers *workers_open(const struct subjects *subjects);
void workers_close(struct workers *w);
/* A round is over: find its sequential runs, before its samples are taken. */
void workers_round(struct workers *w, struct runner *r);
/*
 * Add the values of a sample of the round to those it has. Speed-up and efficiency only if
 * it was fine and so was the sequential run of its subject, in the same round. They live
 * until the next call.
 */
void workers_values(struct workers *w, size_t subject, const struct wire_worker *worker,
    struct emit_sample *sample);

#endif
