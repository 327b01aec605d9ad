/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One function, or list on a device, under measurement: its process of the moment, what is
 * known of it, and its samples as rows. When each of them runs is for measure_calls.h to
 * say.
 */
#ifndef RUN_FUNCTION_RUN_H
#define RUN_FUNCTION_RUN_H

#include "run/device_peaks.h"
#include "run/helper_client.h"
#include "run/plan.h"
#include "run/sample_writer.h"

struct function_run;

/* The plan, its subject and the peaks must outlive it. NULL and the message when its
 * metadata cannot be made sense of with these parameters. */
struct function_run *function_run_open(const struct plan *plan,
    const struct subject *subject, struct device_peaks *peaks, struct fault *f);
void function_run_close(struct function_run *c);

/*
 * Start its next process: load, set-up, the first iteration, and the first time also how
 * many iterations a sample is to have. jitter: bytes of padding in its environment. -1 and
 * the message when no process could be started.
 */
int function_run_start(struct function_run *c, uint32_t jitter, struct fault *f);
/* Whether another process is of use: not after a timeout, or when it cannot be measured. */
bool function_run_may_start(const struct function_run *c);

/* Whether it has not come to rest yet, and a sample to warm up is due. */
bool function_run_is_cold(const struct function_run *c);
void function_run_warm_up(struct function_run *c);
/* Write the warm-ups that were to be kept. */
void function_run_write_warmups(struct function_run *c, struct sample_writer *emit);

/* Whether its process of the moment is to give another sample. */
bool function_run_wants(struct function_run *c);
void function_run_sample(struct function_run *c);
/* Iterations of all workers per second in the sample that waits to be written; NAN: there
 * is none. */
double function_run_throughput(const struct function_run *c);
/* Write it, if there is one; the speed-up is NAN when there is nothing to compare with. */
void function_run_write(struct function_run *c, struct sample_writer *emit, double speedup);

/* End its process, and write what there is once a process: phases, memory, success. False
 * when there was none, or an interrupt came. */
bool function_run_end(struct function_run *c, struct sample_writer *emit);
/* How its last process ended, and why, if it said so, or NULL. */
struct run_status function_run_status(const struct function_run *c);
const char *function_run_why(const struct function_run *c);

/* How many processes it is to have, one after the other. */
uint64_t function_run_processes(const struct function_run *c);
struct run_progress *function_run_progress(struct function_run *c);
/* Of each of its samples; 0 before they were counted out. */
uint64_t function_run_iterations(const struct function_run *c);
struct stop_rule function_run_rule(const struct function_run *c);

#endif
