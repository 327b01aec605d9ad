/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws weights and inputs, and writes them to the device; see engine_priv.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine_priv.h"
#include "engine/fill.h"
#include "graph/dtype.h"

/* The elements drawn at once. */
enum { CHUNK = DRAWN_TABLE_LEAST };

/* Writes elements to a tensor. Returns 0, or -1 and the message. */
static int place_bytes(struct engine *e, const struct backend_tensor *t, size_t at,
    const char *bytes, size_t count, struct fault *f)
{
	const size_t size = dtype_bytes(t->dtype);

	return engine_place(e, t, at * size, bytes, count * size, f);
}

/* Writes numbers to a tensor, as its element type. Returns 0, or -1 and the message. */
static int write_elements(struct engine *e, const struct backend_tensor *t, size_t at,
    const double *x, size_t count, char *bytes, struct fault *f)
{
	dtype_store(t->dtype, bytes, x, count);
	return place_bytes(e, t, at, bytes, count, f);
}

/* Draws all elements of a small value. The caller frees them. */
static double *draw_elements(const struct engine *e, const struct graph_value *v)
{
	size_t count = (size_t)graph_elements(v);
	double *x = mem_zero(count + 1, sizeof(*x));
	struct fill fill;

	fill_begin(&fill, v, e->opts.seed);
	fill_next(&fill, x, count);
	if (dtype_is_float(v->dtype))
		drawn_round(e->opts.rounding, x, count);
	return x;
}

/* The effect of a batch normalization on a convolution: a factor and a shift by channel. */
struct folded {
	double *factor, *shift;
	size_t channels;
};

/* Computes the factors and shifts of a fold. */
static struct folded fold_factors(
    const struct engine *e, const struct graph *g, const struct fuse_fold *fold)
{
	double *gain = draw_elements(e, &g->value[fold->gain]),
	       *shift = draw_elements(e, &g->value[fold->shift]),
	       *mean = draw_elements(e, &g->value[fold->mean]),
	       *var = draw_elements(e, &g->value[fold->var]),
	       *bias = fold->old_bias == GRAPH_NONE
	                   ? NULL
	                   : draw_elements(e, &g->value[fold->old_bias]);
	size_t channels = (size_t)graph_elements(&g->value[fold->gain]);

	for (size_t c = 0; c < channels; c++) {
		gain[c] /= sqrt(var[c] + fold->eps);
		shift[c] += ((bias ? bias[c] : 0) - mean[c]) * gain[c];
	}
	free(mean);
	free(var);
	free(bias);
	return (struct folded){ gain, shift, channels };
}

/* Multiplies elements of a folded weight, from `at` on, by the factors of their
 * channels. */
static void scale_channels(
    const struct folded *by, size_t count, size_t at, double *x, size_t n)
{
	const size_t each = count / by->channels;

	for (size_t i = 0, end; i < n; i = end) {
		const double factor = by->factor[(at + i) / each];

		end = i + each - (at + i) % each;
		end = end < n ? end : n;
		for (size_t k = i; k < end; k++)
			x[k] *= factor;
	}
}

/* Returns the fold that changes a value, or NULL. */
static const struct fuse_fold *fold_of(const struct engine_phase *p, uint32_t value)
{
	for (size_t i = 0; i < p->fusion.folds; i++)
		if (p->fusion.fold[i].weight == value || p->fusion.fold[i].bias == value)
			return &p->fusion.fold[i];
	return NULL;
}

/* Draws a large FILL_NORMAL value from a table, on the device if it can. Returns 0, or -1
 * and the message. */
static int draw_from_table(struct engine *e, const struct graph_value *v,
    const struct backend_tensor *t, struct fault *f)
{
	const struct backend *b = e->opts.backend;
	const void *table = drawn_table_of(&e->tables, v);
	size_t size = dtype_bytes(v->dtype), count = (size_t)graph_elements(v);
	char why[BACKEND_WHY + 1] = "", *bytes;
	struct fill fill;
	int status = 0;

	fill_begin(&fill, v, e->opts.seed);
	if (b->draw)
		return b->draw(e->session, t->buffer, size, table, fill.key, count, why) ==
		               0
		           ? 0
		           : engine_blame(e, "cannot draw numbers on the device", why, f);
	bytes = mem_zero(CHUNK, size);
	for (size_t at = 0; at < count && status == 0; at += CHUNK) {
		size_t n = count - at < CHUNK ? count - at : CHUNK;

		if (at == 0 || !e->opts.repeat)
			fill_next_from(&fill, table, size, bytes, n);
		status = place_bytes(e, t, at, bytes, n, f);
	}
	free(bytes);
	return status;
}

/* Returns whether all chunks of a value may be the first one. */
static bool repeats_value(const struct engine *e, const struct graph_value *v)
{
	return v->fill != FILL_DATA &&
	       (e->opts.repeat || v->fill == FILL_VALUE || v->fill == FILL_NOTHING);
}

