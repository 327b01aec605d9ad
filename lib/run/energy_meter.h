/*
 * Energy and carbon of the runs of bench-run: the counters are read before and after each
 * run; runs too short for them are pooled with later ones of the same subject until the
 * counters resolve what one took. Every function takes NULL for a meter that was not asked
 * for, and then does nothing.
 */
#ifndef ENERGY_METER_H
#define ENERGY_METER_H

#include "run/run_sample.h"

struct meter;

struct meter_config {
	bool energy;
	double idle_ns;     /* how long to look at the idle machine before; 0: not at all */
	const char *model;  /* "tdp=65W", or NULL */
	const char *carbon; /* g/kWh or the code of a country, or NULL */
};

/* *out is NULL when nothing is asked for. 0; or -1 and the message on a bad option. */
int meter_open(struct meter **out, const struct meter_config *config, size_t subjects,
    struct fault *f);
void meter_close(struct meter *m);
/* One line about what will be missing, and what to do; false when there is nothing. */
bool meter_explain(const struct meter *m, struct buf *out);
/* The same about what was lost, at the end. */
bool meter_losses(const struct meter *m, struct buf *out);

/* Measure the power of the idle machine; takes config.idle_ns. */
void meter_idle(struct meter *m);
/* Whether something is read around each run. */
bool meter_reads(const struct meter *m);
/* Just before a run and just after it. */
void meter_start(struct meter *m);
void meter_stop(struct meter *m, size_t subject);
/* Returns whether a metric is one of those that --energy, --energy-model and --carbon give.
 */
bool meter_has_metric(const char *name);
/* Adds to a sample of the subject, whose last run had this result, the values that are due:
 * none while its runs are pooled. */
void meter_add(struct meter *m, size_t subject, const struct wire_result *result,
    struct run_sample *sample);
/* Likewise adds what is still pooled at the end; false when there is nothing. The sample's
 * number and time become those of the last run pooled. */
bool meter_add_left(struct meter *m, size_t subject, struct run_sample *sample);

#endif
