/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Energy of samples, computed from readings of the counters: of one sample, or of several
 * pooled samples if each is too short.
 */
#ifndef ENERGY_ENERGY_POOL_H
#define ENERGY_ENERGY_POOL_H

#include "energy/energy_source.h"

struct energy_pool {
	uint64_t runs;
	double seconds;      /* between the readings */
	long double *joules; /* by counter, sum of all samples; free() it */
	bool sure;      /* no wrap may have been missed, every counter was read, and ... */
	bool suspended; /* ... this process was not suspended between the readings */
	int64_t sample, begin_ns; /* for the caller */
};

/* An energy, in J, or a power, in W, and its standard uncertainty. */
struct quantity {
	double value, uncertainty;
};

/* Empties a pool. Initialize the pool with zeros before the first call. */
void energy_pool_clear(const struct energy_sources *sources, struct energy_pool *p);
/* Adds the samples of another pool. */
void energy_pool_add(const struct energy_sources *sources, struct energy_pool *p,
    const struct energy_pool *more);
/* Fills a pool with one sample, which was taken between two readings. */
void energy_pool_between(const struct energy_sources *sources,
    const struct energy_reading *before, const struct energy_reading *after,
    struct energy_pool *p);
/* Scales the energy of a sample to this duration. */
void energy_pool_scale(
    const struct energy_sources *sources, struct energy_pool *p, double seconds);
/*
 * Computes the mean energy of a sample over the counters that may be added. The errors of
 * different samples and counters are assumed to be independent: see energy_variance.
 */
void energy_pool_total(const struct energy_sources *sources, const struct energy_pool *p,
    struct quantity *out);
/*
 * Computes the mean energy of a sample over all counters of one domain. Returns false if
 * there is no such counter.
 */
bool energy_pool_domain(const struct energy_sources *sources, const struct energy_pool *p,
    enum energy_domain domain, struct quantity *out);
/*
 * Computes the mean energy of a sample of the GPU at a PCI address. Returns false
 * if there is no counter of this card.
 */
bool energy_pool_card(const struct energy_sources *sources, const struct energy_pool *p,
    const char *pci, struct quantity *out);
/* Returns whether a quantity exceeds twice its uncertainty; otherwise it has no value. */
bool quantity_known(struct quantity q);

#endif
