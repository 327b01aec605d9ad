/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools of samples; see energy_pool.h.
 */
#include <math.h>
#include <string.h>

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
	p->suspended = before->suspensions[0] != after->suspensions[1];
	p->sure = !p->suspended && !before->failed && !after->failed &&
	          before->unsure == after->unsure;
	for (size_t i = 0; i < count_counters(sources); i++)
		p->joules[i] = (long double)(after->units[i] - before->units[i]) /
		               energy_sources_list(sources)->counter[i].units_per_joule;
}

void energy_pool_scale(
    const struct energy_sources *sources, struct energy_pool *p, double seconds)
{
	for (size_t i = 0; i < count_counters(sources); i++)
		p->joules[i] *= (long double)seconds / (long double)p->seconds;
	p->seconds = seconds;
}

/* The counters of a sum: those of some domains, and if pci is not NULL, only of that card.
 */
struct counted {
	bool domain[ENERGY_DOMAINS];
	const char *pci;
};

/* Computes the energy of some counters. The sum is exact if the decimal steps are. */
static bool mean_energy(const struct energy_sources *sources, const struct energy_pool *p,
    const struct counted *of, struct quantity *out)
{
	double runs = (double)p->runs, variance = 0;
	long double sum = 0;
	bool any = false;

	for (size_t i = 0; i < count_counters(sources); i++) {
		const struct energy_counter *c = &energy_sources_list(sources)->counter[i];

		if (!of->domain[c->domain] || (of->pci && strcmp(c->pci, of->pci) != 0))
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
	struct counted all = { .pci = NULL };

	for (enum energy_domain d = 0; d < ENERGY_DOMAINS; d++)
		all.domain[d] = energy_domain_adds(d);
	mean_energy(sources, p, &all, out);
}

bool energy_pool_domain(const struct energy_sources *sources, const struct energy_pool *p,
    enum energy_domain domain, struct quantity *out)
{
	struct counted one = { .pci = NULL };

	one.domain[domain] = true;
	return mean_energy(sources, p, &one, out);
}

bool energy_pool_card(const struct energy_sources *sources, const struct energy_pool *p,
    const char *pci, struct quantity *out)
{
	const struct counted card = { .domain[ENERGY_GPU] = true, .pci = pci };

	return *pci && mean_energy(sources, p, &card, out);
}

bool quantity_known(struct quantity q)
{
	return q.value > 2 * q.uncertainty;
}