/* Draws a value and writes it to the device. Returns 0, or -1 and the message. */
static int load_drawn(struct engine *e, const struct engine_phase *p, uint32_t value,
    const struct backend_tensor *t, struct fault *f)
{
	const struct graph_value *v = &p->graph.value[value];
	const struct fuse_fold *fold = fold_of(p, value);
	const size_t count = (size_t)graph_elements(v);
	const size_t room = count < CHUNK ? count : CHUNK;
	struct folded by = { 0 };
	double *drawn = mem_zero(room, sizeof(*drawn));
	char *bytes = mem_zero(room, sizeof(*drawn));
	struct fill fill;
	int status = 0;

	if (fold)
		by = fold_factors(e, &p->graph, fold);
	fill_begin(&fill, v, e->opts.seed);
	for (size_t at = 0; at < count && status == 0; at += CHUNK) {
		const size_t n = count - at < CHUNK ? count - at : CHUNK;
		const double *x = drawn;

		if (at > 0 && !fold && repeats_value(e, v)) {
			status = place_bytes(e, t, at, bytes, n, f);
			continue;
		}
		fill_next(&fill, drawn, n);
		if (dtype_is_float(v->dtype))
			drawn_round(e->opts.rounding, drawn, n);
		if (fold && fold->weight == value)
			scale_channels(&by, count, at, drawn, n);
		if (fold && fold->bias == value)
			x = by.shift + at;
		status = write_elements(e, t, at, x, n, bytes, f);
	}
	free(by.factor);
	free(by.shift);
	free(drawn);
	free(bytes);
	return status;
}

/* Multiplies the scales of rows, from `at` on, by the factors of their channels. */
static void scale_rows(const struct folded *by, size_t at, float *scale, size_t n)
{
	for (size_t i = 0; i < n; i++)
		scale[i] = (float)(scale[i] * by->factor[at + i]);
}

/* Draws a value that is made from a weight, and writes it to the device. Returns 0, or -1
 * and the message. */
static int draw_made(struct engine *e, const struct engine_phase *p, uint32_t value,
    const struct backend_tensor *t, struct fault *f)
{
	const struct graph_value *v = &p->graph.value[value];
	const struct fuse_fold *fold = fold_of(p, value);
	struct folded by = { 0 };
	/* Whole rows, so that none is quantized twice. */
	const size_t count = (size_t)graph_elements(v), row = (size_t)v->row,
	             part =
	                 v->fill == FILL_SCALES || row >= CHUNK ? row : CHUNK / row * row;
	char *bytes = mem_zero(part, dtype_bytes(v->dtype));
	int status = 0;

	if (fold)
		by = fold_factors(e, &p->graph, fold);
	for (size_t at = 0; at < count && status == 0; at += part) {
		const size_t n = count - at < part ? count - at : part;

		drawn_elements(&e->tables, v, e->opts.seed, at, n, bytes);
		if (fold)
			scale_rows(&by, at, (float *)(void *)bytes, n);
		status = place_bytes(e, t, at, bytes, n, f);
	}
	free(by.factor);
	free(by.shift);
	free(bytes);
	return status;
}

/* Returns whether a value can be written as it is in memory. */
static bool is_ready(const struct engine *e, const struct engine_phase *p, uint32_t value)
{
	const struct graph_value *v = &p->graph.value[value];

	return fill_memory(v) && v->data_dtype == v->dtype &&
	       e->opts.rounding == v->dtype && !fold_of(p, value);
}

/* Returns the file of an input, or NULL. */
static const char *path_of(const struct engine *e, const char *name)
{
	for (size_t i = 0; i < e->opts.inputs; i++)
		if (strcmp(e->opts.input[i].name, name) == 0)
			return e->opts.input[i].path;
	return NULL;
}

int engine_load(struct engine *e, struct engine_phase *p, struct fault *f)
{
	for (uint32_t i = 0; i < p->graph.values; i++) {
		const struct graph_value *v = &p->graph.value[i];
		struct engine_held *held;
		const char *path;

		if (v->of != i || placement_is_shared(&p->graph, i) || !p->used[i])
			continue;
		held = e->held[intern_add(&e->names, text_of(v->name))];
		path = v->role == BACKEND_INPUT ? path_of(e, v->name) : NULL;
		if (!held->filled &&
		    (path ? engine_load_input(e, v, &held->tensor, path, f)
		        : is_ready(e, p, i)
		            ? place_bytes(e, &held->tensor, 0, fill_memory(v),
		                  (size_t)graph_elements(v), f)
		        : v->source ? draw_made(e, p, i, &held->tensor, f)
		        : v->fill == FILL_NORMAL && graph_elements(v) >= CHUNK &&
		                !fold_of(p, i)
		            ? draw_from_table(e, v, &held->tensor, f)
		            : load_drawn(e, p, i, &held->tensor, f)) < 0)
			return -1;
		held->filled = true;
	}
	return 0;
}
