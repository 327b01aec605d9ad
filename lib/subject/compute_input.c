/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the sources of inputs of kernels and models before anything is measured. Sources
 * are read in a child process, which hostile files may crash or fill.
 */
#include <stdio.h>
#include <stdlib.h>

#include "graph/dtype.h"
#include "port/port_mask.h"
#include "port/port_shape.h"
#include "port/port_source.h"
#include "subject/compute.h"
#include "subject/compute_file.h"
#include "sys/child_answer.h"

enum { LIMIT_MS = 600000 };

/* A check of a source. */
struct input_check {
	struct backend_port port;
	int64_t size[BACKEND_PORT_DIMS];
	double rows; /* of the table that tokens select from; 0: unknown */
	bool has_mask;
	bool arrays; /* whether arrays are checked here; the helper checks those of lists */
};

static struct {
	const char *spec;
	const struct input_check *check;
} asked;

/* Reads all batches. */
static int read_source(struct buf *answer, struct fault *f)
{
	const struct input_check *c = asked.check;
	const struct port_source_opts opts = {
		.port = &c->port, .size = c->size, .rows = c->rows, .has_mask = c->has_mask
	};
	struct port_source s;
	struct buf elements = { 0 };
	int status = port_source_open(asked.spec, &opts, &s, f);

	(void)answer;
	if (status < 0)
		return -1;
	for (size_t i = 0; status == 0 && i < s.batches; i++) {
		elements.len = 0;
		if (s.kind != PORT_ARRAYS || c->arrays)
			status = port_source_read(&s, i, &elements, f);
	}
	buf_free(&elements);
	port_source_free(&s);
	return status;
}

/* Returns the input of a graph, or NULL. */
static const struct graph_value *input_of(const struct graph *g, const char *name)
{
	const uint32_t number = graph_find(g, name);

	return number != GRAPH_NONE && g->value[number].role == BACKEND_INPUT
	           ? &g->value[number]
	           : NULL;
}

/* Describes the input of a model file. Returns 0, or -1 and the message. */
static int describe_file_input(struct input_check *c, const struct subject *s,
    const struct backend_port *p, struct fault *f)
{
	const struct whole_model *m = s->from->compute->whole;

	c->port = *p;
	c->arrays = true;
	c->has_mask = port_mask_of(m->port, m->inputs, (size_t)(p - m->port), s->factor,
	                  s->factors) < m->inputs;
	return port_sizes(p, s->factor, s->factors, c->size, f);
}

/* Describes the input of a list. */
static void describe_list_input(struct input_check *c, const struct graph_value *v)
{
	c->port.element_bytes = (uint32_t)dtype_bytes(v->dtype);
	c->port.dims = v->dims;
	snprintf(c->port.name, sizeof(c->port.name), "%s", v->name);
	snprintf(c->port.type, sizeof(c->port.type), "%s", dtype_name(v->dtype));
	memcpy(c->size, v->size, v->dims * sizeof(*v->size));
}

/* Describes an input of a subject. Returns 1, or 0 if the subject has no such input, or -1
 * and the message. */
static int describe_input(
    struct input_check *c, const struct subject *s, const char *name, struct fault *f)
{
	const struct compute *compute = s->from->compute;
	const struct backend_port *p =
	    compute->whole ? compute_file_input(compute, name) : NULL;
	struct graph g = { 0 };
	struct fault ignored;
	const struct graph_value *v =
	    compute_graph(s, &g, &ignored) == 0 ? input_of(&g, name) : NULL;
	int status = compute->whole ? p != NULL : v != NULL;

	*c = (struct input_check){ 0 };
	if (p && describe_file_input(c, s, p, f) < 0)
		status = -1;
	if (v && !compute->whole)
		describe_list_input(c, v);
	if (v && v->fill == FILL_BELOW)
		c->rows = v->spread;
	graph_free(&g);
	return status;
}

/* Returns whether an earlier check is the same. */
static bool is_repeated(const struct input_check *done, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (memcmp(&done[i], &done[count], sizeof(*done)) == 0)
			return true;
	return false;
}

int computes_check_input(
    struct subjects *list, const struct binding *input, struct fault *f)
{
	struct input_check *check = mem_zero(list->count + 1, sizeof(*check));
	size_t checks = 0;
	int status = 0;

	for (size_t i = 0; status == 0 && i < list->count; i++) {
		const struct subject *s = &list->subject[i];

		if (s->skipped || !s->work)
			continue;
		status = describe_input(&check[checks], s, input->name, f);
		if (status <= 0)
			continue;
		status = 0;
		asked.spec = input->value;
		asked.check = &check[checks];
		if (!is_repeated(check, checks))
			status =
			    child_answer(read_source, LIMIT_MS, &(struct buf){ 0 }, f);
		checks++;
	}
	free(check);
	if (status < 0)
		return fault_prefix(f, "--input %s", input->name);
	return checks ? 0
	              : fault_set(f, "--input %s: no subject has an input of this name",
	                    input->name);
}
