/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the comparison of a routed model with the reference, on backends that are ref with
 * another router.
 */
#include <math.h>
#include <stdlib.h>

#include "backends/ref/ref.h"
#include "engine/verify.h"
#include "tests/lib/tap.h"

/* How far below the worst chosen score, relative to the largest one, the best other score
 * may be to be chosen instead; and the tokens for which it was. */
static double near_tie;
static size_t flips;

static double *elements(const struct backend_tensor *t)
{
	return (double *)t->buffer + t->offset;
}

static int32_t *numbers(const struct backend_tensor *t)
{
	return (int32_t *)t->buffer + t->offset;
}

/* Replaces the last choice of a token if the best other expert is nearly as good. */
static void flip_tie(const double *score, int64_t experts, double most, int32_t *choice,
    double *weight, int64_t k)
{
	int32_t last = choice[k - 1], other = -1;

	for (int32_t i = 0; i < experts; i++) {
		bool chosen = false;

		for (int64_t j = 0; j < k; j++)
			chosen = chosen || choice[j] == i;
		if (!chosen && (other < 0 || score[i] > score[other]))
			other = i;
	}
	if (score[last] - score[other] > near_tie * most)
		return;
	flips++;
	choice[k - 1] = other;
	weight[k - 1] *= exp(score[other] - score[last]);
	double sum = 0;

	for (int64_t j = 0; j < k; j++)
		sum += weight[j];
	for (int64_t j = 0; j < k; j++)
		weight[j] /= sum;
}

static int route(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *score = op->in[0];
	const int64_t tokens = score->size[0], experts = score->size[1], k = op->p.route.k;
	double most = 0;

	if (backend_ref.run[BACKEND_ROUTE](s, op, why) < 0)
		return -1;
	for (int64_t i = 0; i < tokens * experts; i++)
		most = fmax(most, fabs(elements(score)[i]));
	for (int64_t t = 0; t < tokens; t++)
		flip_tie(elements(score) + t * experts, experts, most,
		    numbers(op->out[1]) + t * k, elements(op->out[0]) + t * k, k);
	return 0;
}

/* Compares the kernel experts on a backend with the reference. */
static int check(
    const struct backend *backend, struct verify_result *result, struct fault *f)
{
	const struct binding param[] = { { "tokens", "3000" }, { "hidden", "16" },
		{ "ff", "16" } };
	struct model *m = kernel_open("experts", f);
	struct graph g = { 0 };
	struct engine_opts config = { .backend = backend,
		.device = { .abi = BACKEND_ABI },
		.graph = { &g },
		.seed = 1,
		.rounding = BACKEND_FLOAT64,
		.keep_choices = true };
	const struct verify_opts opts = { .model = m,
		.param = param,
		.params = COUNT(param),
		.dtype = BACKEND_FLOAT64,
		.engine = &config };
	enum engine_trouble trouble;
	struct engine *e;
	int status = -1;

	flips = 0;
	if (!m ||
	    model_expand(m, param, COUNT(param), MODEL_FORWARD, BACKEND_FLOAT64, &g, f) < 0)
		return -1;
	e = engine_open(&config, &trouble, f);
	if (e)
		status = verify_run(e, &opts, result, f);
	engine_close(e);
	model_close(m);
	return status;
}

int main(void)
{
	struct backend other = backend_ref;
	struct verify_result result;
	struct fault f = { "" };

	tap_ok(check(&backend_ref, &result, &f) == 0 && result.error == 0 &&
	           result.choices_differing == 0,
	    "ref chooses the same experts as itself");
	other.run[BACKEND_ROUTE] = route;
	near_tie = 1e-3;
	tap_ok(check(&other, &result, &f) == 0, "a router with other choices is compared");
	tap_ok(flips > 3 && flips < 300, "some tokens have a near tie (%zu)", flips);
	tap_ok(result.error <= near_tie,
	    "a near tie that is decided otherwise is no larger error than its size (%g)",
	    result.error);
	tap_ok(fabs(result.choices_differing - (double)flips / 6000) < 1e-12,
	    "the share of the choices that differ is reported (%g)",
	    result.choices_differing);
	near_tie = 0.5;
	tap_ok(check(&other, &result, &f) == 0, "a router with bad choices is compared");
	tap_ok(result.error > 0.2, "a choice that is far from a tie is an error (%g)",
	    result.error);
	return tap_end();
}
