/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the comparison with the reference of models that choose experts or find the
 * positions of the largest elements, on backends that are ref with other choices.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Exchanges two positions of each row whose elements are nearly equal; or moves all
 * positions by one. */
static bool moves_all, repeats_first;

static int find_others(struct backend_session *s, const struct backend_op *op, char *why)
{
	const int64_t count = op->in[0]->size[1], k = op->p.route.k;

	if (backend_ref.run[BACKEND_TOPK](s, op, why) < 0)
		return -1;
	for (int64_t r = 0; r < op->in[0]->size[0]; r++) {
		const double *x = elements(op->in[0]) + r * count;
		int32_t *at = numbers(op->out[1]) + r * k, first = at[0];

		for (int64_t i = 0; i < k && moves_all; i++)
			at[i] = (int32_t)((at[i] + 1) % count);
		if (repeats_first)
			at[1] = at[0];
		if (moves_all || repeats_first || x[at[0]] - x[at[1]] > near_tie)
			continue;
		flips += 2;
		at[0] = at[1];
		at[1] = first;
	}
	return 0;
}

/* Compares a kernel on a backend with the reference. */
static int check_kernel(const struct backend *backend, const char *name,
    const struct binding *param, size_t params, struct verify_result *result,
    struct fault *f)
{
	struct model *m = kernel_open(name, f);
	struct graph g = { 0 };
	struct engine_opts config = { .backend = backend,
		.device = { .abi = BACKEND_ABI },
		.graph = { &g },
		.seed = 1,
		.rounding = BACKEND_FLOAT64,
		.keep_choices = true };
	const struct verify_opts opts = { .model = m,
		.param = param,
		.params = params,
		.dtype = BACKEND_FLOAT64,
		.engine = &config };
	enum engine_trouble trouble;
	struct engine *e;
	int status = -1;

	flips = 0;
	const struct model_expand_opts exact = {
		.param = param, .params = params, .dtype = BACKEND_FLOAT64
	};

	if (!m || model_expand(m, &exact, &g, f) < 0)
		return -1;
	e = engine_open(&config, &trouble, f);
	if (e)
		status = verify_run(e, &opts, result, f);
	engine_close(e);
	model_close(m);
	return status;
}

static int check(
    const struct backend *backend, struct verify_result *result, struct fault *f)
{
	const struct binding param[] = { { "tokens", "3000" }, { "hidden", "16" },
		{ "ff", "16" } };

	return check_kernel(backend, "experts", param, COUNT(param), result, f);
}

/* Compares the kernel search, whose outputs are elements and their positions. */
static int check_positions(
    const struct backend *backend, struct verify_result *result, struct fault *f)
{
	const struct binding param[] = { { "queries", "500" }, { "rows", "40" },
		{ "width", "16" }, { "k", "3" } };

	return check_kernel(backend, "search", param, COUNT(param), result, f);
}

static void test_positions(void)
{
	struct backend other = backend_ref;
	struct verify_result result;
	struct fault f = { "" };

	tap_ok(check_positions(&backend_ref, &result, &f) == 0 && result.error == 0 &&
	           result.integers == 1500 && result.integers_differing == 0 &&
	           result.choices_differing == 0,
	    "ref finds the same positions as itself");
	other.run[BACKEND_TOPK] = find_others;
	near_tie = 1e-2;
	tap_ok(check_positions(&other, &result, &f) == 0 &&
	           verify_accept(&result, 1e-2, BACKEND_FLOAT32, &f),
	    "positions of a near tie may be exchanged");
	tap_ok(flips > 3 && result.integers_differing == flips && result.error > 0 &&
	           result.integers_wrong == 0 && result.error < near_tie,
	    "the error of exchanged positions is the difference of their elements (%g)",
	    result.error);
	moves_all = true;
	tap_ok(check_positions(&other, &result, &f) == 0 &&
	           !verify_accept(&result, 1e-2, BACKEND_FLOAT32, &f),
	    "wrong positions are not accepted");
	tap_ok(strstr(f.text, "1500 of 1500 integers differ") != NULL,
	    "the message has the number of integers that differ (%s)", f.text);
	moves_all = false;
	repeats_first = true;
	tap_ok(check_positions(&other, &result, &f) < 0 && strstr(f.text, "twice in a row"),
	    "a position that is found twice is reported (%s)", f.text);
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
	test_positions();
	return tap_end();
}
