/*
 * Energy and carbon of runs; see energy_meter.h. What the counters say of one run is a pool of
 * one; pools are added until the uncertainty is a small part of the energy.
 */
#include <math.h>
#include <stdlib.h>

#include "energy/carbon.h"
#include "run/energy_meter.h"
#include "text/number_set.h"
#include "energy/idle_power.h"
#include "base/paths.h"
#include "sys/kernel_files.h"

enum { VALUES_MAX = 8 + ENERGY_DOMAINS };

/* A pool is written when it is known so well. */
static const double resolved = 0.05;

struct meter {
	struct tree tree;
	struct power *power; /* NULL: not asked for */
	bool ready;          /* it has counters */
	double idle_ns, tdp_w, cpus, g_per_kwh;
	bool model, carbon;

	struct power_reading before, after;
	struct pool *last, *pool; /* by subject: the last run, and the runs pooled */
	uint64_t *size;           /* by subject: pools end at its multiples */
	size_t subjects;
	bool idle_known;
	struct quantity idle_w;

	struct emit_value value[VALUES_MAX];
	size_t values;
	struct wire_result left; /* of the sample that meter_left gives */
	uint64_t short_of, unsure;
};

static void meter_add(struct meter *m, const char *metric, const char *unit, double value,
    const char *status, uint64_t iterations)
{
	if (isnan(value) && strcmp(status, "ok") == 0)
		status = "skipped";
	m->value[m->values++] = (struct emit_value){ .metric = metric,
		.unit = unit,
		.value = value,
		.status = status,
		.iterations = iterations };
}

static void put_net(
    struct meter *m, const struct pool *p, struct quantity energy, const char *status)
{
	double seconds = p->seconds / (double)p->runs;

	if (m->idle_ns <= 0)
		return;
	if (!m->idle_known || isnan(energy.value)) {
		meter_add(m, "energy_net", "J", NAN, status, p->runs);
		return;
	}
	meter_add(m, "energy_net", "J", energy.value - m->idle_w.value * seconds, status,
	    p->runs);
	meter_add(m, "energy_net_uncertainty", "J",
	    hypot(energy.uncertainty, m->idle_w.uncertainty * seconds), status, p->runs);
}

static void put_carbon(struct meter *m, const char *metric, double joules,
    const char *status, uint64_t iterations)
{
	if (m->carbon)
		meter_add(
		    m, metric, "g", energy_co2e(joules, m->g_per_kwh), status, iterations);
}

static void put_pool(struct meter *m, const struct pool *p, const char *status)
{
	struct quantity energy = { NAN, NAN }, part;

	if (p->sure)
		pool_total(m->power, p, &energy);
	m->unsure += !p->sure;
	m->short_of += p->sure && !quantity_known(energy);
	if (!quantity_known(energy))
		energy.value = NAN;
	meter_add(m, "energy", "J", energy.value, status, p->runs);
	if (!isnan(energy.uncertainty))
		meter_add(
		    m, "energy_uncertainty", "J", energy.uncertainty, status, p->runs);
	put_net(m, p, energy, status);
	for (enum energy_domain d = 0; p->sure && d < ENERGY_DOMAINS; d++)
		if (pool_domain(m->power, p, d, &part))
			meter_add(m, energy_domain_metric(d), "J",
			    quantity_known(part) ? part.value : NAN, status, p->runs);
	put_carbon(m, "co2e", energy.value, status, p->runs);
}

static bool is_due(const struct meter *m, const struct pool *p)
{
	struct quantity energy;

	pool_total(m->power, p, &energy);
	return energy.uncertainty <= resolved * energy.value;
}

/*
 * Pools end at multiples of a power of two, which grows until they are due there: so those
 * of subjects that take about as long end in the same rounds, and can be paired.
 */
static void put_run(struct meter *m, size_t subject, const struct emit_sample *s)
{
	const struct pool *last = &m->last[subject];
	struct pool *pool = &m->pool[subject];
	uint64_t runs = (uint64_t)s->sample + 1, *size = &m->size[subject];

	if (!last->sure || s->sample < 0 || strcmp(s->status, "ok") != 0) {
		put_pool(m, last, s->status);
		return;
	}
	pool_add(m->power, pool, last);
	pool->sample = s->sample;
	pool->begin_ns = s->result->begin_ns;
	if (runs % *size)
		return;
	if (!is_due(m, pool)) {
		*size *= 2;
		return;
	}
	put_pool(m, pool, s->status);
	pool_clear(m->power, pool);
}

static void put_model(struct meter *m, const struct emit_sample *s)
{
	double cpu_s = (double)(s->result->user_ns + s->result->sys_ns) / 1e9;
	double joules = cpu_s > 0 ? energy_modelled(m->tdp_w, cpu_s, m->cpus) : NAN;

	meter_add(m, "energy_modelled", "J", joules, s->status, 1);
	put_carbon(m, "co2e_modelled", joules, s->status, 1);
}

/* One row a subject says that there is no counter. */
static void put_absent(struct meter *m)
{
	const char *status = power_state_name(power_state(m->power));

	meter_add(m, "energy", "J", NAN, status, 1);
	put_carbon(m, "co2e", NAN, status, 1);
}

