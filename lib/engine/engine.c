/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns graphs into tensors and operations of a backend, and runs them; see engine.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/engine_priv.h"
#include "graph/dtype.h"
#include "graph/graph_quantize.h"

/* Returns the held value of this name; creates it if it is new. */
static struct engine_held *held_value(struct engine *e, const char *name)
{
	size_t i = intern_add(&e->names, text_of(name));

	if (i == e->helds)
		*VEC_ADD(e->held, e->helds, e->held_cap) = mem_zero(1, sizeof(**e->held));
	return e->held[i];
}

/* Copies the description of a value to a tensor. */
static void describe_value(struct backend_tensor *t, const struct graph_value *v)
{
	t->dtype = v->dtype;
	t->role = v->role;
	t->dims = v->dims;
	memcpy(t->size, v->size, sizeof(t->size));
	memcpy(t->stride, v->stride, sizeof(t->stride));
}

/* Marks a value, and the one that it is a view of, as used. */
static void mark_used(struct engine_phase *p, uint32_t value)
{
	if (value == GRAPH_NONE)
		return;
	p->used[value] = true;
	p->used[p->graph.value[value].of] = true;
}

/* Creates the tensors of a phase, without buffers. */
static void make_tensors(struct engine *e, struct engine_phase *p)
{
	const struct graph *g = &p->graph;

	p->used = mem_zero(g->values + 1, sizeof(*p->used));
	p->tensor = mem_zero(g->values + 1, sizeof(*p->tensor));
	for (size_t n = 0; n < g->nodes; n++) {
		for (int k = 0; k < BACKEND_INS; k++)
			mark_used(p, g->node[n].in[k]);
		for (int k = 0; k < BACKEND_OUTS; k++)
			mark_used(p, g->node[n].out[k]);
	}
	for (uint32_t i = 0; i < g->values; i++) {
		const struct graph_value *v = &g->value[i];
		bool held = v->of == i && !placement_is_shared(g, i);

		p->tensor[i] = held ? &held_value(e, v->name)->tensor
		                    : mem_zero(1, sizeof(**p->tensor));
		describe_value(p->tensor[i], v);
		p->tensor[i]->whole = v->of == i;
	}
	for (uint32_t i = 0; i < g->values; i++)
		if (g->value[i].of != i) {
			p->tensor[i]->of = p->tensor[g->value[i].of];
			p->tensor[i]->of->whole = false;
		}
}

/* Creates the operations of a phase. */
static void make_ops(struct engine_phase *p)
{
	const struct graph *g = &p->graph;

	p->op = mem_zero(g->nodes + 1, sizeof(*p->op));
	for (size_t n = 0; n < g->nodes; n++) {
		p->op[n] = g->node[n].op;
		p->op[n].own = NULL;
		for (int k = 0; k < BACKEND_INS; k++)
			p->op[n].in[k] = g->node[n].in[k] == GRAPH_NONE
			                     ? NULL
			                     : p->tensor[g->node[n].in[k]];
		for (int k = 0; k < BACKEND_OUTS; k++)
			p->op[n].out[k] = g->node[n].out[k] == GRAPH_NONE
			                      ? NULL
			                      : p->tensor[g->node[n].out[k]];
	}
}

/* Checks that the backend can run all operations, before anything is allocated. Returns 0,
 * or -1 and the message. */
static int check_support(struct engine *e, const struct engine_phase *p, struct fault *f)
{
	const struct backend *b = e->opts.backend;
	char why[BACKEND_WHY + 1] = "";

	for (size_t n = 0; n < p->graph.nodes; n++) {
		const struct graph_node *node = &p->graph.node[n];

		if (!b->run[p->op[n].kind])
			return fault_set(f, "%s: %s: the backend has no operation '%s'%s",
			    b->name, node->name, node->word,
			    graph_is_quantized(node->op.kind) ? " in int8" : "");
		if (b->supports && b->supports(e->session, &p->op[n], why) < 0)
			return fault_set(f, "%s: %s: %s", b->name, node->name, why);
	}
	return 0;
}

static int allocate_buffer(struct engine *e, size_t bytes, void **out, struct fault *f)
{
	char why[BACKEND_WHY + 1] = "";

	*out = e->opts.backend->alloc(e->session, bytes ? bytes : 1, why);
	if (*out)
		return 0;
	return fault_set(
	    f, "%s: cannot allocate %zu bytes: %s", e->opts.backend->name, bytes, why);
}

/* Gives each tensor of a phase its buffer. Returns 0, or -1 and the message. */
static int allocate_tensors(struct engine *e, struct engine_phase *p, struct fault *f)
{
	const struct graph *g = &p->graph;

	for (uint32_t i = 0; i < g->values; i++) {
		struct backend_tensor *t = p->tensor[i];

		if (g->value[i].of != i || !p->used[i])
			continue;
		if (placement_is_shared(g, i)) {
			t->buffer = e->arena;
			t->offset =
			    (int64_t)(p->placement.offset[i] / dtype_bytes(t->dtype));
		} else if (!t->buffer &&
		           allocate_buffer(e, graph_bytes(&g->value[i]), &t->buffer, f) < 0)
			return -1;
	}
	for (uint32_t i = 0; i < g->values; i++) {
		const struct graph_value *v = &g->value[i];

		if (v->of == i)
			continue;
		p->tensor[i]->buffer = p->tensor[v->of]->buffer;
		p->tensor[i]->offset = p->tensor[v->of]->offset + v->offset;
	}
	return 0;
}

