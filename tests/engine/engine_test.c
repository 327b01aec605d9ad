/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks how a list becomes a program of a device: drawing numbers, fusing operations and
 * placing values. tests/device/models.t compares the results with the reference.
 */
#include <math.h>
#include <stdlib.h>

#include "backends/ref/ref.h"
#include "engine/engine.h"
#include "engine/fill.h"
#include "graph/fuse.h"
#include "graph/placement.h"
#include "subject/compute.h"
#include "tests/lib/tap.h"

enum { DRAWN = 200000 };

static struct graph expand(const char *name, const struct binding *param, size_t params)
{
	struct graph g = { 0 };
	struct fault f;
	struct model *m = model_open(name, &f);
	const struct model_expand_opts opts = {
		.param = param, .params = params, .dtype = BACKEND_FLOAT32
	};

	if (!m || model_expand(m, &opts, &g, &f) < 0)
		tap_ok(false, "%s: %s", name, f.text);
	model_close(m);
	return g;
}

static struct graph_value value(const char *name, enum graph_fill fill)
{
	return (struct graph_value){ .name = (char *)name,
		.dims = 1,
		.size = { DRAWN },
		.fill = fill,
		.at = 3,
		.spread = 2 };
}

static void draw(const struct graph_value *v, uint64_t seed, double *out)
{
	struct fill fill;

	fill_begin(&fill, v, seed);
	for (size_t at = 0; at < DRAWN; at += 1000)
		fill_next(&fill, out + at, 1000);
}

/* Checks that numbers drawn from a table are those drawn one by one. */
static void test_table(const struct graph_value *v, const double *x, double *y)
{
	double *table = mem_zero(BACKEND_DRAWN, sizeof(*table));
	struct fill fill;

	fill_table(v, table);
	fill_begin(&fill, v, 1);
	for (size_t at = 0; at < DRAWN; at += 1000)
		fill_next_from(&fill, table, sizeof(*table), y + at, 1000);
	tap_ok(memcmp(x, y, DRAWN * sizeof(*x)) == 0,
	    "numbers drawn from a table are those drawn one by one");
	free(table);
}

static void test_fill(void)
{
	double *x = mem_zero(DRAWN, sizeof(*x)), *y = mem_zero(DRAWN, sizeof(*y)), sum = 0,
	       square = 0, most = 0;
	struct graph_value a = value("a", FILL_NORMAL), b = value("b", FILL_NORMAL),
	                   below = value("c", FILL_BELOW);
	bool whole = true;

	draw(&a, 1, x);
	for (size_t i = 0; i < DRAWN; i++) {
		sum += x[i];
		square += (x[i] - 3) * (x[i] - 3);
		most = fmax(most, fabs(x[i] - 3));
	}
	tap_ok(fabs(sum / DRAWN - 3) < 5 * 2 / sqrt(DRAWN),
	    "normal numbers have the requested mean");
	tap_ok(fabs(sqrt(square / DRAWN) - 2) < 0.02,
	    "normal numbers have the requested standard deviation");
	tap_ok(most > 2 * 2.5 && most <= 2 * sqrt(12),
	    "normal numbers stay in the range of a sum of four uniform numbers");
	draw(&a, 1, y);
	tap_ok(memcmp(x, y, DRAWN * sizeof(*x)) == 0,
	    "the same seed and name give the same numbers");
	draw(&a, 2, y);
	tap_ok(memcmp(x, y, DRAWN * sizeof(*x)) != 0, "another seed gives other numbers");
	draw(&b, 1, y);
	tap_ok(memcmp(x, y, DRAWN * sizeof(*x)) != 0, "another name gives other numbers");
	for (size_t at = 0; at < 2; at++) {
		struct fill fill;

		fill_begin(&fill, &a, 1);
		fill.at = DRAWN / 2 + at;
		fill_next(&fill, y, 1);
		tap_ok(x[DRAWN / 2 + at] == *y,
		    "a number does not depend on the numbers before it (%zu)", at);
	}
	test_table(&a, x, y);
	below.spread = 7;
	draw(&below, 1, y);
	for (size_t i = 0; i < DRAWN; i++)
		whole = whole && y[i] >= 0 && y[i] < 7 && y[i] == floor(y[i]);
	tap_ok(whole, "FILL_BELOW gives whole numbers from 0 to spread - 1");
	free(x);
	free(y);
}

