/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeats the bodies of loops; see onnx_unroll.h. The operands of the body are values of
 * the model, constants, or the parts of a scanned value, which Gather takes. The results
 * of a step that are scanned get a dimension by Unsqueeze, and are joined by Concat.
 */
#include "onnx/onnx_unroll.h"

#include <stdlib.h>

#include "base/intern.h"
#include "onnx/onnx_rules_priv.h"

/* The repetition of a body. */
struct unrolling {
	struct unroll_target *target;
	struct arena *arena;
	const struct onnx_node *node;
	const struct onnx_graph *body;
	bool is_scan;
	uint32_t states;  /* carried from step to step */
	uint32_t ahead;   /* inputs of the node and the body before the states */
	uint32_t results; /* results of the body before the states */
	int64_t steps;    /* -1: as long as the condition is true */
	unsigned number;
	struct intern inside; /* the names of the body */
	struct text *name;    /* by number: the name in this step */
	struct text *scanned; /* the names of the results to be joined, step by step */
	size_t scanned_count, scanned_capacity;
	struct fault *fault;
};

bool onnx_unroll_is_loop(const struct onnx_node *n)
{
	return !n->domain.len && (text_is(n->op, "Loop") || text_is(n->op, "Scan"));
}

/* Returns the name in a step of a value of the body, which no exporter writes. */
static struct text step_name(struct unrolling *u, int64_t step, struct text name)
{
	return text_of(arena_format(u->arena, "//loop%u.%lld/%.*s", u->number,
	    (long long)step, (int)name.len, name.ptr));
}

/* Returns the name in a step of a value that the body does not have. */
static struct text made_name(
    struct unrolling *u, int64_t step, const char *what, uint32_t number)
{
	return text_of(arena_format(
	    u->arena, "//loop%u.%lld.%s%u", u->number, (long long)step, what, number));
}

/* Adds a node with one result. Returns 0, or -1 and the message. */
static int add_made(struct unrolling *u, const char *op, const struct text *in,
    uint32_t ins, struct text out, const struct onnx_attribute *attribute)
{
	struct onnx_node *n = arena_zero(u->arena, 1, sizeof(*n));
	struct onnx_attribute *a = arena_zero(u->arena, 1, sizeof(*a));
	struct text *names = arena_zero(u->arena, (size_t)ins + 1, sizeof(*names));

	if (ins)
		memcpy(names, in, ins * sizeof(*names));
	names[ins] = out;
	*n = (struct onnx_node){ .op = text_of(op),
		.name = u->node->name,
		.input = names,
		.output = names + ins,
		.inputs = ins,
		.outputs = 1,
		.offset = u->node->offset };
	if (attribute) {
		*a = *attribute;
		n->attribute = a;
		n->attributes = 1;
	}
	return u->target->add_node(u->target->walk, n, u->fault);
}

/* Adds a constant: a number, or a list of one number. Returns 0, or -1 and the message. */
static int add_number(struct unrolling *u, int64_t number, bool is_list, struct text name)
{
	int64_t *list = arena_zero(u->arena, 1, sizeof(*list));

	*list = number;
	return add_made(u, "Constant", NULL, 0, name,
	    is_list
	        ? &(struct onnx_attribute){ .name = TEXT("value_ints"),
	              .type = ONNX_ATTRIBUTE_INTS,
	              .ints = list,
	              .int_count = 1 }
		: &(struct onnx_attribute){
	              .name = TEXT("value_int"), .type = ONNX_ATTRIBUTE_INT, .i = number });
}

/* Returns whether the body declares that the number of the step, input 0 of a Loop, or the
 * condition, its input 1, is a list. */
static bool declares_list(const struct unrolling *u, uint32_t input)
{
	return u->body->input[input].has_shape && u->body->input[input].dims == 1;
}

/* Returns the name in this step of a value that the body uses. */
static struct text step_value(const struct unrolling *u, struct text name)
{
	const long number = name.len ? intern_find(&u->inside, name) : -1;

	return number < 0 ? name : u->name[number];
}

/* Returns element i of a list of integers, or 0. */
static int64_t list_item(const struct unrolling *u, const char *name, uint32_t i)
{
	const struct onnx_attribute *a = onnx_attribute(u->node, name);

	return a && i < a->int_count ? a->ints[i] : 0;
}

