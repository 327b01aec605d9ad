/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools of samples; see energy_pool.h.
 */
#include <math.h>

#include "energy/energy_pool.h"

static size_t count_counters(const struct energy_sources *sources)
{
	return energy_sources_list(sources)->count;
}

void energy_pool_clear(const struct energy_sources *sources, struct energy_pool *p)
{
	long double *joules = p->joules;

	if (!joules)
		joules = mem_zero(count_counters(sources), sizeof(*joules));
	for (size_t i = 0; i < count_counters(sources); i++)
		joules[i] = 0;
	*p = (struct energy_pool){ .joules = joules, .sure = true };
}

void energy_pool_add(const struct energy_sources *sources, struct energy_pool *p,
    const struct energy_pool *more)
{
	p->runs += more->runs;
	p->seconds += more->seconds;
	for (size_t i = 0; i < count_counters(sources); i++)
		p->joules[i] += more->joules[i];
}

void energy_pool_between(const struct energy_sources *sources,
    const struct energy_reading *before, const struct energy_reading *after,
    struct energy_pool *p)
{
	energy_pool_clear(sources, p);
	p->runs = 1;
	p->seconds = after->s - before->s;
	p->sure = !before->failed && !after->failed && before->unsure == after->unsure;
	for (size_t i = 0; i < count_counters(sources); i++)
		p->joules[i] = (long double)(after->units[i] - before->units[i]) /
		               energy_sources_list(sources)->counter[i].units_per_joule;
}

/* Computes the energy of the marked domains. The sum is exact if the decimal steps are. */
static bool mean_energy(const struct energy_sources *sources, const struct energy_pool *p,
    const bool *domains, struct quantity *out)
{
	double runs = (double)p->runs, variance = 0;
	long double sum = 0;
	bool any = false;

	for (size_t i = 0; i < count_counters(sources); i++) {
		const struct energy_counter *c = &energy_sources_list(sources)->counter[i];

		if (!domains[c->domain])
			continue;
		any = true;
		sum += p->joules[i];
		variance += energy_variance(
		    (double)p->joules[i] / p->seconds, c->update_s, c->quantum_joules);
	}
	out->value = (double)(sum / (long double)p->runs);
	out->uncertainty = sqrt(variance / runs);
	return any;
}

void energy_pool_total(
    const struct energy_sources *sources, const struct energy_pool *p, struct quantity *out)
{
	bool domains[ENERGY_DOMAINS];

	for (enum energy_domain d = 0; d < ENERGY_DOMAINS; d++)
		domains[d] = energy_domain_adds(d);
	mean_energy(sources, p, domains, out);
}

bool energy_pool_domain(const struct energy_sources *sources, const struct energy_pool *p,
    enum energy_domain domain, struct quantity *out)
{
	bool domains[ENERGY_DOMAINS] = { false };

	domains[domain] = true;
	return mean_energy(sources, p, domains, out);
}

bool quantity_known(struct quantity q)
{
	return q.value > 2 * q.uncertainty;
}