/* Returns the memory that the values need, in bytes. */
static double needed_bytes(const struct engine *e)
{
	double held = 0, arena = 0;

	for (int i = 0; i < ENGINE_PHASES; i++) {
		held = fmax(held, (double)e->phase[i].placement.held_bytes);
		arena = fmax(arena, (double)e->phase[i].placement.arena_bytes);
	}
	return held + arena;
}

/* Checks that the values fit into the free memory, if that is known. Returns 0, or -1 and
 * the message. */
static int check_room(struct engine *e, struct fault *f)
{
	const struct backend *b = e->opts.backend;
	const double gib = 1 << 30, needed = needed_bytes(e),
	             left = b->memory_free ? (double)b->memory_free(e->session) : 0;

	if (left <= 0 || needed <= left)
		return 0;
	return fault_set(f, "it needs %.1f GiB, and the device has %.1f GiB free",
	    needed / gib, left / gib);
}

static int load_all(struct engine *e, struct fault *f)
{
	size_t arena_bytes = 0;

	for (int i = 0; i < ENGINE_PHASES; i++)
		if (e->phase[i].placement.arena_bytes > arena_bytes)
			arena_bytes = e->phase[i].placement.arena_bytes;
	if (allocate_buffer(e, arena_bytes, &e->arena, f) < 0)
		return -1;
	for (int i = 0; i < ENGINE_PHASES; i++)
		if (e->phase[i].graph.nodes && (allocate_tensors(e, &e->phase[i], f) < 0 ||
		                                   engine_load(e, &e->phase[i], f) < 0))
			return -1;
	return 0;
}

static int compile_all(struct engine *e, struct fault *f)
{
	const struct backend *b = e->opts.backend;
	char why[BACKEND_WHY + 1] = "";

	for (int i = 0; i < ENGINE_PHASES; i++) {
		struct engine_phase *p = &e->phase[i];

		if (!p->graph.nodes)
			continue;
		if (b->prepare && b->prepare(e->session, p->op, p->graph.nodes, why) < 0)
			return engine_blame(e, "cannot prepare the operations", why, f);
		p->prepared = true;
	}
	return engine_sync(e, f);
}

/* Makes the choices of routers outputs, which no other value overwrites. */
static void keep_choices(struct graph *g)
{
	for (size_t n = 0; n < g->nodes; n++)
		if (g->node[n].op.kind == BACKEND_ROUTE)
			g->value[g->node[n].out[1]].role = BACKEND_OUTPUT;
}

static void begin_phase(struct engine *e, struct engine_phase *p, struct graph *g)
{
	p->graph = *g;
	*g = (struct graph){ 0 };
	if (!e->opts.plain)
		fuse_graph(&p->graph, &p->fusion);
	if (e->opts.keep_choices)
		keep_choices(&p->graph);
	placement_make(&p->graph, &p->placement);
	make_tensors(e, p);
	make_ops(p);
}

struct engine *engine_open(
    const struct engine_opts *opts, enum engine_trouble *trouble, struct fault *f)
{
	struct engine *e = mem_zero(1, sizeof(*e));
	char why[BACKEND_WHY + 1] = "";
	int64_t begin_ns, start_ns, loaded_ns;

	e->opts = *opts;
	e->tables.rounding = opts->rounding;
	memset(e->opts.graph, 0, sizeof(e->opts.graph));
	*trouble = ENGINE_FAILED;
	for (int i = 0; i < ENGINE_PHASES; i++)
		if (opts->graph[i])
			begin_phase(e, &e->phase[i], opts->graph[i]);
	e->times.begin_ns = begin_ns = clock_monotonic_ns();
	e->session =
	    opts->session ? opts->session : opts->backend->open(&opts->device, why);
	if (!e->session) {
		engine_blame(e, "cannot open the device", why, f);
		goto fail;
	}
	for (int i = 0; i < ENGINE_PHASES; i++)
		if (check_support(e, &e->phase[i], f) < 0) {
			*trouble = ENGINE_UNSUPPORTED;
			goto fail;
		}
	if (check_room(e, f) < 0) {
		*trouble = ENGINE_NO_ROOM;
		goto fail;
	}
	e->times.open_ns = clock_elapsed_ns(begin_ns);
	start_ns = clock_monotonic_ns();
	if (load_all(e, f) < 0)
		goto fail;
	drawn_tables_free(&e->tables);
	loaded_ns = clock_monotonic_ns();
	if (compile_all(e, f) < 0)
		goto fail;
	e->times.load_ns = (double)(loaded_ns - start_ns);
	e->times.compile_ns = clock_elapsed_ns(loaded_ns);
	return e;
fail:
	engine_close(e);
	return NULL;
}

