/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follows positions from the operations that find them to the outputs; see
 * verify_position.h.
 */
#include <math.h>
#include <stdlib.h>

#include "engine/verify_position.h"

/* Where an integer comes from: an element of the positions that a node found. */
struct position_origin {
	bool is_position;
	size_t node, element;
};

/* The rows in which a node found positions. */
struct position_rows {
	double *element;
	size_t columns, k; /* the elements and the positions of a row */
	double largest;
};

struct position_trail {
	struct engine *ref;
	enum model_phase phase;
	int64_t past;
	struct position_origin **origin; /* by value that is no view; NULL: no positions */
	struct position_rows *rows;      /* by node */
};

static const struct graph *trail_graph(const struct position_trail *t)
{
	return engine_graph(t->ref, t->phase);
}

struct position_trail *position_trail_open(
    struct engine *ref, enum model_phase phase, int64_t past)
{
	struct position_trail *t = mem_zero(1, sizeof(*t));
	const struct graph *g = engine_graph(ref, phase);

	*t = (struct position_trail){ .ref = ref, .phase = phase, .past = past };
	t->origin = mem_zero(g->values + 1, sizeof(struct position_origin *));
	t->rows = mem_zero(g->nodes + 1, sizeof(*t->rows));
	return t;
}

void position_trail_close(struct position_trail *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < trail_graph(t)->values; i++)
		free(t->origin[i]);
	for (size_t i = 0; i < trail_graph(t)->nodes; i++)
		free(t->rows[i].element);
	free(t->origin);
	free(t->rows);
	free(t);
}

/* Returns the origins of the elements of the value that a value is a view of. */
static struct position_origin *base_origins(struct position_trail *t, uint32_t value)
{
	const struct graph *g = trail_graph(t);
	const uint32_t base = g->value[value].of;

	if (!t->origin[base])
		t->origin[base] = mem_zero((size_t)graph_elements(&g->value[base]) + 1,
		    sizeof(struct position_origin));
	return t->origin[base];
}

/* Returns the place in its base of an element of a view, by the number of the element. */
static size_t place_in_base(const struct graph_value *v, size_t element)
{
	int64_t at = v->offset;

	for (uint32_t i = v->dims; i-- > 0; element /= (size_t)v->size[i])
		at += (int64_t)(element % (size_t)v->size[i]) * v->stride[i];
	return (size_t)at;
}

/* Keeps the rows in which a node found positions. Returns 0, or -1 and the message. */
static int begin_positions(struct position_trail *t, size_t node, struct fault *f)
{
	const struct graph *g = trail_graph(t);
	const struct graph_node *n = &g->node[node];
	const struct graph_value *x = &g->value[n->in[0]], *ids = &g->value[n->out[1]];
	const size_t count = (size_t)graph_elements(x), found = (size_t)graph_elements(ids);
	struct position_rows *r = &t->rows[node];
	struct position_origin *origin = base_origins(t, n->out[1]);

	r->element = mem_zero(count + 1, sizeof(double));
	r->columns = (size_t)x->size[x->dims - 1];
	r->k = (size_t)ids->size[ids->dims - 1];
	if (engine_sync(t->ref, f) < 0 ||
	    engine_read(t->ref, t->phase, n->in[0], r->element, f) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (isfinite(r->element[i]))
			r->largest = fmax(r->largest, fabs(r->element[i]));
	for (size_t i = 0; i < found; i++)
		origin[place_in_base(ids, i)] = (struct position_origin){ true, node, i };
	return 0;
}

/* Copies the origins of the integers that a node moves. */
static void move_origins(struct position_trail *t, const struct graph_node *n)
{
	const struct graph *g = trail_graph(t);
	const struct graph_value *from = &g->value[n->in[0]], *to = &g->value[n->out[0]];
	const size_t count = (size_t)graph_elements(from),
	             all = (size_t)graph_elements(&g->value[to->of]);
	const size_t ahead = (size_t)(t->past * n->op.p.move.advance);
	const struct position_origin *origin = t->origin[from->of];
	struct position_origin *made;

	if (!origin && !t->origin[to->of])
		return;
	made = base_origins(t, n->out[0]);
	for (size_t i = 0; i < count; i++) {
		const size_t at = place_in_base(to, i) + ahead;

		if (at < all)
			made[at] = origin ? origin[place_in_base(from, i)]
			                  : (struct position_origin){ 0 };
	}
}

int position_trail_note(struct position_trail *t, size_t node, struct fault *f)
{
	const struct graph *g = trail_graph(t);
	const struct graph_node *n = &g->node[node];

	if (n->op.kind == BACKEND_TOPK || n->op.kind == BACKEND_ROUTE)
		return begin_positions(t, node, f);
	if (n->op.kind == BACKEND_MOVE && g->value[n->out[0]].dtype == BACKEND_INT32 &&
	    g->value[n->in[0]].dtype == BACKEND_INT32)
		move_origins(t, n);
	return 0;
}

/* A tested position, to find those that are twice in a row. */
struct tested_position {
	size_t node, row, element;
	double position;
};

static int order_tested(const void *a, const void *b)
{
	const struct tested_position *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->position != y->position)
		return x->position < y->position ? -1 : 1;
	return (x->element > y->element) - (x->element < y->element);
}

/* Returns the difference of two elements, relative to the largest one; 0 for equal ones,
 * even if they are infinite or NaN. */
static double relative_gap(double a, double b, double largest)
{
	if (a == b || (isnan(a) && isnan(b)))
		return 0;
	return isfinite(a) && isfinite(b) ? fabs(a - b) / largest : INFINITY;
}

int position_trail_compare(const struct position_trail *t, uint32_t value,
    const double *tested, const double *own, struct integer_difference *d, struct fault *f)
{
	const struct graph_value *v = &trail_graph(t)->value[value];
	const struct position_origin *origin = t->origin[v->of];
	const size_t count = (size_t)graph_elements(v);
	struct tested_position *seen = mem_zero(count + 1, sizeof(*seen));
	size_t sees = 0;
	int status = 0;

	d->integers += count;
	for (size_t i = 0; i < count && status == 0; i++) {
		const struct position_origin *o =
		    origin ? &origin[place_in_base(v, i)] : NULL;

		d->differing += tested[i] != own[i];
		if (!o || !o->is_position)
			continue;
		const struct position_rows *r = &t->rows[o->node];
		const size_t row = o->element / r->k;
		const double *x = r->element + row * r->columns;

		if (!(tested[i] >= 0 && tested[i] < (double)r->columns)) {
			status = fault_set(f,
			    "output '%s' has the position %g in a row of %zu elements",
			    v->name, tested[i], r->columns);
			break;
		}
		d->positions++;
		d->positions_differing += tested[i] != own[i];
		d->apart = fmax(d->apart,
		    relative_gap(x[(size_t)tested[i]], x[(size_t)own[i]], r->largest));
		seen[sees++] =
		    (struct tested_position){ o->node, row, o->element, tested[i] };
	}
	qsort(seen, sees, sizeof(*seen), order_tested);
	for (size_t i = 1; i < sees && status == 0; i++)
		if (seen[i].node == seen[i - 1].node && seen[i].row == seen[i - 1].row &&
		    seen[i].position == seen[i - 1].position &&
		    seen[i].element != seen[i - 1].element)
			status =
			    fault_set(f, "output '%s' has the position %g twice in a row",
			        v->name, seen[i].position);
	free(seen);
	return status;
}
