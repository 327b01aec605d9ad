/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Energy and carbon of executions; see energy_meter.h. The readings around one
 * execution are a pool of one; pools are added until the uncertainty is a small part of
 * the energy.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/paths.h"
#include "energy/carbon.h"
#include "energy/idle_power.h"
#include "sample/energy_meter.h"
#include "subject/compute.h"
#include "sys/interrupt.h"
#include "sys/kernel_files.h"
#include "sys/suspension.h"
#include "text/number_set.h"
#include "text/plural.h"

/* A pool is written when its relative uncertainty is at most this ... */
static const double resolved = 0.05;
/* ... and when it covers this number of updates of each counter. */
enum { UPDATES = 20 };

struct energy_meter {
	struct kernel_files files;
	struct energy_sources *sources; /* NULL: not requested */
	bool ready;                     /* there are counters */
	double idle_ns, tdp_w, cpus, g_per_kwh;
	bool model, carbon;

	struct energy_reading before, after;
	struct energy_pool *last, *pool; /* by subject: the last execution, and the pool */
	uint64_t *size;                  /* by subject: pools end at multiples of this */
	size_t subjects;
	bool idle_known;
	struct quantity idle_w;

	uint64_t short_of, unsure, suspended;
	bool periods; /* the energies are those of periods of a load */
};

bool energy_meter_has_metric(const char *name)
{
	return run_metric_between(name, METRIC_ENERGY, METRIC_CO2E_MODELLED);
}

/* Adds a value that is the mean of this number of executions. */
static void meter_put(
    struct run_sample *s, enum run_metric metric, double value, uint64_t runs)
{
	struct sample_value *v = run_sample_add(s, metric, value);

	v->iterations = runs;
	if (isnan(value) && run_is_ok(v->status))
		v->status.outcome = RUN_SKIPPED;
}

/* Divides an energy among the iterations of each execution. */
static void share_energy(struct quantity *energy, double iterations)
{
	energy->value /= iterations;
	energy->uncertainty /= iterations;
}

static void put_net(const struct energy_meter *m, const struct energy_pool *p,
    struct quantity energy, uint64_t n, struct run_sample *s)
{
	double seconds = p->seconds / (double)n;

	if (m->idle_ns <= 0)
		return;
	if (!m->idle_known || isnan(energy.value)) {
		meter_put(s, METRIC_ENERGY_NET, NAN, n);
		return;
	}
	meter_put(s, METRIC_ENERGY_NET, energy.value - m->idle_w.value * seconds, n);
	meter_put(s, METRIC_ENERGY_NET_UNCERTAINTY,
	    hypot(energy.uncertainty, m->idle_w.uncertainty * seconds), n);
}

static void put_carbon(const struct energy_meter *m, struct run_sample *s,
    enum run_metric metric, double joules, uint64_t runs)
{
	if (m->carbon)
		meter_put(s, metric, energy_co2e(joules, m->g_per_kwh), runs);
}

/* Returns the energy of each execution of a pool. Its value is NAN if it is not known. */
static struct quantity pool_energy(
    const struct energy_meter *m, const struct energy_pool *p)
{
	struct quantity energy = { NAN, NAN };

	if (p->sure)
		energy_pool_total(m->sources, p, &energy);
	if (!quantity_known(energy))
		energy.value = NAN;
	return energy;
}

/* Counts a pool whose energy is not known, with the reason. */
static void note_loss(
    struct energy_meter *m, const struct energy_pool *p, struct quantity energy)
{
	m->unsure += !p->sure && !p->suspended;
	m->suspended += p->suspended;
	m->short_of += p->sure && isnan(energy.value);
}

/* Adds the energy of one of the iterations that each execution of a pool has, and returns
 * it. Its value is NAN if it is not known. */
static struct quantity put_pool(struct energy_meter *m, const struct energy_pool *p,
    uint64_t iterations, struct run_sample *s)
{
	struct quantity energy = pool_energy(m, p), part;
	double each = (double)iterations;
	uint64_t n = p->runs * iterations;

	note_loss(m, p, energy);
	share_energy(&energy, each);
	meter_put(s, METRIC_ENERGY, energy.value, n);
	if (!isnan(energy.uncertainty))
		meter_put(s, METRIC_ENERGY_UNCERTAINTY, energy.uncertainty, n);
	put_net(m, p, energy, n, s);
	for (enum energy_domain d = 0; p->sure && d < ENERGY_DOMAINS; d++)
		if (energy_pool_domain(m->sources, p, d, &part))
			meter_put(s, (enum run_metric)(METRIC_ENERGY_PACKAGE + d),
			    quantity_known(part) ? part.value / each : NAN, n);
	put_carbon(m, s, METRIC_CO2E, energy.value, n);
	return energy;
}

