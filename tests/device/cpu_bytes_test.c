/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that the backend cpu, which keeps results of quantized models as bytes unless a NaN
 * is among them, keeps nothing of a run for the next one.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "bench-backend.h"
#include "tests/device/cpu_plugin.h"
#include "tests/lib/tap.h"

enum { SIDE = 9, IN = 3, CHANNELS = 16, TO = 4, PIXELS = SIDE * SIDE };
enum { INPUTS = IN * PIXELS, MAXIMA = CHANNELS * TO * TO, RESULTS = MAXIMA + CHANNELS };
/* The tensors: the weights, and the results of the operations in their order. */
enum { X, WIDE, DEEP, QX, C, QC, D, QD, S, QS, P, Y, M, TENSORS };
enum { OPS = 10 };

struct list {
	struct backend_session *session;
	struct backend_tensor t[TENSORS];
	struct backend_op op[OPS];
};

static const struct backend *backend;
static char why[BACKEND_WHY];

static void list_write(struct list *l, int tensor, const float *x)
{
	const int64_t *size = l->t[tensor].size;
	const size_t bytes = (size_t)(size[0] * size[1] * size[2] * size[3]) * sizeof(*x);

	if (backend->write(l->session, l->t[tensor].buffer, 0, x, bytes, why) < 0)
		errx(2, "write: %s", why);
}

static void list_add(struct list *l, int tensor, enum backend_role role, int64_t samples,
    int64_t channels, int64_t side)
{
	const size_t bytes = (size_t)(samples * channels * side * side) * sizeof(float);

	l->t[tensor] = (struct backend_tensor){ .dtype = BACKEND_FLOAT32,
		.role = role,
		.dims = 4,
		.size = { samples, channels, side, side },
		.stride = { channels * side * side, side * side, side, 1 },
		.whole = true,
		.buffer = backend->alloc(l->session, bytes, why) };
	if (!l->t[tensor].buffer)
		errx(2, "alloc: %s", why);
}

/* Returns a ROUND to at most 200 multiples of a quarter. */
static struct backend_op round_of(struct list *l, int in, int out)
{
	return (struct backend_op){ .kind = BACKEND_ROUND,
		.in = { &l->t[in] },
		.out = { &l->t[out] },
		.p.round = { 0.25, -100, 99, 0.25, 0 } };
}

/* Prepares a convolution, one of single channels, their sum, and its maxima, with a ROUND
 * before and after each, and the means of the sum. */