/* Returns a value with one known integer, or NULL. */
static const int64_t *known_number(const struct unrolling *u, struct text name)
{
	const struct onnx_fact *v = onnx_shapes_of(u->target->shapes, name);

	return v && v->has_shape && onnx_fact_elements(v) == 1 &&
	               onnx_fact_known(u->target->shapes, v)
	           ? v->integer
		   : NULL;
}

/* Finds the states and steps of a Loop. Returns whether they are known. */
static bool begin_loop(struct unrolling *u)
{
	const struct onnx_node *n = u->node;
	const struct onnx_graph *g = u->body;
	const int64_t *most;

	if (n->inputs < 2 || g->inputs != n->inputs || g->outputs < g->inputs - 1)
		return false;
	u->ahead = 2;
	u->results = 1;
	u->states = n->inputs - 2;
	u->steps = -1;
	if (!n->input[0].len)
		return n->input[1].len > 0;
	most = known_number(u, n->input[0]);
	u->steps = most && *most > 0 ? *most : 0;
	return most != NULL;
}

/* Finds the states and steps of a Scan. Returns whether they are known. */
static bool begin_scan(struct unrolling *u)
{
	const struct onnx_node *n = u->node;
	const struct onnx_attribute *scanned = onnx_attribute(n, "num_scan_inputs");

	if (onnx_opset(u->target->model) < 9 || !scanned || scanned->i < 1 ||
	    scanned->i > n->inputs || u->body->inputs != n->inputs)
		return false;
	u->states = n->inputs - (uint32_t)scanned->i;
	for (uint32_t i = u->states; i < n->inputs; i++) {
		const struct onnx_fact *v = onnx_shapes_of(u->target->shapes, n->input[i]);
		int64_t axis = list_item(u, "scan_input_axes", i - u->states);

		if (!v || !v->has_shape)
			return false;
		axis += axis < 0 ? (int64_t)v->dims : 0;
		if (axis < 0 || axis >= (int64_t)v->dims ||
		    (i > u->states && v->dim[axis] != u->steps))
			return false;
		u->steps = v->dim[axis];
	}
	return true;
}

/* Names the values of the body. Returns whether they have different names and no graphs. */
static bool name_body(struct unrolling *u)
{
	const struct onnx_graph *g = u->body;
	size_t names = 0;

	for (uint32_t i = 0; i < g->inputs; i++)
		if (g->input[i].has_initializer ||
		    intern_add(&u->inside, g->input[i].name) != names++)
			return false;
	for (uint32_t i = 0; i < g->initializers; i++)
		if (intern_add(&u->inside, g->initializer[i].name) != names++)
			return false;
	for (uint32_t i = 0; i < g->nodes; i++) {
		for (uint32_t k = 0; k < g->node[i].attributes; k++)
			if (g->node[i].attribute[k].g)
				return false;
		for (uint32_t k = 0; k < g->node[i].outputs; k++)
			if (g->node[i].output[k].len &&
			    intern_add(&u->inside, g->node[i].output[k]) != names++)
				return false;
	}
	u->name = mem_zero(names + 1, sizeof(*u->name));
	for (uint32_t i = 0; i < g->initializers; i++) {
		struct text *name = &u->name[g->inputs + i];

		*name = step_name(u, -1, g->initializer[i].name);
		u->target->add_tensor(u->target->walk, &g->initializer[i], *name);
	}
	return !g->sparse;
}

/* Returns the most values that a step adds. */
static size_t step_values(const struct unrolling *u)
{
	size_t values = 2 * (size_t)u->body->inputs + u->body->outputs + 2;

	for (uint32_t i = 0; i < u->body->nodes; i++)
		values += u->body->node[i].outputs + onnx_expansion_max(&u->body->node[i]);
	return values;
}

/* Returns the operands and the parts of attributes that are read in a step. */
static size_t step_reads(const struct unrolling *u)
{
	size_t reads = 0;

	for (uint32_t i = 0; i < u->body->nodes; i++) {
		const struct onnx_node *n = &u->body->node[i];

		reads += (size_t)n->inputs + n->attributes;
		for (uint32_t k = 0; k < n->attributes; k++)
			reads += n->attribute[k].s.len + (size_t)n->attribute[k].int_count +
			         n->attribute[k].float_count + n->attribute[k].string_count;
	}
	return reads;
}

