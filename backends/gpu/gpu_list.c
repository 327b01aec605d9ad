/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records and replays lists; see gpu_list.h. One graph serves all steps of a model: kernels
 * read the number of earlier tokens, which differs between steps, from g->past.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_list.h"

struct gpu_list {
	const struct backend_op *op;
	size_t count;
	void *graph; /* of the driver; NULL if the list is not replayed */
	void *room;  /* the scratch memory that the graph uses */
	bool tried;  /* whether the list was recorded with this scratch memory */
};

/* Whether an operation uses the number of earlier tokens. */
static const bool uses_past[BACKEND_KINDS] = {
	[BACKEND_ATTENTION] = true,
	[BACKEND_GATHER] = true,
	[BACKEND_MOVE] = true,
	[BACKEND_ROPE] = true,
	[BACKEND_RELATIVE] = true,
	[BACKEND_SCAN] = true,
	[BACKEND_CAUSAL_CONV] = true,
};

static struct gpu_list *list_find(const struct gpu *g, const struct backend_op *op)
{
	for (size_t i = 0; i < g->lists; i++)
		if (g->list[i].op == op)
			return &g->list[i];
	return NULL;
}

/* Stores the number of earlier tokens of a list. Returns false if its operations disagree.
 */
static bool list_past(const struct gpu_list *list, int64_t *past)
{
	bool found = false;

	*past = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct backend_op *op = &list->op[i];

		if (!uses_past[op->kind])
			continue;
		if (found && op->past != *past)
			return false;
		*past = op->past;
		found = true;
	}
	return true;
}

static void list_forget(struct gpu *g, struct gpu_list *list)
{
	if (list->graph)
		g->driver->forget(g, list->graph);
	list->graph = NULL;
	list->tried = false;
}

/* Records a list. It is not replayed if that fails, or if an operation needs the number of
 * earlier tokens on the host. */
static void list_record(struct gpu *g, struct gpu_list *list, gpu_list_runner *run)
{
	const char *wanted = getenv("BENCH_GPU_GRAPH");
	char why[BACKEND_WHY];

	list_forget(g, list);
	list->tried = true;
	list->room = g->room;
	if (!g->driver->record || (wanted && strcmp(wanted, "no") == 0))
		return;
	if (!g->past) {
		g->past = g->driver->alloc(g, sizeof(int32_t), why);
		g->past_value = -1;
	}
	if (!g->past || g->driver->record(g, why))
		return;
	g->recording = true;
	g->needs_past = false;
	const bool failed = run(g, list->op, list->count, why) != 0;
	g->recording = false;
	list->graph = g->driver->recorded(g, why);
	if (failed || g->needs_past)
		list_forget(g, list);
	list->tried = true;
}

void gpu_list_add(
    struct gpu *g, const struct backend_op *op, size_t count, gpu_list_runner *run)
{
	struct gpu_list *more = realloc(g->list, (g->lists + 1) * sizeof(*g->list));

	if (!more)
		return;
	g->list = more;
	g->list[g->lists++] = (struct gpu_list){ .op = op, .count = count };
	for (size_t i = 0; i < g->lists; i++) {
		struct gpu_list *list = &g->list[i];

		if (list->tried ? list->room != g->room : list->count > 1)
			list_record(g, list, run);
	}
}

void gpu_list_remove(struct gpu *g, const struct backend_op *op)
{
	struct gpu_list *list = list_find(g, op);

	if (!list)
		return;
	list_forget(g, list);
	*list = g->list[--g->lists];
}

int gpu_list_run(struct gpu *g, const struct backend_op *op, size_t count,
    gpu_list_runner *run, char *why)
{
	struct gpu_list *list = list_find(g, op);
	int64_t past;

	if (!list || list->count != count || !list_past(list, &past))
		return run(g, op, count, why);
	if (!list->tried)
		list_record(g, list, run);
	if (!list->graph)
		return run(g, op, count, why);
	if (past != g->past_value && g->driver->write_int(g, g->past, (int32_t)past, why))
		return -1;
	g->past_value = past;
	if (g->driver->replay(g, list->graph, why) == 0)
		return 0;
	list_forget(g, list);
	list->tried = true;
	list->room = g->room;
	return run(g, op, count, why);
}