/* Returns the time between two updates of the slowest counter. */
static double update_s(const struct energy_meter *m)
{
	const struct energy_counter_list *list = energy_sources_list(m->sources);
	double longest = 0;

	for (size_t i = 0; i < list->count; i++)
		longest = fmax(longest, list->counter[i].update_s);
	return longest;
}

static bool is_due(const struct energy_meter *m, const struct energy_pool *p)
{
	struct quantity energy;

	energy_pool_total(m->sources, p, &energy);
	return energy.uncertainty <= resolved * energy.value &&
	       p->seconds >= UPDATES * update_s(m);
}

/*
 * Adds the last execution to the pool of its subject, and writes the pool if it is
 * complete. Pools end at multiples of a power of two, which grows until the pools are
 * complete there. The pools of subjects with similar durations therefore end in the
 * same blocks and can be compared in pairs.
 */
static void put_run(struct energy_meter *m, size_t subject, struct run_sample *s)
{
	const struct energy_pool *last = &m->last[subject];
	struct energy_pool *pool = &m->pool[subject];
	uint64_t runs = (uint64_t)s->number + 1, *size = &m->size[subject];

	if (!last->sure || s->number < 0 || !run_is_ok(s->status)) {
		put_pool(m, last, 1, s);
		return;
	}
	energy_pool_add(m->sources, pool, last);
	pool->sample = s->number;
	pool->begin_ns = s->begin_ns;
	if (runs % *size)
		return;
	if (!is_due(m, pool)) {
		*size *= 2;
		return;
	}
	put_pool(m, pool, 1, s);
	energy_pool_clear(m->sources, pool);
}

static void put_model(
    const struct energy_meter *m, const struct wire_result *result, struct run_sample *s)
{
	double cpu_s = (double)(result->user_ns + result->sys_ns) / 1e9;
	double joules = cpu_s > 0 ? energy_modelled(m->tdp_w, cpu_s, m->cpus) : NAN;

	meter_put(s, METRIC_ENERGY_MODELLED, joules, 1);
	put_carbon(m, s, METRIC_CO2E_MODELLED, joules, 1);
}

/* Adds one row that reports a missing counter. */
static void put_absent(const struct energy_meter *m, struct run_sample *s)
{
	static const enum run_outcome outcomes[] = { [ENERGY_READY] = RUN_OK,
		[ENERGY_DENIED] = RUN_DENIED,
		[ENERGY_UNSUPPORTED] = RUN_UNSUPPORTED };
	const struct run_status status = s->status;

	s->status = (struct run_status){ outcomes[energy_sources_state(m->sources)], 0 };
	meter_put(s, METRIC_ENERGY, NAN, 1);
	put_carbon(m, s, METRIC_CO2E, NAN, 1);
	s->status = status;
}

void energy_meter_add(struct energy_meter *m, size_t subject,
    const struct wire_result *result, struct run_sample *sample)
{
	if (!m)
		return;
	if (m->ready)
		put_run(m, subject, sample);
	else if (m->sources && sample->number == 0)
		put_absent(m, sample);
	energy_meter_add_modelled(m, result, sample);
}

void energy_meter_add_modelled(const struct energy_meter *m,
    const struct wire_result *result, struct run_sample *sample)
{
	if (m && m->model)
		put_model(m, result, sample);
}

double energy_meter_batch_ns(const struct energy_meter *m)
{
	return m && m->ready ? UPDATES * update_s(m) * 1e9 : 0;
}

/* Adds the energy of one of the parts of an iteration, with its uncertainty and its gas;
 * adds nothing if there are none. */
static void put_part(const struct energy_meter *m, enum run_metric metric,
    struct quantity energy, double parts, uint64_t iterations, struct run_sample *s)
{
	if (!(parts > 0))
		return;
	share_energy(&energy, parts);
	meter_put(s, metric, energy.value, iterations);
	if (!isnan(energy.uncertainty))
		meter_put(s, (enum run_metric)(metric + 1), energy.uncertainty, iterations);
	put_carbon(m, s, (enum run_metric)(metric + 2), energy.value, iterations);
}

