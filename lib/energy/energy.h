/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arithmetic of energy: counters that wrap, sums over domains of which some lie within
 * others, what a short reading is worth, a model where there is no counter, and greenhouse
 * gas. Pure.
 */
#ifndef ENERGY_ENERGY_H
#define ENERGY_ENERGY_H

#include "base/base.h"

/*
 * What a counter covers. Core and uncore lie within the package, and psys (the platform)
 * holds the packages and more: only package, dram and gpu lie side by side and may be
 * added.
 */
enum energy_domain {
	ENERGY_PACKAGE,
	ENERGY_DRAM,
	ENERGY_GPU, /* a card of its own; the one in a package is uncore */
	ENERGY_CORE,
	ENERGY_UNCORE,
	ENERGY_PSYS,
	ENERGY_DOMAINS
};

/* "package-0", "package-1-die-0", "dram", "core" ...: as powercap names a zone. */
bool energy_domain_parse(struct text name, enum energy_domain *out);
/* Returns whether it may be added to others of this sort without counting anything twice.
 */
bool energy_domain_adds(enum energy_domain d);

/*
 * Returns how far a counter came. One that wraps goes from range back to 0; range 0: it
 * never does. (RAPL's register takes one more step to get to 0, which a reading does not
 * resolve.) It must not have wrapped twice, which energy_safe_s is for.
 */
uint64_t energy_advance(uint64_t before, uint64_t after, uint64_t range);
/* No domain draws more than this. */
#define ENERGY_POWER_MAX_W 1000.0
/* Readings at most so many seconds apart see each wrap; INFINITY when there is none. */
double energy_safe_s(uint64_t range, double units_per_joule);

/*
 * The variance, in J², of the energy between two readings of one counter that is renewed
 * every update_s seconds in steps of quantum_joules, at a mean power. A reading is older
 * than it looks by a time that is uniform in 0..update_s, and lower than the truth by an
 * energy that is uniform in 0..quantum; each end adds a variance of width²/12 (JCGM
 * 100:2008, 4.3.7).
 */
double energy_variance(double power_w, double update_s, double quantum_joules);

/*
 * Returns the energy, in J, by a model for machines without a counter: the thermal design
 * power, in W, of all processors together, times the processor time used, over the number
 * of processors.
 */
double energy_modelled(double tdp_w, double cpu_s, double cpus);
/* "tdp=65W" or "tdp=65". */
int energy_model_parse(const char *spec, double *tdp_w, struct fault *f);

/* Grams of carbon dioxide equivalent: 1 kWh is 3.6e6 J. */
double energy_co2e(double joules, double g_per_kwh);

#endif