void meter_values(struct meter *m, size_t subject, struct emit_sample *sample)
{
	if (!m)
		return;
	m->values = 0;
	if (m->ready)
		put_run(m, subject, sample);
	else if (m->power && sample->sample == 0)
		put_absent(m);
	if (m->model)
		put_model(m, sample);
	sample->value = m->value;
	sample->values = m->values;
}

bool meter_left(struct meter *m, size_t subject, struct emit_sample *sample)
{
	if (!m || !m->ready || !m->pool[subject].runs)
		return false;
	m->values = 0;
	put_pool(m, &m->pool[subject], "ok");
	m->left.begin_ns = m->pool[subject].begin_ns;
	sample->sample = m->pool[subject].sample;
	sample->status = "ok";
	sample->result = &m->left;
	sample->value = m->value;
	sample->values = m->values;
	return true;
}

bool meter_reads(const struct meter *m)
{
	return m && m->ready;
}

void meter_start(struct meter *m)
{
	if (m && m->ready)
		power_read(m->power, &m->before);
}

void meter_stop(struct meter *m, size_t subject)
{
	if (!m || !m->ready)
		return;
	power_read(m->power, &m->after);
	pool_between(m->power, &m->before, &m->after, &m->last[subject]);
}

void meter_idle(struct meter *m)
{
	if (m && m->ready && m->idle_ns > 0)
		m->idle_known = power_idle(m->power, m->idle_ns, &m->idle_w);
}

static int read_carbon(struct meter *m, const char *spec, struct fault *f)
{
	struct buf csv = { 0 };
	char *path = share_path("energy/carbon.csv");
	int status = share_read("energy/carbon.csv", &csv, f);

	if (status == 0)
		status = carbon_parse(
		    spec, (struct text){ csv.ptr, csv.len }, path, &m->g_per_kwh, f);
	m->carbon = true;
	buf_free(&csv);
	free(path);
	return status;
}

static int read_model(struct meter *m, const char *spec, struct fault *f)
{
	struct buf online = { 0 };
	size_t cpus = 0;

	if (energy_model_parse(spec, &m->tdp_w, f) < 0)
		return -1;
	if (tree_line(&m->tree, "sys/devices/system/cpu/online", &online))
		cpus = cpu_list_parse((struct text){ online.ptr, online.len }, NULL);
	buf_free(&online);
	m->cpus = (double)cpus;
	m->model = true;
	return cpus ? 0
	            : fault_set(f, "the model needs the number of processors, which "
	                           "/sys/devices/system/cpu/online does not tell");
}

static void open_counters(struct meter *m, size_t subjects)
{
	m->power = power_open(&m->tree);
	m->ready = power_state(m->power) == POWER_READY;
	if (!m->ready)
		return;
	m->subjects = subjects;
	m->last = mem_zero(subjects, sizeof(*m->last));
	m->pool = mem_zero(subjects, sizeof(*m->pool));
	m->size = mem_zero(subjects, sizeof(*m->size));
	for (size_t i = 0; i < subjects; i++) {
		pool_clear(m->power, &m->last[i]);
		pool_clear(m->power, &m->pool[i]);
		m->size[i] = 1;
	}
}

int meter_open(
    struct meter **out, const struct meter_config *config, size_t subjects, struct fault *f)
{
	struct meter *m;

	*out = NULL;
	if (!config->energy && !config->model)
		return config->carbon
		           ? fault_set(f, "--carbon needs an energy: --energy, or "
		                          "--energy-model where there is no counter")
		           : 0;
	m = mem_zero(1, sizeof(*m));
	m->idle_ns = config->idle_ns;
	if (tree_open(&m->tree, tree_root(), f) < 0) {
		free(m);
		return -1;
	}
	if ((config->model && read_model(m, config->model, f) < 0) ||
	    (config->carbon && read_carbon(m, config->carbon, f) < 0)) {
		meter_close(m);
		return -1;
	}
	if (config->energy)
		open_counters(m, subjects);
	*out = m;
	return 0;
}

bool meter_explain(const struct meter *m, struct buf *out)
{
	if (!m || !m->power || !*power_why(m->power))
		return false;
	buf_printf(out, "energy: %s", power_why(m->power));
	if (power_state(m->power) == POWER_UNSUPPORTED && !m->model)
		buf_str(out, "; --energy-model tdp=65W estimates");
	return true;
}

bool meter_losses(const struct meter *m, struct buf *out)
{
	if (!m || !m->ready)
		return false;
	if (m->short_of)
		buf_printf(out,
		    "energy: %llu value%s drowned in what the counters resolve in so short "
		    "a "
		    "time; more runs (-r) are pooled",
		    (unsigned long long)m->short_of, m->short_of == 1 ? " is" : "s are");
	if (m->unsure)
		buf_printf(out,
		    "%senergy: of %llu run%s the counters could not be read, or may have "
		    "wrapped unseen",
		    out->len ? "; " : "", (unsigned long long)m->unsure,
		    m->unsure == 1 ? "" : "s");
	if (m->idle_ns > 0 && !m->idle_known)
		buf_printf(out, "%senergy: the power of the idle machine is not known",
		    out->len ? "; " : "");
	return out->len > 0;
}

void meter_close(struct meter *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->subjects; i++) {
		free(m->last[i].joules);
		free(m->pool[i].joules);
	}
	free(m->last);
	free(m->pool);
	free(m->size);
	power_reading_free(&m->before);
	power_reading_free(&m->after);
	power_close(m->power);
	tree_close(&m->tree);
	free(m);
}