/* A list whose operations are timed. */
struct timed_list {
	const struct backend_op *op;
	size_t count;
	gpu_list_runner *run;
	void **event;     /* one before each operation and one after the last */
	int64_t start_ns; /* CLOCK_MONOTONIC when the host started it */
};

/* Enqueues a list with its events. */
static int list_mark(struct gpu *g, const struct timed_list *l, char *why)
{
	for (size_t i = 0; i < l->count; i++)
		if (g->driver->event_mark(g, l->event[i], why) ||
		    l->run(g, &l->op[i], 1, why))
			return -1;
	return g->driver->event_mark(g, l->event[l->count], why);
}

/* Runs a list with events: as a graph, in which no operation waits for the host, if the
 * list is one. The second run counts, because the first may load the graph. */
static int list_run_marked(struct gpu *g, struct timed_list *l, char *why)
{
	void *graph = NULL;
	int result = 0;

	if (gpu_list_is_graph(g, l->op) && g->driver->record(g, why) == 0) {
		g->recording = true;
		const bool failed = list_mark(g, l, why) != 0;
		g->recording = false;
		graph = g->driver->recorded(g, why);
		if (graph && failed) {
			g->driver->forget(g, graph);
			graph = NULL;
		}
	}
	for (int i = 0; i < 2 && result == 0; i++) {
		l->start_ns = hook_now_ns();
		result = graph ? g->driver->replay(g, graph, why) : list_mark(g, l, why);
		if (result == 0)
			result = g->driver->sync(g, why);
	}
	if (graph)
		g->driver->forget(g, graph);
	return result;
}

/* Stores the times between events. Each operation begins when the one before it ends. */
static int list_spans(
    struct gpu *g, const struct timed_list *l, struct backend_op_span *span, char *why)
{
	double after_ns = 0, ns = 0;

	for (size_t i = 0; i < l->count; i++) {
		if (g->driver->event_between(g, l->event[i], l->event[i + 1], &ns, why))
			return 1;
		span[i] = (struct backend_op_span){
			.op = i, .start_ns = l->start_ns + (int64_t)after_ns, .ns = ns
		};
		after_ns += ns;
	}
	return 0;
}

int gpu_list_time(struct gpu *g, const struct backend_op *op, size_t count,
    gpu_list_runner *run, struct backend_op_span *span, char *why)
{
	struct timed_list l = { .op = op, .count = count, .run = run };
	size_t events = 0;
	int result;

	if (g->driver->event)
		l.event = calloc(count + 1, sizeof(*l.event));
	result = l.event ? 0 : 1;
	for (; l.event && events <= count; events++)
		if (!(l.event[events] = g->driver->event(g))) {
			result = 1;
			break;
		}
	/* also sets g->past */
	if (result == 0 && gpu_list_run(g, op, count, run, why))
		result = -1;
	if (result == 0 && list_run_marked(g, &l, why))
		result = 1;
	if (result == 0)
		result = list_spans(g, &l, span, why);
	for (size_t i = 0; i < events; i++)
		g->driver->event_drop(g, l.event[i]);
	free(l.event);
	return result;
}

bool gpu_list_is_graph(const struct gpu *g, const struct backend_op *op)
{
	const struct gpu_list *list = list_find(g, op);

	return list && list->graph;
}

void gpu_lists_free(struct gpu *g)
{
	for (size_t i = 0; i < g->lists; i++)
		list_forget(g, &g->list[i]);
	if (g->past)
		g->driver->free(g, g->past);
	free(g->list);
}
