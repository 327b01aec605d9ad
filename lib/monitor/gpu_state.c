/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of GPUs; see gpu_state.h.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "monitor/gpu_state.h"
#include "monitor/interval_thread.h"
#include "subject/compute.h"

enum {
	INTERVAL_NS = 20000000,
	SHARE = 100,
	CARDS_MAX = 64,
	RECENT = 64, /* observations that are kept */
	FEWEST = 3,  /* observations in which a rate can be constant */
};

static const int64_t window_ns = 200000000;

/* Rates that differ by less are equal: the clock of a GPU has steps of 15 MHz. */
static const double step = 0.01;
/*
 * Means of fluctuating rates that differ by less are equal. Under the limit of its power,
 * the rate of an H100 swings by 7% around its mean, with a period of 0.9 s.
 */
static const double fluctuation = 0.1;

struct card_state {
	double sum[GPU_METRICS]; /* over the sample */
	size_t count[GPU_METRICS];
	struct {
		int64_t at_ns;
		double hz;
	} recent[RECENT]; /* observations of the clock, in a ring */
	size_t next;
};

/* The rates in a part of the time. */
struct clock_window {
	double mean_hz, low_hz, high_hz;
	size_t count;
};

struct gpu_state {
	const struct gpus *gpus;
	struct interval_thread *thread;
	pthread_mutex_t mutex; /* protects the cards, and keeps their queries apart */
	size_t cards;
	struct card_state card[CARDS_MAX];
};

static const char *factor_of(const struct subject *s, const char *name)
{
	for (size_t i = 0; i < s->factors; i++)
		if (strcmp(s->factor[i].name, name) == 0)
			return s->factor[i].value;
	return "";
}

bool gpu_state_concerns(const struct subject *s)
{
	return s->work && !s->skipped && strcmp(factor_of(s, "device_type"), "gpu") == 0;
}

static void note_clock(struct card_state *c, double hz)
{
	size_t at = c->next++ % RECENT;

	c->recent[at].at_ns = clock_monotonic_ns();
	c->recent[at].hz = hz;
}

/* Observes all GPUs. The mutex is held. */
static void observe_cards(struct gpu_state *g)
{
	for (size_t i = 0; i < g->cards; i++) {
		struct card_state *c = &g->card[i];
		double value[GPU_METRICS];

		gpus_read(g->gpus, i, value);
		for (size_t m = 0; m < GPU_METRICS; m++)
			if (!isnan(value[m])) {
				c->sum[m] += value[m];
				c->count[m]++;
			}
		if (!isnan(value[GPU_CLOCK]))
			note_clock(c, value[GPU_CLOCK]);
	}
}

static double look_at_state(void *ctx)
{
	struct gpu_state *g = ctx;

	pthread_mutex_lock(&g->mutex);
	observe_cards(g);
	pthread_mutex_unlock(&g->mutex);
	return SHARE;
}

struct gpu_state *gpu_state_open(const struct gpus *gpus, struct fault *f)
{
	struct gpu_state *g = mem_zero(1, sizeof(*g));

	g->gpus = gpus;
	g->cards = gpus_count(gpus) < CARDS_MAX ? gpus_count(gpus) : CARDS_MAX;
	pthread_mutex_init(&g->mutex, NULL);
	g->thread = interval_thread_open(INTERVAL_NS, INTERVAL_NS, look_at_state, g, f);
	if (!g->thread) {
		gpu_state_close(g);
		return NULL;
	}
	look_at_state(g);
	interval_thread_start(g->thread, clock_monotonic_ns());
	return g;
}

void gpu_state_close(struct gpu_state *g)
{
	if (!g)
		return;
	interval_thread_close(g->thread);
	pthread_mutex_destroy(&g->mutex);
	free(g);
}

/* Returns the GPUs of a model, as a set of bits. */
static uint64_t cards_of_model(const struct gpu_state *g, const char *name)
{
	struct buf model = { 0 };
	uint64_t found = 0;

	for (size_t i = 0; i < g->cards; i++) {
		model.len = 0;
		gpus_fact(g->gpus, i, GPU_FACT_MODEL, &model);
		if (model.len &&
		    text_equal(text_of(name), text_in(&model)))
			found |= UINT64_C(1) << i;
	}
	buf_free(&model);
	return found;
}

