/*
 * One function, or list on a device, under measurement: its process of the moment, what is
 * known of it, and its samples as rows. When each of them runs is for measure_calls.h to
 * say.
 */
#ifndef CALLER_H
#define CALLER_H

#include "run/helper_client.h"
#include "run/sample_writer.h"
#include "run/device_peaks.h"
#include "run/plan.h"

struct caller;

/* The plan, its subject and the peaks must outlive it. NULL and the message when its
 * metadata cannot be made sense of with these parameters. */
struct caller *caller_open(const struct plan *plan, const struct subject *subject,
    struct peaks *peaks, struct fault *f);
void caller_close(struct caller *c);

/*
 * Start its next process: load, set-up, the first iteration, and the first time also how
 * many iterations a sample is to have. jitter: bytes of padding in its environment. -1 and
 * the message when no process could be started.
 */
int caller_start(struct caller *c, uint32_t jitter, struct fault *f);
/* Whether another process is of use: not after a timeout, or when it cannot be measured. */
bool caller_may_start(const struct caller *c);

/* Whether it has not come to rest yet, and a sample to warm up is due. */
bool caller_is_cold(const struct caller *c);
void caller_warm_up(struct caller *c);
/* Write the warm-ups that were to be kept. */
void caller_write_warmups(struct caller *c, struct emit *emit);

/* Whether its process of the moment is to give another sample. */
bool caller_wants(struct caller *c);
void caller_sample(struct caller *c);
/* Iterations of all workers per second in the sample that waits to be written; NAN: there
 * is none. */
double caller_throughput(const struct caller *c);
/* Write it, if there is one; the speed-up is NAN when there is nothing to compare with. */
void caller_write(struct caller *c, struct emit *emit, double speedup);

/* End its process, and write what there is once a process: phases, memory, success. False
 * when there was none, or an interrupt came. */
bool caller_end(struct caller *c, struct emit *emit);
/* How its last process ended: "ok", "failed:exit=1", and why, if it said so, or NULL. */
const char *caller_status(const struct caller *c);
const char *caller_why(const struct caller *c);

/* How many processes it is to have, one after the other. */
uint64_t caller_processes(const struct caller *c);
struct run_progress *caller_progress(struct caller *c);
/* Of each of its samples; 0 before they were counted out. */
uint64_t caller_iterations(const struct caller *c);
struct stop_rule caller_rule(const struct caller *c);

#endif