static size_t count(const struct graph *g, enum backend_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < g->nodes; i++)
		n += g->node[i].op.kind == kind;
	return n;
}

static void test_fuse(void)
{
	struct graph g = expand("resnet50", NULL, 0);
	struct fusion fusion;
	double macs = 0;
	size_t convs = count(&g, BACKEND_CONV), acts = 0;

	tap_ok(convs == 53 && count(&g, BACKEND_BATCHNORM) == 53,
	    "resnet50 has 53 convolutions and 53 batch normalizations");
	fuse_graph(&g, &fusion);
	tap_ok(fusion.folds == 53 && count(&g, BACKEND_BATCHNORM) == 0,
	    "fuse_graph folds all batch normalizations");
	tap_ok(count(&g, BACKEND_BINARY) == 0 && count(&g, BACKEND_UNARY) == 0,
	    "fuse_graph joins all additions and activations with convolutions");
	for (size_t i = 0; i < g.nodes; i++) {
		macs += g.node[i].macs;
		acts += g.node[i].op.act == BACKEND_RELU;
	}
	tap_ok(acts == 49, "fuse_graph keeps the number of activations");
	tap_ok(macs == g.macs, "fuse_graph keeps the number of MACs");
	fusion_free(&fusion);
	graph_free(&g);
}

/* Stores the nodes between which a value is needed. */
static void span_of(const struct graph *g, uint32_t v, size_t *first, size_t *last)
{
	*first = SIZE_MAX;
	*last = 0;
	for (size_t n = 0; n < g->nodes; n++)
		for (int k = 0; k < BACKEND_INS + BACKEND_OUTS; k++) {
			uint32_t used = k < BACKEND_INS ? g->node[n].in[k]
			                                : g->node[n].out[k - BACKEND_INS];

			if (used == GRAPH_NONE || g->value[used].of != v)
				continue;
			*first = *first < n ? *first : n;
			*last = g->value[used].role == BACKEND_OUTPUT ? g->nodes : n;
		}
}

/* Returns the number of pairs of values that are needed concurrently and overlap. */
static size_t collisions(const struct graph *g, const struct placement *p)
{
	size_t found = 0;

	for (uint32_t a = 0; a < g->values; a++)
		for (uint32_t b = 0; b < a; b++) {
			size_t first[2], last[2];

			if (!placement_is_shared(g, a) || !placement_is_shared(g, b))
				continue;
			span_of(g, a, &first[0], &last[0]);
			span_of(g, b, &first[1], &last[1]);
			found += first[0] != SIZE_MAX && first[1] != SIZE_MAX &&
			         first[0] <= last[1] && first[1] <= last[0] &&
			         p->offset[a] < p->offset[b] + graph_bytes(&g->value[b]) &&
			         p->offset[b] < p->offset[a] + graph_bytes(&g->value[a]);
		}
	return found;
}

static void test_placement(const char *name, const struct binding *param, size_t params)
{
	struct graph g = expand(name, param, params);
	struct placement p;
	size_t all = 0, outside = 0;

	placement_make(&g, &p);
	for (uint32_t i = 0; i < g.values; i++)
		if (placement_is_shared(&g, i)) {
			size_t bytes = graph_bytes(&g.value[i]);

			all += bytes;
			outside += p.offset[i] + bytes > p.arena_bytes + PLACEMENT_ALIGN ||
			           p.offset[i] % PLACEMENT_ALIGN;
		}
	tap_ok(collisions(&g, &p) == 0,
	    "placement of %s: no value overlaps one that is still needed", name);
	tap_ok(outside == 0, "placement of %s: all values are inside the arena and aligned",
	    name);
	tap_ok(p.arena_bytes < all / 2,
	    "placement of %s: the arena is less than half of all values (%zu of %zu)", name,
	    p.arena_bytes, all);
	placement_free(&p);
	graph_free(&g);
}

