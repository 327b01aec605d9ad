/*
 * Pools of runs; see energy_pool.h.
 */
#include <math.h>

#include "energy/energy_pool.h"

static size_t counters(const struct power *power)
{
	return power_list(power)->count;
}

void pool_clear(const struct power *power, struct pool *p)
{
	long double *joules = p->joules;

	if (!joules)
		joules = mem_zero(counters(power), sizeof(*joules));
	for (size_t i = 0; i < counters(power); i++)
		joules[i] = 0;
	*p = (struct pool){ .joules = joules, .sure = true };
}

void pool_add(const struct power *power, struct pool *p, const struct pool *more)
{
	p->runs += more->runs;
	p->seconds += more->seconds;
	for (size_t i = 0; i < counters(power); i++)
		p->joules[i] += more->joules[i];
}

void pool_between(const struct power *power, const struct power_reading *before,
    const struct power_reading *after, struct pool *p)
{
	pool_clear(power, p);
	p->runs = 1;
	p->seconds = after->s - before->s;
	p->sure = !before->failed && !after->failed && before->unsure == after->unsure;
	for (size_t i = 0; i < counters(power); i++)
		p->joules[i] = (long double)(after->units[i] - before->units[i]) /
		               power_list(power)->counter[i].units_per_joule;
}

/* Over the domains marked. The sum is exact where the counters' decimal steps are. */
static bool mean(const struct power *power, const struct pool *p, const bool *domains,
    struct quantity *out)
{
	double runs = (double)p->runs, variance = 0;
	long double sum = 0;
	bool any = false;

	for (size_t i = 0; i < counters(power); i++) {
		const struct power_counter *c = &power_list(power)->counter[i];

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

void pool_total(const struct power *power, const struct pool *p, struct quantity *out)
{
	bool domains[ENERGY_DOMAINS];

	for (enum energy_domain d = 0; d < ENERGY_DOMAINS; d++)
		domains[d] = energy_domain_adds(d);
	mean(power, p, domains, out);
}

bool pool_domain(const struct power *power, const struct pool *p, enum energy_domain domain,
    struct quantity *out)
{
	bool domains[ENERGY_DOMAINS] = { false };

	domains[domain] = true;
	return mean(power, p, domains, out);
}

bool quantity_known(struct quantity q)
{
	return q.value > 2 * q.uncertainty;
}
