/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The energy of runs from readings of the counters: of one run, or of several pooled when
 * each is too short.
 */
#ifndef ENERGY_ENERGY_POOL_H
#define ENERGY_ENERGY_POOL_H

#include "energy/energy_source.h"

struct energy_pool {
	uint64_t runs;
	double seconds;           /* between the readings */
	long double *joules;      /* by counter, all runs together; free() it */
	bool sure;                /* no wrap was missed, and every counter was read */
	int64_t sample, begin_ns; /* the caller's */
};

/* An energy, in J, or a power, in W, and its standard uncertainty. */
struct quantity {
	double value, uncertainty;
};

/* Empties a pool. Zero it before the first time. */
void energy_pool_clear(const struct energy_sources *sources, struct energy_pool *p);
void energy_pool_add(const struct energy_sources *sources, struct energy_pool *p,
    const struct energy_pool *more);
/* Fills a pool with one run, which lies between two readings. */
void energy_pool_between(const struct energy_sources *sources,
    const struct energy_reading *before, const struct energy_reading *after,
    struct energy_pool *p);
/*
 * Computes the mean energy of a run, over the counters that may be added. The errors of
 * different runs and counters are taken as independent: see energy_variance.
 */
void energy_pool_total(const struct energy_sources *sources, const struct energy_pool *p,
    struct quantity *out);
/* Computes the mean energy of a run over all counters of one domain. Returns false when
 * there is none. */
bool energy_pool_domain(const struct energy_sources *sources, const struct energy_pool *p,
    enum energy_domain domain, struct quantity *out);
/* Returns whether it is more than twice its uncertainty; what is not has no value. */
bool quantity_known(struct quantity q);

#endif
