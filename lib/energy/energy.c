/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic of energy; see energy.h.
 */
#include <math.h>
#include <string.h>

#include "energy/energy.h"
#include "text/units.h"

#define JOULES_PER_KWH 3.6e6

/* Returns whether the name of a zone is the word, or the word and a number. */
static const struct {
	const char *word;
	bool adds;
} domains[ENERGY_DOMAINS] = {
	[ENERGY_PACKAGE] = { "package", true },
	[ENERGY_DRAM] = { "dram", true },
	[ENERGY_GPU] = { "gpu", true },
	[ENERGY_CORE] = { "core", false },
	[ENERGY_UNCORE] = { "uncore", false },
	[ENERGY_PSYS] = { "psys", false },
};

bool energy_domain_parse(struct text name, enum energy_domain *out)
{
	for (size_t d = 0; d < ENERGY_DOMAINS; d++) {
		size_t len = strlen(domains[d].word);

		if (name.len >= len && memcmp(name.ptr, domains[d].word, len) == 0 &&
		    (name.len == len || name.ptr[len] == '-')) {
			*out = (enum energy_domain)d;
			return true;
		}
	}
	return false;
}

bool energy_domain_adds(enum energy_domain d)
{
	return domains[d].adds;
}

uint64_t energy_advance(uint64_t before, uint64_t after, uint64_t range)
{
	return after >= before ? after - before : range - before + after;
}

double energy_safe_s(uint64_t range, double units_per_joule)
{
	return range ? (double)range / units_per_joule / ENERGY_POWER_MAX_W : INFINITY;
}

double energy_variance(double power_w, double update_s, double quantum_joules)
{
	double stale = power_w * update_s;

	return 2 * (stale * stale + quantum_joules * quantum_joules) / 12;
}

double energy_modelled(double tdp_w, double cpu_s, double cpus)
{
	return tdp_w * cpu_s / cpus;
}

int energy_model_parse(const char *spec, double *tdp_w, struct fault *f)
{
	struct text number;

	if (strncmp(spec, "tdp=", 4) == 0) {
		number = text_of(spec + 4);
		if (number.len && number.ptr[number.len - 1] == 'W')
			number.len--;
		if (number_parse(number, tdp_w) && *tdp_w > 0)
			return 0;
	}
	return fault_set(f,
	    "--energy-model: '%s' is not tdp=W (for example tdp=65W, the thermal design "
	    "power "
	    "of the processor)",
	    spec);
}

double energy_co2e(double joules, double g_per_kwh)
{
	return joules / JOULES_PER_KWH * g_per_kwh;
}
