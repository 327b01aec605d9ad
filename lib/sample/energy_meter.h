/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures energy and carbon of executions. The energy counters are read before and
 * after each execution. Executions too short for the counters are pooled with later
 * ones of the same subject until the counters resolve their energy. Iterations of
 * functions, kernels and models are measured in batches of sufficient length. Under load,
 * the counters are read before and after each period. A meter that was not requested is
 * NULL; every function accepts NULL and then does nothing.
 */
#ifndef SAMPLE_ENERGY_METER_H
#define SAMPLE_ENERGY_METER_H

#include "sample/run_sample.h"

struct energy_meter;

struct energy_meter_opts {
	bool energy;
	double idle_ns;     /* duration of the measurement of idle power; 0: none */
	const char *model;  /* "tdp=65W", or NULL */
	const char *carbon; /* g/kWh or the code of a country, or NULL */
};

/*
 * Opens a meter; *out is NULL if nothing was requested. Returns 0, or -1 and the
 * message if an option is invalid.
 */
int energy_meter_open(struct energy_meter **out, const struct energy_meter_opts *config,
    size_t subjects, struct fault *f);
void energy_meter_close(struct energy_meter *m);
/*
 * Appends one line about what will be missing and what to do. Returns false if there is
 * nothing to report.
 */
bool energy_meter_explain(const struct energy_meter *m, struct buf *out);
/*
 * Appends one line about values that were lost, at the end of the run. Returns false if
 * there is nothing to report.
 */
bool energy_meter_losses(const struct energy_meter *m, struct buf *out);

/* Measures the power of the idle machine for config->idle_ns. */
void energy_meter_idle(struct energy_meter *m);
/* Returns whether counters are read before and after each execution. */
bool energy_meter_reads(const struct energy_meter *m);
/* Reads the counters immediately before an execution. */
void energy_meter_start(struct energy_meter *m);
/* Reads the counters immediately after an execution of the subject. */
void energy_meter_stop(struct energy_meter *m, size_t subject);
/* Reads the counters at the end of a window, whose energy is scaled to its nominal length.
 */
void energy_meter_stop_window(struct energy_meter *m, size_t subject, double window_ns);
/*
 * Reads the counters at the end of a period of a load of the subject: at this time of
 * CLOCK_MONOTONIC, or now if it has passed or a signal arrives.
 */
void energy_meter_stop_at(struct energy_meter *m, size_t subject, int64_t end_ns);
/* Returns whether a metric belongs to --energy, --energy-model or --carbon. */
bool energy_meter_has_metric(const char *name);
/*
 * Adds the values that are due to a sample of the subject; result is that of its last
 * execution. Adds none while executions are being pooled.
 */
void energy_meter_add(struct energy_meter *m, size_t subject,
    const struct wire_result *result, struct run_sample *sample);
/*
 * Returns the least duration of a batch of iterations whose energy the counters resolve; 0
 * if there are no counters.
 */
double energy_meter_batch_ns(const struct energy_meter *m);
/* A batch of iterations of all workers, and what each iteration of a model processes. */
struct energy_batch {
	uint64_t iterations;
	double inputs, tokens;         /* 0: none */
	const struct subject *subject; /* a kernel or model; NULL for others */
};

/*
 * Adds the energy of one iteration of the batch between the last two readings, that of one
 * input and one token, and what the GPUs of the subject used.
 */
void energy_meter_add_batch(struct energy_meter *m, size_t subject,
    const struct energy_batch *batch, struct run_sample *sample);
/*
 * Adds the energy between the last two readings, which are around a period of a load, its
 * mean power, and what each of the requests of the batch used of this energy. Without
 * requests, adds only the values of the period.
 */
void energy_meter_add_period(struct energy_meter *m, size_t subject,
    const struct energy_batch *requests, struct run_sample *sample);
/* Adds the energy of an execution according to the model, if there is one. */
void energy_meter_add_modelled(const struct energy_meter *m,
    const struct wire_result *result, struct run_sample *sample);
/* Adds, if counters were requested and there are none, a row without a value. */
void energy_meter_add_absent(const struct energy_meter *m, struct run_sample *sample);
/*
 * Adds the values of an incomplete pool at the end of the run, and sets the number and
 * time of the sample to those of the last pooled execution. Returns false if there is
 * no such pool.
 */
bool energy_meter_add_left(
    struct energy_meter *m, size_t subject, struct run_sample *sample);

#endif