/* Names the operands of a step that are no states. Returns 0, or -1 and the message. */
static int begin_step(struct unrolling *u, int64_t step, struct text condition)
{
	const struct onnx_graph *g = u->body;
	int status = 0;

	for (uint32_t i = 0; i < g->inputs && status == 0; i++) {
		const struct text name = step_name(u, step, g->input[i].name);
		const uint32_t k = i - u->states;

		if (!u->is_scan && i == 0) {
			u->name[0] = name;
			status = add_number(u, step, declares_list(u, 0), name);
		} else if (!u->is_scan && i == 1) {
			u->name[1] = condition;
		} else if (u->is_scan && i >= u->states) {
			const struct text from[] = { u->node->input[i],
				made_name(u, step, "index", k) };
			const bool reverse = list_item(u, "scan_input_directions", k) != 0;

			u->name[i] = name;
			status = add_number(
			    u, reverse ? u->steps - 1 - step : step, false, from[1]);
			if (status == 0)
				status = add_made(u, "Gather", from, 2, name,
				    &(struct onnx_attribute){ .name = TEXT("axis"),
				        .type = ONNX_ATTRIBUTE_INT,
				        .i = list_item(u, "scan_input_axes", k) });
		}
	}
	return status;
}

/* Returns whether the result of a node is that of the first step. */
static bool is_same(const struct onnx_node *n, int64_t step)
{
	return step > 0 && !n->domain.len && text_is(n->op, "Constant");
}

/* Adds the nodes of a step. Returns 0, or -1 and the message. */
static int add_step_nodes(struct unrolling *u, int64_t step)
{
	const struct onnx_graph *g = u->body;
	int status = 0;

	for (uint32_t i = 0; i < g->nodes; i++)
		for (uint32_t k = 0; k < g->node[i].outputs; k++) {
			const struct text name = g->node[i].output[k];

			if (name.len && !is_same(&g->node[i], step))
				u->name[intern_add(&u->inside, name)] =
				    step_name(u, step, name);
		}
	for (uint32_t i = 0; i < g->nodes && status == 0; i++) {
		struct onnx_node *n = arena_zero(u->arena, 1, sizeof(*n));
		struct text *names;

		if (is_same(&g->node[i], step))
			continue;
		*n = g->node[i];
		names = arena_zero(
		    u->arena, (size_t)n->inputs + n->outputs + 1, sizeof(*names));
		for (uint32_t k = 0; k < n->inputs; k++)
			names[k] = step_value(u, n->input[k]);
		for (uint32_t k = 0; k < n->outputs; k++)
			names[n->inputs + k] = step_value(u, n->output[k]);
		n->input = names;
		n->output = names + n->inputs;
		status = u->target->add_node(u->target->walk, n, u->fault);
	}
	return status;
}

/* Returns the axis along which a scanned result is joined. */
static int64_t joined_axis(const struct unrolling *u, uint32_t result)
{
	return u->is_scan ? list_item(u, "scan_output_axes", result) : 0;
}

/* Keeps the results of a step. Returns 0, or -1 and the message. */
static int end_step(struct unrolling *u, int64_t step)
{
	const struct onnx_graph *g = u->body;
	const uint32_t scans = u->results + u->states;
	struct text *state = mem_zero((size_t)u->states + 1, sizeof(*state));
	int status = 0;

	for (uint32_t i = 0; i < u->states; i++)
		state[i] = step_value(u, g->output[u->results + i].name);
	for (uint32_t i = scans; i < g->outputs && status == 0; i++) {
		const struct text from = step_value(u, g->output[i].name),
		                  made = made_name(u, step, "joined", i);
		int64_t *axis = arena_zero(u->arena, 1, sizeof(*axis));

		*axis = joined_axis(u, i - scans);
		*VEC_ADD(u->scanned, u->scanned_count, u->scanned_capacity) = made;
		status = add_made(u, "Unsqueeze", &from, 1, made,
		    &(struct onnx_attribute){ .name = TEXT("axes"),
		        .type = ONNX_ATTRIBUTE_INTS,
		        .ints = axis,
		        .int_count = 1 });
	}
	for (uint32_t i = 0; i < u->states; i++)
		u->name[u->ahead + i] = state[i];
	free(state);
	return status;
}

