/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurement of one function, kernel or model: its current process, its state, and its
 * samples as rows. measure_calls.h decides when each process and sample is taken.
 */
#ifndef RUN_FUNCTION_RUN_H
#define RUN_FUNCTION_RUN_H

#include "helper/helper_client.h"
#include "results/sample_writer.h"
#include "run/device_peaks.h"
#include "run/plan.h"

struct function_run;

/*
 * Opens the measurement of a subject. The plan, the subject and the peaks must outlive
 * it. Returns NULL and the message if the metadata cannot be evaluated with the
 * subject's parameters.
 */
struct function_run *function_run_open(const struct plan *plan,
    const struct subject *subject, struct device_peaks *peaks, struct fault *f);
void function_run_close(struct function_run *c);

/*
 * Starts the subject's next process: load, set-up and the first iteration. The first
 * process also calibrates the number of iterations of a sample. jitter is the size in
 * bytes of padding in the environment. Returns 0, or -1 and the message if no process
 * could be started.
 */
int function_run_start(struct function_run *c, uint32_t jitter, struct fault *f);
/*
 * Returns whether another process may be started: not after a timeout, nor for a
 * subject that cannot be measured.
 */
bool function_run_may_start(const struct function_run *c);

/* Returns whether the current process is still warming up. */
bool function_run_is_cold(const struct function_run *c);
/* Takes one warm-up sample. */
void function_run_warm_up(struct function_run *c);
/* Writes the warm-up samples that the plan keeps. */
void function_run_write_warmups(struct function_run *c, struct sample_writer *writer);

/* Returns whether the current process is to take another sample. */
bool function_run_wants(struct function_run *c);
/* Takes one sample, which function_run_write writes. */
void function_run_sample(struct function_run *c);
/*
 * Returns the iterations of all workers per second in the sample that has not been
 * written yet; NAN if there is none.
 */
double function_run_throughput(const struct function_run *c);
/*
 * Writes the sample that has not been written yet, if there is one. speedup is NAN if
 * there is no sequential sample to compare with.
 */
void function_run_write(
    struct function_run *c, struct sample_writer *writer, double speedup);

/*
 * Records the time series of the subject's processes, if the plan wants it, during a batch
 * of iterations that is no sample. Returns 0, or -1 and the message if they cannot be
 * observed.
 */
int function_run_observe(
    struct function_run *c, struct sample_writer *writer, struct fault *f);

/*
 * Measures the energy of an iteration, if the plan wants it: in a batch of iterations that
 * is long enough for the counters.
 */
void function_run_measure_energy(struct function_run *c, struct sample_writer *writer);

/*
 * Returns the workers of the current process that became ready per second, from the start
 * of loading in all of them until the last one was ready; NAN if they did not, or if no
 * number of workers was requested.
 */
double function_run_init_rate(const struct function_run *c);
/*
 * Ends the current process, and writes the rows that exist once per process: phases,
 * memory, success. init_speedup is that of function_run_init_rate; NAN if there is no
 * sequential process to compare with. Returns false if there was no process, or after an
 * interrupt.
 */
bool function_run_end(
    struct function_run *c, struct sample_writer *writer, double init_speedup);
/*
 * Returns the primary metric of the last process, from the median of its samples: the
 * throughput of a model, and the wall time of an iteration of all others. NAN if there is
 * no sample.
 */
double function_run_primary(const struct function_run *c);
/* Returns the largest share of a peak above 1 that was not written; 0 if there is none. */
double function_run_above_peak(const struct function_run *c);
/* Returns how the last process ended. */
struct run_status function_run_status(const struct function_run *c);
/* Returns the reason that the last process gave for its end, or NULL. */
const char *function_run_why(const struct function_run *c);

/*
 * Appends a line for each limit that lowered the clock of the subject's GPU, and if the
 * clock was not constant.
 */
void function_run_explain_gpu(const struct function_run *c, struct buf *lines);
/* Appends a line for each problem of the load. */
void function_run_explain_load(const struct function_run *c, struct buf *lines);
/* Returns the number of processes that the subject is measured in. */
uint64_t function_run_processes(const struct function_run *c);
/* Returns the progress of the subject, which belongs to c. */
struct run_progress *function_run_progress(struct function_run *c);
/* Returns the iterations of each sample; 0 before calibration. */
uint64_t function_run_iterations(const struct function_run *c);
/*
 * Returns the subject's stopping rule: that of the plan, with the subject's own number
 * of samples if it has one.
 */
struct stop_rule function_run_rule(const struct function_run *c);

#endif