/* Checks that ref runs a model, and that a second run gives the same results. */
static void test_engine(void)
{
	const struct binding small[] = { { "image", "32" }, { "width", "8" },
		{ "blocks1", "1" }, { "blocks2", "1" }, { "blocks3", "1" },
		{ "blocks4", "1" }, { "classes", "10" } };
	struct fault f;
	struct model *m = model_open("resnet50", &f);
	struct graph g = { 0 };
	enum engine_trouble trouble;
	struct engine *e;
	double first[10], second[10];
	uint32_t out = GRAPH_NONE;
	bool same, sane = true;
	const struct model_expand_opts opts = {
		.param = small, .params = COUNT(small), .dtype = BACKEND_FLOAT64
	};

	if (!m || model_expand(m, &opts, &g, &f) < 0)
		tap_ok(false, "resnet50: %s", f.text);
	e = engine_open(&(struct engine_opts){ .backend = &backend_ref,
	                    .device = { .abi = BACKEND_ABI },
	                    .graph = { &g },
	                    .seed = 1,
	                    .rounding = BACKEND_FLOAT64 },
	    &trouble, &f);
	tap_ok(e != NULL, "engine_open opens a device with a graph");
	for (uint32_t i = 0; e && i < engine_graph(e, MODEL_FORWARD)->values; i++)
		if (engine_graph(e, MODEL_FORWARD)->value[i].role == BACKEND_OUTPUT)
			out = i;
	tap_ok(engine_run(e, MODEL_FORWARD, 0, &f) == 0 && engine_sync(e, &f) == 0 &&
	           engine_read(e, MODEL_FORWARD, out, first, &f) == 0,
	    "engine_run runs the graph, and engine_read reads its output");
	tap_ok(engine_run(e, MODEL_FORWARD, 0, &f) == 0 && engine_sync(e, &f) == 0 &&
	           engine_read(e, MODEL_FORWARD, out, second, &f) == 0,
	    "engine_run runs the graph a second time");
	same = memcmp(first, second, sizeof(first)) == 0;
	for (int i = 0; i < 10; i++)
		sane = sane && isfinite(first[i]) && fabs(first[i]) > 1e-12 &&
		       fabs(first[i]) < 1e3;
	tap_ok(same, "the second run gives the same result");
	tap_ok(sane, "the results are of a plausible size");
	engine_close(e);
	model_close(m);
}

/* Returns whether subjects that need these bytes fit devices with 1000 bytes each. */
static bool fit(const double *bytes, size_t count, uint32_t *device)
{
	struct compute compute[4] = { 0 };
	struct template from[4] = { 0 };
	struct work work[4] = { 0 };
	struct subject subject[4] = { 0 };
	struct subjects list = { .subject = subject, .count = count };

	for (size_t i = 0; i < count; i++) {
		compute[i] = (struct compute){ .backend = (char *)"some",
			.device = &device[i],
			.devices = 1,
			.memory_bytes = 1000 };
		from[i].compute = &compute[i];
		work[i].memory_bytes = bytes[i];
		subject[i] = (struct subject){
			.from = &from[i], .work = &work[i], .workers = 1, .threads = 1
		};
	}
	return computes_fit(&list);
}

static void test_fit(void)
{
	const double bytes[] = { 500, 600, 300 };
	uint32_t same[] = { 0, 0, 0 }, other[] = { 0, 1, 0 };

	tap_ok(fit(bytes, 1, same), "computes_fit accepts a subject that fits its device");
	tap_ok(!fit(bytes, 2, same),
	    "computes_fit rejects two subjects that do not fit one device together");
	tap_ok(
	    fit(bytes, 3, other), "computes_fit accepts two subjects on different devices");
}

int main(void)
{
	test_fit();
	const struct binding layers[] = { { "layers", "3" } };

	test_fill();
	test_fuse();
	test_placement("resnet50", NULL, 0);
	test_placement("vit_b_16", layers, 1);
	test_engine();
	return tap_end();
}