/* Adds what the GPUs of a subject used, if there is a counter of each. */
static void put_device(const struct energy_meter *m, const struct energy_pool *p,
    const struct energy_batch *batch, struct run_sample *s)
{
	const uint32_t devices = batch->subject ? compute_devices(batch->subject) : 0;
	struct quantity sum = { 0, 0 }, one;

	for (uint32_t i = 0; i < devices; i++) {
		if (!energy_pool_card(
		        m->sources, p, batch->subject->from->compute->card[i].pci, &one))
			return;
		sum.value += one.value;
		sum.uncertainty = hypot(sum.uncertainty, one.uncertainty);
	}
	if (!devices || !p->sure)
		return;
	share_energy(&sum, (double)batch->iterations);
	meter_put(s, METRIC_ENERGY_DEVICE, quantity_known(sum) ? sum.value : NAN,
	    batch->iterations);
	meter_put(s, METRIC_ENERGY_DEVICE_UNCERTAINTY, sum.uncertainty, batch->iterations);
}

void energy_meter_add_batch(struct energy_meter *m, size_t subject,
    const struct energy_batch *batch, struct run_sample *sample)
{
	const uint64_t n = batch->iterations;
	const struct quantity energy = put_pool(m, &m->last[subject], n, sample);

	put_part(m, METRIC_ENERGY_INFERENCE, energy, batch->inputs, n, sample);
	put_part(m, METRIC_ENERGY_TOKEN, energy, batch->tokens, n, sample);
	put_device(m, &m->last[subject], batch, sample);
}

void energy_meter_add_period(struct energy_meter *m, size_t subject,
    const struct energy_batch *requests, struct run_sample *sample)
{
	struct quantity energy;
	const struct energy_pool *p;

	if (!m || !m->ready)
		return;
	p = &m->last[subject];
	m->periods = true;
	energy = pool_energy(m, p);
	meter_put(sample, METRIC_ENERGY_PERIOD, energy.value, 1);
	if (!isnan(energy.uncertainty))
		meter_put(sample, METRIC_ENERGY_PERIOD_UNCERTAINTY, energy.uncertainty, 1);
	meter_put(sample, METRIC_POWER, energy.value / p->seconds, 1);
	if (requests->iterations)
		energy_meter_add_batch(m, subject, requests, sample);
	else
		note_loss(m, p, energy);
}

void energy_meter_add_absent(const struct energy_meter *m, struct run_sample *sample)
{
	if (m && m->sources && !m->ready)
		put_absent(m, sample);
}

bool energy_meter_add_left(
    struct energy_meter *m, size_t subject, struct run_sample *sample)
{
	if (!m || !m->ready || !m->pool[subject].runs)
		return false;
	sample->begin_ns = m->pool[subject].begin_ns;
	sample->number = m->pool[subject].sample;
	put_pool(m, &m->pool[subject], 1, sample);
	return true;
}

bool energy_meter_reads(const struct energy_meter *m)
{
	return m && m->ready;
}

void energy_meter_start(struct energy_meter *m)
{
	if (m && m->ready)
		energy_sources_read(m->sources, &m->before);
}

void energy_meter_stop(struct energy_meter *m, size_t subject)
{
	if (!m || !m->ready)
		return;
	energy_sources_read(m->sources, &m->after);
	energy_pool_between(m->sources, &m->before, &m->after, &m->last[subject]);
}

void energy_meter_stop_window(struct energy_meter *m, size_t subject, double window_ns)
{
	if (!m || !m->ready)
		return;
	energy_meter_stop(m, subject);
	energy_pool_scale(m->sources, &m->last[subject], window_ns / 1e9);
}

void energy_meter_stop_at(struct energy_meter *m, size_t subject, int64_t end_ns)
{
	const struct timespec end = { .tv_sec = (time_t)(end_ns / 1000000000),
		.tv_nsec = (long)(end_ns % 1000000000) };

	if (!m || !m->ready)
		return;
	while (!interrupt_seen() && clock_monotonic_ns() < end_ns)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
	energy_meter_stop(m, subject);
}

void energy_meter_idle(struct energy_meter *m)
{
	if (m && m->ready && m->idle_ns > 0)
		m->idle_known = idle_power_measure(m->sources, m->idle_ns, &m->idle_w);
}

