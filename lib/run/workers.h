/*
 * The metrics of what runs as several workers: throughput, speed-up, efficiency and what
 * each worker took. Only where workers were asked for; NULL is nobody who did.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include "run/sample_writer.h"
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

/* All of these for commands: note the samples of a round that is over, */
void workers_round(struct workers *w, struct runner *r);
/*
 * and add the values of a sample of the round to those it has. Speed-up and efficiency only
 * if it was fine and so was the sequential run of its subject, in the same round. They live
 * until the next call.
 */
void workers_values(struct workers *w, size_t subject, const struct wire_worker *worker,
    struct emit_sample *sample);

#endif
