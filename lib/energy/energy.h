/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic of energy: counters that wrap, domains that contain others, the uncertainty of
 * short readings, a model for machines without counters, and greenhouse gas. Pure.
 */
#ifndef ENERGY_ENERGY_H
#define ENERGY_ENERGY_H

#include "base/base.h"

/*
 * The domain that a counter covers. Core and uncore are parts of the package, and psys (the
 * platform) contains the packages and more. Only package, dram and gpu are disjoint and may
 * be added.
 */
enum energy_domain {
	ENERGY_PACKAGE,
	ENERGY_DRAM,
	ENERGY_GPU, /* a separate GPU; a GPU inside a package is uncore */
	ENERGY_CORE,
	ENERGY_UNCORE,
	ENERGY_PSYS,
	ENERGY_DOMAINS
};

/* Parses the name of a powercap zone: "package-0", "package-1-die-0", "dram", "core" ...
 * Returns false for the name of another zone. */
bool energy_domain_parse(struct text name, enum energy_domain *out);
/* Returns whether energies of the domain may be added without counting energy twice. */
bool energy_domain_adds(enum energy_domain d);

/*
 * Returns the difference of two readings of a counter that wraps from range to 0; range 0:
 * it never wraps. (The register of RAPL takes one more step to reach 0, which a reading
 * does not resolve.) The counter must not have wrapped twice: see energy_safe_s.
 */
uint64_t energy_advance(uint64_t before, uint64_t after, uint64_t range);
/* Maximum power of a domain. */
#define ENERGY_POWER_MAX_W 1000.0
/*
 * Returns the longest time between two readings in which no wrap is missed, in seconds;
 * INFINITY if the counter never wraps.
 */
double energy_safe_s(uint64_t range, double units_per_joule);

/*
 * Returns the variance, in J², of the energy between two readings of a counter that is
 * updated every update_s seconds in steps of quantum_joules, at a mean power. Each reading
 * is delayed by a time that is uniform in 0..update_s, and too low by an energy that is
 * uniform in 0..quantum_joules. Each error at each end adds a variance of width²/12 (JCGM
 * 100:2008, 4.3.7).
 */
double energy_variance(double power_w, double update_s, double quantum_joules);

/*
 * Returns the energy, in J, by a model for machines without a counter: the thermal design
 * power, in W, of all processors together, times the processor time used, over the number
 * of processors.
 */
double energy_modelled(double tdp_w, double cpu_s, double cpus);
/* Parses "tdp=65W" or "tdp=65". Returns 0 or -1. */
int energy_model_parse(const char *spec, double *tdp_w, struct fault *f);

/* Returns grams of carbon dioxide equivalent: 1 kWh is 3.6e6 J. */
double energy_co2e(double joules, double g_per_kwh);

#endif