static void close_phase(struct engine *e, struct engine_phase *p)
{
	if (p->prepared && e->opts.backend->release)
		e->opts.backend->release(e->session, p->op, p->graph.nodes);
	for (uint32_t i = 0; p->tensor && i < p->graph.values; i++)
		if (p->graph.value[i].of != i || placement_is_shared(&p->graph, i))
			free(p->tensor[i]);
	free(p->tensor);
	free(p->used);
	free(p->op);
	placement_free(&p->placement);
	fusion_free(&p->fusion);
	graph_free(&p->graph);
}

void engine_close(struct engine *e)
{
	if (!e)
		return;
	for (int i = 0; i < ENGINE_PHASES; i++)
		close_phase(e, &e->phase[i]);
	for (size_t i = 0; i < e->helds; i++) {
		if (e->held[i]->tensor.buffer)
			e->opts.backend->free(e->session, e->held[i]->tensor.buffer);
		free(e->held[i]);
	}
	if (e->arena)
		e->opts.backend->free(e->session, e->arena);
	if (e->session && !e->opts.session)
		e->opts.backend->close(e->session);
	drawn_tables_free(&e->tables);
	engine_batches_free(e);
	free(e->held);
	free(e->transfer);
	intern_free(&e->names);
	free(e);
}

struct engine_times engine_times(const struct engine *e)
{
	return e->times;
}

const struct graph *engine_graph(const struct engine *e, enum model_phase phase)
{
	return &e->phase[phase].graph;
}

static int run_node(struct engine *e, enum model_phase phase, size_t node, struct fault *f)
{
	const struct engine_phase *p = &e->phase[phase];
	const struct backend_op *op = &p->op[node];
	char why[BACKEND_WHY + 1] = "";

	if (e->opts.backend->run[op->kind](e->session, op, why) == 0)
		return 0;
	return engine_blame(e, p->graph.node[node].name, why, f);
}

static void set_past(struct engine_phase *p, enum model_phase phase, int64_t past)
{
	if (phase == MODEL_STEP)
		for (size_t n = 0; n < p->graph.nodes; n++)
			p->op[n].past = past;
}

int engine_run_each(struct engine *e, enum model_phase phase, int64_t past,
    int (*after)(void *context, size_t node, struct fault *f), void *context,
    struct fault *f)
{
	struct engine_phase *p = &e->phase[phase];

	set_past(p, phase, past);
	for (size_t n = 0; n < p->graph.nodes; n++)
		if (run_node(e, phase, n, f) < 0 || (after && after(context, n, f) < 0))
			return -1;
	return 0;
}

/* Returns whether a phase is run as a whole. One operation gains nothing by that. */
static bool runs_list(const struct engine *e, const struct engine_phase *p)
{
	return e->opts.backend->run_list && p->graph.nodes > 1;
}

int engine_run(struct engine *e, enum model_phase phase, int64_t past, struct fault *f)
{
	struct engine_phase *p = &e->phase[phase];
	char why[BACKEND_WHY + 1] = "";

	if (!runs_list(e, p))
		return engine_run_each(e, phase, past, NULL, NULL, f);
	set_past(p, phase, past);
	if (e->opts.backend->run_list(e->session, p->op, p->graph.nodes, why) == 0)
		return 0;
	return engine_blame(e, "cannot run the operations", why, f);
}

int engine_time_nodes(
    struct engine *e, enum model_phase phase, struct backend_op_span *span, struct fault *f)
{
	const struct engine_phase *p = &e->phase[phase];
	const struct backend *b = e->opts.backend;
	char why[BACKEND_WHY + 1] = "";
	const int status =
	    b->time_list ? b->time_list(e->session, p->op, p->graph.nodes, span, why) : 1;

	if (status < 0)
		return engine_blame(e, "cannot time the operations", why, f);
	for (size_t n = 0; status && n < p->graph.nodes; n++) {
		const int64_t start_ns = clock_monotonic_ns();

		if (run_node(e, phase, n, f) < 0 || engine_sync(e, f) < 0)
			return -1;
		span[n] = (struct backend_op_span){
			.op = n, .start_ns = start_ns, .ns = clock_elapsed_ns(start_ns)
		};
	}
	return status;
}

double engine_graph_share(const struct engine *e)
{
	const struct backend *b = e->opts.backend;
	double lists = 0, graphs = 0;

	for (int i = 0; i < ENGINE_PHASES; i++) {
		const struct engine_phase *p = &e->phase[i];

		if (!runs_list(e, p) || !b->is_graph)
			continue;
		lists++;
		graphs += b->is_graph(e->session, p->op, p->graph.nodes);
	}
	return lists > 0 ? graphs / lists : NAN;
}

int engine_sync(struct engine *e, struct fault *f)
{
	char why[BACKEND_WHY + 1] = "";

	if (e->opts.backend->sync(e->session, why) == 0)
		return 0;
	return engine_blame(e, "cannot complete the operations", why, f);
}