uint64_t gpu_state_cards(const struct gpu_state *g, const struct subject *s)
{
	const struct compute_card *card = s->from->compute->card;
	uint64_t found = 0;

	for (uint32_t i = 0; i < compute_devices(s); i++) {
		uint64_t one = *card[i].pci ? gpus_at(g->gpus, card[i].pci)
		                            : cards_of_model(g, card[i].model);

		if (one & (one - 1)) /* it may be any of several */
			return 0;
		found |= one;
	}
	return found & gpu_state_all(g);
}

uint64_t gpu_state_all(const struct gpu_state *g)
{
	return g->cards == CARDS_MAX ? UINT64_MAX : (UINT64_C(1) << g->cards) - 1;
}

static bool rates_equal(double hz, double other_hz, double tolerance)
{
	return fabs(hz - other_hz) <= tolerance * fmax(hz, other_hz);
}

/* Returns the rates from one time until another. */
static struct clock_window clock_between(
    const struct card_state *c, int64_t from_ns, int64_t until_ns)
{
	struct clock_window w = { .low_hz = INFINITY };
	double sum = 0;

	for (size_t i = 0; i < RECENT && i < c->next; i++) {
		double hz = c->recent[i].hz;

		if (c->recent[i].at_ns < from_ns || c->recent[i].at_ns >= until_ns)
			continue;
		sum += hz;
		w.low_hz = fmin(w.low_hz, hz);
		w.high_hz = fmax(w.high_hz, hz);
		w.count++;
	}
	w.mean_hz = sum / (double)w.count;
	return w;
}

/* Returns whether the clock of a GPU has settled since start_ns. */
static bool card_has_settled(
    const struct card_state *c, int64_t start_ns, int64_t now_ns, double *usual_hz)
{
	struct clock_window last = clock_between(c, now_ns - window_ns, now_ns),
	                    before = clock_between(
	                        c, now_ns - 2 * window_ns, now_ns - window_ns);
	bool constant = rates_equal(last.low_hz, last.high_hz, step);
	int64_t elapsed_ns = now_ns - start_ns;
	double hz = last.mean_hz, tolerance = constant ? step : fluctuation;
	bool settled =
	    rates_equal(hz, *usual_hz, tolerance) && (constant || elapsed_ns >= window_ns);

	if (last.count < FEWEST)
		return false;
	settled = settled || (constant && elapsed_ns >= window_ns);
	settled = settled || (elapsed_ns >= 2 * window_ns && before.count >= FEWEST &&
	                         rates_equal(hz, before.mean_hz, fluctuation));
	if (settled)
		*usual_hz = hz;
	return settled;
}

bool gpu_state_has_settled(
    struct gpu_state *g, uint64_t cards, int64_t start_ns, double *usual_hz)
{
	int64_t now_ns = clock_monotonic_ns();
	bool settled = true;

	pthread_mutex_lock(&g->mutex);
	for (size_t i = 0; i < g->cards && settled; i++)
		if (cards >> i & 1 && g->card[i].next)
			settled = card_has_settled(&g->card[i], start_ns, now_ns, usual_hz);
	pthread_mutex_unlock(&g->mutex);
	return settled;
}

void gpu_state_begin(struct gpu_state *g)
{
	pthread_mutex_lock(&g->mutex);
	for (size_t i = 0; i < g->cards; i++)
		for (size_t m = 0; m < GPU_METRICS; m++) {
			g->card[i].sum[m] = 0;
			g->card[i].count[m] = 0;
		}
	pthread_mutex_unlock(&g->mutex);
}

/* Combines the values of two GPUs. NAN: there is none. */
static double combine_values(enum gpu_metric m, double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	if (m == GPU_POWER || m == GPU_MEMORY)
		return a + b;
	return m == GPU_CLOCK || m == GPU_MEMORY_CLOCK ? fmin(a, b) : fmax(a, b);
}

void gpu_state_end(struct gpu_state *g, uint64_t cards, double value[GPU_METRICS])
{
	for (size_t m = 0; m < GPU_METRICS; m++)
		value[m] = NAN;
	pthread_mutex_lock(&g->mutex);
	observe_cards(g);
	for (size_t i = 0; i < g->cards; i++)
		for (size_t m = 0; m < GPU_METRICS; m++) {
			const struct card_state *c = &g->card[i];
			double mean = c->sum[m] / (double)c->count[m];

			if (!(cards >> i & 1) || !c->count[m])
				continue;
			if (m >= GPU_THROTTLE_POWER)
				mean = mean > 0;
			value[m] = combine_values((enum gpu_metric)m, value[m], mean);
		}
	pthread_mutex_unlock(&g->mutex);
}
