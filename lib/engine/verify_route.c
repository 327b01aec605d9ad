/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares and hands over choices; see verify_route.h.
 */
#include <math.h>
#include <stdlib.h>

#include "engine/verify_route.h"

/* The engines and the phase that are run. */
struct routed_run {
	struct engine *ref, *tested;
	enum model_phase phase;
	struct position_trail *trail;
	struct route_difference *difference;
};

/* The scores and choices of a router. Arrays have a row for each token. */
struct routing {
	size_t tokens, experts, k;
	bool renormalise;
	double *score;        /* of the reference */
	double *own, *choice; /* the choices of the reference, and of the tested engine */
	double *weight;       /* of the tested choices, by the scores of the reference */
};

static bool row_has(const double *row, size_t k, double expert)
{
	for (size_t i = 0; i < k; i++)
		if (row[i] == expert)
			return true;
	return false;
}

/* Checks that the choices of a token are different experts. Returns 0, or -1 and the
 * message. */
static int check_choices(const struct routing *r, const double *choice, struct fault *f)
{
	for (size_t i = 0; i < r->k; i++)
		if (!(choice[i] >= 0 && choice[i] < (double)r->experts) ||
		    row_has(choice, i, choice[i]))
			return fault_set(f,
			    "a router chooses expert %g, which is not one of %zu or is "
			    "chosen twice",
			    choice[i], r->experts);
	return 0;
}

/* Computes the weights of a token's choices; see BACKEND_ROUTE. */
static void weigh_choices(
    const struct routing *r, const double *score, const double *choice, double *weight)
{
	double most = -INFINITY, sum = 0;

	for (size_t i = 0; i < r->experts; i++)
		most = fmax(most, score[i]);
	for (size_t i = 0; i < r->experts; i++)
		if (!r->renormalise || row_has(choice, r->k, (double)i))
			sum += exp(score[i] - most);
	for (size_t i = 0; i < r->k; i++)
		weight[i] = exp(score[(size_t)choice[i]] - most) / sum;
}

/* Compares the choices of all tokens. Returns 0, or -1 and the message. */
static int compare_choices(
    const struct routing *r, struct route_difference *d, struct fault *f)
{
	double largest = 0, apart = 0;

	for (size_t i = 0; i < r->tokens * r->experts; i++)
		largest = fmax(largest, fabs(r->score[i]));
	for (size_t t = 0; t < r->tokens; t++) {
		const double *score = r->score + t * r->experts, *own = r->own + t * r->k,
		             *choice = r->choice + t * r->k;
		double worst = INFINITY;

		if (check_choices(r, choice, f) < 0)
			return -1;
		for (size_t i = 0; i < r->k; i++)
			worst = fmin(worst, score[(size_t)own[i]]);
		for (size_t i = 0; i < r->k; i++)
			if (!row_has(own, r->k, choice[i])) {
				d->differing++;
				apart = fmax(apart, worst - score[(size_t)choice[i]]);
			}
		weigh_choices(r, score, choice, r->weight + t * r->k);
	}
	d->choices += r->tokens * r->k;
	if (apart > 0)
		d->apart = fmax(d->apart, apart / largest);
	return 0;
}

/* Follows the positions of a node that the reference has just run, and hands over the
 * choices of a router. */
static int hand_choices(void *context, size_t node, struct fault *f)
{
	const struct routed_run *run = context;
	const struct graph *g = engine_graph(run->ref, run->phase);
	const struct graph_node *n = &g->node[node];
	uint32_t twin;
	int status = -1;

	if (position_trail_note(run->trail, node, f) < 0)
		return -1;
	if (n->op.kind != BACKEND_ROUTE || !run->tested)
		return 0;
	struct routing r = { .renormalise = n->op.p.route.renormalise };

	twin = graph_find(engine_graph(run->tested, run->phase), g->value[n->out[1]].name);
	if (twin == GRAPH_NONE)
		return fault_set(f, "the reference has no router '%s'", n->name);
	const struct graph_value *score = &g->value[n->in[0]];

	r.experts = (size_t)score->size[score->dims - 1];
	r.tokens = (size_t)graph_elements(score) / r.experts;
	r.k = (size_t)graph_elements(&g->value[n->out[1]]) / r.tokens;
	r.score = mem_zero(r.tokens * r.experts, sizeof(double));
	r.own = mem_zero(r.tokens * r.k, sizeof(double));
	r.choice = mem_zero(r.tokens * r.k, sizeof(double));
	r.weight = mem_zero(r.tokens * r.k, sizeof(double));
	if (engine_sync(run->ref, f) == 0 &&
	    engine_read(run->ref, run->phase, n->in[0], r.score, f) == 0 &&
	    engine_read(run->ref, run->phase, n->out[1], r.own, f) == 0 &&
	    engine_read(run->tested, run->phase, twin, r.choice, f) == 0 &&
	    compare_choices(&r, run->difference, f) == 0 &&
	    engine_write(run->ref, run->phase, n->out[0], r.weight, f) == 0 &&
	    engine_write(run->ref, run->phase, n->out[1], r.choice, f) == 0)
		status = 0;
	free(r.score);
	free(r.own);
	free(r.choice);
	free(r.weight);
	return status;
}

int verify_route_run(struct engine *ref, struct engine *tested, enum model_phase phase,
    int64_t past, struct position_trail *trail, struct route_difference *d, struct fault *f)
{
	struct routed_run run = { .ref = ref,
		.tested = tested,
		.phase = phase,
		.trail = trail,
		.difference = d };

	return engine_run_each(ref, phase, past, hand_choices, &run, f);
}