/* Names the results of the node. Returns 0, or -1 and the message. */
static int add_results(struct unrolling *u, int64_t steps)
{
	const struct onnx_node *n = u->node;
	const uint32_t each = u->body->outputs - u->results - u->states;
	int status = 0;

	for (uint32_t i = 0; i < n->outputs && status == 0; i++) {
		const uint32_t k = i - u->states;
		struct text *in;

		if (!n->output[i].len)
			continue;
		if (i < u->states) {
			status = add_made(
			    u, "Identity", &u->name[u->ahead + i], 1, n->output[i], NULL);
			continue;
		}
		in = arena_zero(u->arena, (size_t)steps, sizeof(*in));
		for (int64_t s = 0; s < steps; s++) {
			const bool reverse =
			    u->is_scan && list_item(u, "scan_output_directions", k) != 0;

			in[reverse ? steps - 1 - s : s] = u->scanned[(size_t)s * each + k];
		}
		status = add_made(u, "Concat", in, (uint32_t)steps, n->output[i],
		    &(struct onnx_attribute){ .name = TEXT("axis"),
		        .type = ONNX_ATTRIBUTE_INT,
		        .i = joined_axis(u, k) });
	}
	return status;
}

/* Stores the name of the first condition of a Loop; without one, it is true. Returns 0, or
 * -1 and the message. */
static int first_condition(struct unrolling *u, struct text *out)
{
	const struct text number = made_name(u, -1, "number", 0);

	*out = u->is_scan ? TEXT("") : u->node->input[1];
	if (u->is_scan || out->len)
		return 0;
	*out = made_name(u, -1, "condition", 0);
	if (add_number(u, 1, declares_list(u, 1), number) < 0)
		return -1;
	return add_made(u, "Cast", &number, 1, *out,
	    &(struct onnx_attribute){
	        .name = TEXT("to"), .type = ONNX_ATTRIBUTE_INT, .i = ONNX_BOOL });
}

/* Adds all steps. Returns the status of onnx_unroll(). */
static int add_all_steps(struct unrolling *u)
{
	const size_t each = step_values(u), reads = step_reads(u);
	struct text condition;
	int64_t step = 0;

	if (first_condition(u, &condition) < 0)
		return -1;
	for (uint32_t i = 0; i < u->states; i++)
		u->name[u->ahead + i] = u->node->input[u->ahead + i];
	for (; u->steps < 0 || step < u->steps; step++) {
		const int64_t *goes = condition.len ? known_number(u, condition) : NULL;

		if (condition.len && !goes)
			return 0;
		if (goes && !*goes)
			break;
		if (each > UNROLLED_MAX - u->target->values ||
		    reads > UNROLLED_READS_MAX - u->target->reads)
			return 0;
		u->target->values += each;
		u->target->reads += reads;
		if (begin_step(u, step, condition) < 0 || add_step_nodes(u, step) < 0 ||
		    end_step(u, step) < 0)
			return -1;
		if (!u->is_scan)
			condition = step_value(u, u->body->output[0].name);
	}
	if (!step && u->node->outputs > u->states)
		return 0;
	return add_results(u, step) < 0 ? -1 : 1;
}

int onnx_unroll(struct unroll_target *t, const struct onnx_node *n, struct fault *f)
{
	const struct onnx_attribute *body =
	    onnx_unroll_is_loop(n) ? onnx_attribute(n, "body") : NULL;
	struct unrolling u = { .target = t,
		.arena = &t->shapes->arena,
		.node = n,
		.body = body ? body->g : NULL,
		.is_scan = text_is(n->op, "Scan"),
		.number = t->loops,
		.fault = f };
	int status = 0;

	if (!u.body)
		return 0;
	t->loops++;
	if ((u.is_scan ? begin_scan(&u) : begin_loop(&u)) &&
	    u.body->outputs >= u.results + u.states &&
	    n->outputs <= u.body->outputs - u.results && name_body(&u))
		status = add_all_steps(&u);
	intern_free(&u.inside);
	free(u.name);
	free(u.scanned);
	return status;
}