static void list_open(struct list *l)
{
	const struct backend_config config = { .abi = BACKEND_ABI, .threads = 2 };
	float wide[CHANNELS * IN], deep[CHANNELS * 9];
	int k = 0;

	l->session = backend->open(&config, why);
	if (!l->session)
		errx(2, "open: %s", why);
	for (int i = 0; i < CHANNELS * IN; i++)
		wide[i] = (float)(i * 37 % 255 - 127) / 128;
	for (int i = 0; i < CHANNELS * 9; i++)
		deep[i] = (float)(i * 53 % 255 - 127) / 256;
	list_add(l, X, BACKEND_INPUT, 1, IN, SIDE);
	list_add(l, WIDE, BACKEND_WEIGHT, CHANNELS, IN, 1);
	list_add(l, DEEP, BACKEND_WEIGHT, CHANNELS, 1, 3);
	list_add(l, QX, BACKEND_ACTIVATION, 1, IN, SIDE);
	for (int i = C; i <= QS; i++)
		list_add(l, i, BACKEND_ACTIVATION, 1, CHANNELS, SIDE);
	list_add(l, P, BACKEND_ACTIVATION, 1, CHANNELS, TO);
	list_add(l, Y, BACKEND_OUTPUT, 1, CHANNELS, TO);
	list_add(l, M, BACKEND_OUTPUT, 1, CHANNELS, 1);
	list_write(l, WIDE, wide);
	list_write(l, DEEP, deep);
	l->op[k++] = round_of(l, X, QX);
	l->op[k++] = (struct backend_op){ .kind = BACKEND_CONV,
		.in = { &l->t[QX], &l->t[WIDE] },
		.out = { &l->t[C] },
		.p.conv = { { 1, 1 }, { 0, 0 }, { 0, 0 }, { 1, 1 }, 1 } };
	l->op[k++] = round_of(l, C, QC);
	l->op[k++] = (struct backend_op){ .kind = BACKEND_CONV,
		.in = { &l->t[QC], &l->t[DEEP] },
		.out = { &l->t[D] },
		.p.conv = { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 }, CHANNELS } };
	l->op[k++] = round_of(l, D, QD);
	l->op[k++] = (struct backend_op){ .kind = BACKEND_BINARY,
		.in = { &l->t[QC], &l->t[QD] },
		.out = { &l->t[S] },
		.p.element = { .alpha = 1, .inner = 1 } };
	l->op[k++] = round_of(l, S, QS);
	l->op[k++] = (struct backend_op){ .kind = BACKEND_POOL,
		.in = { &l->t[QS] },
		.out = { &l->t[P] },
		.p.pool = { { 3, 3 }, { 2, 2 }, { 0, 0 }, { 0, 0 }, false } };
	l->op[k++] = round_of(l, P, Y);
	l->op[k++] = (struct backend_op){ .kind = BACKEND_POOL,
		.in = { &l->t[QS] },
		.out = { &l->t[M] },
		.p.pool = { { SIDE, SIDE }, { 1, 1 }, { 0, 0 }, { 0, 0 }, true } };
	if (backend->prepare(l->session, l->op, OPS, why) < 0)
		errx(2, "prepare: %s", why);
}

static void list_run(struct list *l, const float *x, float *y)
{
	list_write(l, X, x);
	for (int i = 0; i < OPS; i++)
		if (backend->run[l->op[i].kind](l->session, &l->op[i], why) < 0)
			errx(2, "operation %d: %s", i, why);
	if (backend->sync(l->session, why) < 0 ||
	    backend->read(l->session, l->t[Y].buffer, 0, y, MAXIMA * sizeof(*y), why) < 0 ||
	    backend->read(
	        l->session, l->t[M].buffer, 0, y + MAXIMA, CHANNELS * sizeof(*y), why) < 0)
		errx(2, "read: %s", why);
}

static void list_close(struct list *l)
{
	backend->release(l->session, l->op, OPS);
	for (int i = 0; i < TENSORS; i++)
		backend->free(l->session, l->t[i].buffer);
	backend->close(l->session);
}

static bool results_equal(const float *a, const float *b)
{
	for (int i = 0; i < RESULTS; i++)
		if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
			return false;
	return true;
}

int main(void)
{
	static struct list first, second;
	float x[INPUTS], hole[INPUTS], y[RESULTS], alone[RESULTS], again[RESULTS];
	int nans = 0;

	backend = cpu_plugin_load();
	if (!backend) {
		puts("1..0 # SKIP the backend cpu was not built");
		return 0;
	}
	for (int i = 0; i < INPUTS; i++)
		x[i] = hole[i] = (float)(i * 71 % 160) / 8 - 10;
	hole[PIXELS + SIDE * 4 + 4] = NAN;
	list_open(&first);
	list_open(&second);
	list_run(&first, x, y);
	list_run(&second, hole, alone);
	/* The NaN makes 3 x 3 pixels NaN, which are in 2 x 2 windows, and the means. */
	for (int i = 0; i < RESULTS; i++)
		nans += isnan(alone[i]);
	tap_ok(nans == CHANNELS * (4 + 1),
	    "a NaN reaches the results of each channel whose windows have it");
	list_run(&second, x, again);
	tap_ok(results_equal(y, again), "a run after one with a NaN gives the results of a first run");
	list_run(&first, hole, again);
	tap_ok(results_equal(alone, again), "a run with a NaN gives the same results after another run");
	list_close(&first);
	list_close(&second);
	return tap_end();
}