static int read_carbon(struct energy_meter *m, const char *spec, struct fault *f)
{
	struct buf csv = { 0 };
	char *path = share_path("energy/carbon.csv");
	int status = share_read("energy/carbon.csv", &csv, f);

	if (status == 0)
		status = carbon_parse(
		    spec, text_in(&csv), path, &m->g_per_kwh, f);
	m->carbon = true;
	buf_free(&csv);
	free(path);
	return status;
}

static int read_model(struct energy_meter *m, const char *spec, struct fault *f)
{
	struct buf online = { 0 };
	size_t cpus = 0;

	if (energy_model_parse(spec, &m->tdp_w, f) < 0)
		return -1;
	if (kernel_file_line(&m->files, "sys/devices/system/cpu/online", &online))
		cpus = cpu_list_parse(text_in(&online), NULL);
	buf_free(&online);
	m->cpus = (double)cpus;
	m->model = true;
	return cpus ? 0
	            : fault_set(f, "--energy-model needs the number of processors, but "
	                           "/sys/devices/system/cpu/online cannot be read");
}

static void open_counters(struct energy_meter *m, size_t subjects)
{
	m->sources = energy_sources_open(&m->files);
	m->ready = energy_sources_state(m->sources) == ENERGY_READY;
	if (!m->ready)
		return;
	suspension_watch();
	m->subjects = subjects;
	m->last = mem_zero(subjects, sizeof(*m->last));
	m->pool = mem_zero(subjects, sizeof(*m->pool));
	m->size = mem_zero(subjects, sizeof(*m->size));
	for (size_t i = 0; i < subjects; i++) {
		energy_pool_clear(m->sources, &m->last[i]);
		energy_pool_clear(m->sources, &m->pool[i]);
		m->size[i] = 1;
	}
}

int energy_meter_open(struct energy_meter **out, const struct energy_meter_opts *config,
    size_t subjects, struct fault *f)
{
	struct energy_meter *m;

	*out = NULL;
	if (!config->energy && !config->model)
		return config->carbon
		           ? fault_set(f, "--carbon requires --energy or, on a machine "
		                          "without energy counters, --energy-model")
			   : 0;
	m = mem_zero(1, sizeof(*m));
	m->idle_ns = config->idle_ns;
	if (kernel_files_open(&m->files, kernel_files_root(), f) < 0) {
		free(m);
		return -1;
	}
	if ((config->model && read_model(m, config->model, f) < 0) ||
	    (config->carbon && read_carbon(m, config->carbon, f) < 0)) {
		energy_meter_close(m);
		return -1;
	}
	if (config->energy)
		open_counters(m, subjects);
	*out = m;
	return 0;
}

bool energy_meter_explain(const struct energy_meter *m, struct buf *out)
{
	if (!m || !m->sources || !*energy_sources_why(m->sources))
		return false;
	buf_printf(out, "energy: %s", energy_sources_why(m->sources));
	if (energy_sources_state(m->sources) == ENERGY_UNSUPPORTED && !m->model)
		buf_str(out, "; --energy-model tdp=65W estimates energy");
	return true;
}

bool energy_meter_losses(const struct energy_meter *m, struct buf *out)
{
	if (!m || !m->ready)
		return false;
	if (m->short_of)
		buf_printf(out,
		    "energy: %llu value%s too small for the resolution of the counters; %s",
		    (unsigned long long)m->short_of, plural(m->short_of, " is", "s are"),
		    m->periods ? "make the periods longer (-t or -r)"
		               : "take more samples (-r), which are pooled");
	if (m->unsure)
		buf_printf(out,
		    "%senergy: the counters could not be read or may have wrapped in %llu "
		    "%s%s",
		    out->len ? "; " : "", (unsigned long long)m->unsure,
		    m->periods ? "period" : "sample", plural_s(m->unsure));
	if (m->suspended)
		buf_printf(out,
		    "%senergy: bench-run was suspended during %llu %s%s, whose energy is "
		    "not known",
		    out->len ? "; " : "", (unsigned long long)m->suspended,
		    m->periods ? "period" : "sample", plural_s(m->suspended));
	if (m->idle_ns > 0 && !m->idle_known)
		buf_printf(out,
		    "%senergy: the power of the idle machine could not be measured",
		    out->len ? "; " : "");
	return out->len > 0;
}

void energy_meter_close(struct energy_meter *m)
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
	energy_reading_free(&m->before);
	energy_reading_free(&m->after);
	energy_sources_close(m->sources);
	kernel_files_close(&m->files);
	free(m);
}
