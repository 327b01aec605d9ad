/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Energy and carbon of the runs of bench-run: the counters are read before and after each
 * run; runs too short for them are pooled with later ones of the same subject until the
 * counters resolve what one took. Every function takes NULL for a meter that was not asked
 * for, and then does nothing.
 */
#ifndef RUN_ENERGY_METER_H
#define RUN_ENERGY_METER_H

#include "run/run_sample.h"

struct energy_meter;

struct energy_meter_opts {
	bool energy;
	double idle_ns;     /* how long to look at the idle machine before; 0: not at all */
	const char *model;  /* "tdp=65W", or NULL */
	const char *carbon; /* g/kWh or the code of a country, or NULL */
};

/* *out is NULL when nothing is asked for. 0; or -1 and the message on a bad option. */
int energy_meter_open(struct energy_meter **out, const struct energy_meter_opts *config,
    size_t subjects, struct fault *f);
void energy_meter_close(struct energy_meter *m);
/* One line about what will be missing, and what to do; false when there is nothing. */
bool energy_meter_explain(const struct energy_meter *m, struct buf *out);
/* The same about what was lost, at the end. */
bool energy_meter_losses(const struct energy_meter *m, struct buf *out);

/* Measure the power of the idle machine; takes config.idle_ns. */
void energy_meter_idle(struct energy_meter *m);
/* Whether something is read around each run. */
bool energy_meter_reads(const struct energy_meter *m);
/* Just before a run and just after it. */
void energy_meter_start(struct energy_meter *m);
void energy_meter_stop(struct energy_meter *m, size_t subject);
/* Returns whether a metric is one of those that --energy, --energy-model and --carbon give.
 */
bool energy_meter_has_metric(const char *name);
/* Adds to a sample of the subject, whose last run had this result, the values that are due:
 * none while its runs are pooled. */
void energy_meter_add(struct energy_meter *m, size_t subject,
    const struct wire_result *result, struct run_sample *sample);
/* Likewise adds what is still pooled at the end; false when there is nothing. The sample's
 * number and time become those of the last run pooled. */
bool energy_meter_add_left(
    struct energy_meter *m, size_t subject, struct run_sample *sample);

#endif
