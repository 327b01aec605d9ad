/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binds the inputs of a model, runs it, and reads its outputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_fail.h"
#include "openvino_session.h"

int openvino_model_ports(
    struct backend_model *m, struct backend_port *list, size_t max, char *why)
{
	const size_t count = m->inputs + m->outputs;

	(void)why;
	if (count > 0 && max > 0)
		memcpy(list, m->port, (count < max ? count : max) * sizeof(*list));
	return (int)count;
}

/* Writes a shape, with the names of open dimensions. */
static void shape_write(char *text, size_t length, const struct backend_port *p,
    const int64_t *size, uint32_t dims)
{
	size_t n = 0;

	*text = '\0';
	for (uint32_t i = 0; i < dims && n < length; i++) {
		const char *comma = i > 0 ? ", " : "";

		if (size[i] < 0)
			n += (size_t)snprintf(
			    text + n, length - n, "%s%s", comma, p->symbol[i]);
		else
			n += (size_t)snprintf(
			    text + n, length - n, "%s%lld", comma, (long long)size[i]);
	}
}

/* Checks sizes against those of an input. Returns 0, or -1 and the reason. */
static int sizes_check(const struct backend_port *p, const int64_t *size, uint32_t dims,
    size_t bytes, char *why)
{
	uint64_t needed = p->element_bytes;
	bool same = dims == p->dims;
	char want[96] = "", have[96] = "";

	for (uint32_t i = 0; same && i < dims; i++)
		same = size[i] >= 0 && (p->size[i] < 0 || p->size[i] == size[i]);
	if (!same) {
		shape_write(want, sizeof(want), p, p->size, p->dims);
		shape_write(have, sizeof(have), p, size,
		    dims > BACKEND_PORT_DIMS ? BACKEND_PORT_DIMS : dims);
		return engine_fail(
		    why, "the input %s has the shape [%s], not [%s]", p->name, want, have);
	}
	for (uint32_t i = 0; i < dims; i++)
		if (__builtin_mul_overflow(needed, (uint64_t)size[i], &needed))
			return engine_fail(why, "the input %s is too large", p->name);
	if (needed != bytes)
		return engine_fail(why, "the input %s needs %llu bytes of %s, not %zu",
		    p->name, (unsigned long long)needed, p->type, bytes);
	return 0;
}

/* Gives a tensor other sizes if it has others. Returns OpenVINO's status. */
static int tensor_resize(const struct openvino_api *api, struct ov_tensor *tensor,
    const int64_t *size, uint32_t dims)
{
	struct openvino_shape has = { 0, NULL };
	int64_t copy[BACKEND_PORT_DIMS];
	bool same;

	if (dims == 0)
		return 0;
	if (api->tensor_get_shape(tensor, &has) == 0) {
		same =
		    has.rank == dims && memcmp(has.size, size, dims * sizeof(*size)) == 0;
		api->shape_free(&has);
		if (same)
			return 0;
	}
	memcpy(copy, size, dims * sizeof(*size));
	return api->tensor_set_shape(tensor, (struct openvino_shape){ dims, copy });
}

/* Returns the state of an input, or NULL if it holds none. */
static struct openvino_carry *carry_find(struct backend_model *m, size_t input)
{
	for (size_t i = 0; i < m->carries; i++)
		if (m->carry[i].input == input)
			return &m->carry[i];
	return NULL;
}

/* Notes that an input has elements, which come before those of the last run. */
static void input_note(struct backend_model *m, size_t input)
{
	struct openvino_carry *c = carry_find(m, input);

	if (c)
		c->swap = false;
	m->complete += !m->set[input];
	m->set[input] = true;
}

/* Gives an input its own tensor back, if it has that of another model. Returns OpenVINO's
 * status. */
static int input_reclaim(struct backend_model *m, size_t input)
{
	const struct openvino_api *api = &m->s->ov->api;
	const struct openvino_carry *c = carry_find(m, input);
	int status = 0;

	if (c)
		return api->infer_request_set_input_tensor_by_index(
		    m->request, input, c->from);
	if (m->own[input])
		status = api->infer_request_set_input_tensor_by_index(
		    m->request, input, m->own[input]);
	if (m->own[input] && status == 0) {
		api->tensor_free(m->own[input]);
		m->own[input] = NULL;
	}
	return status;
}

int openvino_model_set(struct backend_model *m, size_t port, const int64_t *size,
    uint32_t dims, const void *elements, size_t bytes, char *why)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct ov_tensor *tensor = NULL;
	void *data = NULL;
	int status;

	if (port >= m->inputs)
		return engine_fail(why, "port %zu is not an input", port);
	if (sizes_check(&m->port[port], size, dims, bytes, why))
		return -1;
	status = input_reclaim(m, port);
	if (status == 0)
		status =
		    api->infer_request_get_input_tensor_by_index(m->request, port, &tensor);
	if (status == 0)
		status = tensor_resize(api, tensor, size, dims);
	if (status == 0 && bytes > 0)
		status = api->tensor_data(tensor, &data);
	if (status)
		openvino_fail(m->s->ov, status, why, "the input %s", m->port[port].name);
	else if (bytes > 0)
		memcpy(data, elements, bytes);
	if (tensor)
		api->tensor_free(tensor);
	if (status)
		return -1;
	input_note(m, port);
	return 0;
}

/* Checks that an output can be an input. Returns 0, or -1 and the reason. */
static int carry_check(
    const struct backend_port *out, const struct backend_port *in, char *why)
{
	bool same = strcmp(out->type, in->type) == 0 && out->dims == in->dims;

	for (uint32_t i = 0; same && i < in->dims; i++)
		same = in->size[i] < 0 || out->size[i] < 0 || in->size[i] == out->size[i];
	if (!same)
		return engine_fail(why,
		    "the output %s cannot become the input %s: their types or sizes differ",
		    out->name, in->name);
	return 0;
}

/* Creates a tensor for an output, whose open sizes begin as their least value. Returns
 * OpenVINO's status. */
static int output_create(
    const struct backend_model *m, size_t output, struct ov_tensor **tensor)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct openvino_open_shape shape = { { 0, 0 }, NULL };
	struct ov_output_const_port *port = NULL;
	int64_t size[BACKEND_PORT_DIMS] = { 0 };
	int number, status = api->model_const_output_by_index(m->model, output, &port);

	if (status)
		return status;
	status = api->port_get_element_type(port, &number);
	if (status == 0)
		status = api->port_get_partial_shape(port, &shape);
	api->output_const_port_free(port);
	if (status)
		return status;
	for (int64_t i = 0; i < shape.rank.most && i < BACKEND_PORT_DIMS; i++)
		size[i] = shape.size[i].least;
	status = api->tensor_create(
	    number, (struct openvino_shape){ shape.rank.most, size }, tensor);
	api->partial_shape_free(&shape);
	return status;
}

int openvino_model_carry(struct backend_model *m, size_t output, size_t input, char *why)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct openvino_carry c = { .input = input, .output = output - m->inputs };
	int status;

	if (input >= m->inputs || output < m->inputs || output >= m->inputs + m->outputs)
		return engine_fail(
		    why, "the model has %zu inputs and %zu outputs", m->inputs, m->outputs);
	for (size_t i = 0; i < m->carries; i++)
		if (m->carry[i].input == input || m->carry[i].output == c.output)
			return engine_fail(why,
			    "the output %s or the input %s is carried twice",
			    m->port[output].name, m->port[input].name);
	if (carry_check(&m->port[output], &m->port[input], why))
		return -1;
	if (m->own[input])
		return engine_fail(
		    why, "the input %s has elements of another model", m->port[input].name);
	/* The elements that the input has, and those of an output of a run, stay in the
	 * tensors of the request. */
	c.swap = m->has_run;
	status = api->infer_request_get_input_tensor_by_index(m->request, input, &c.from);
	if (status == 0 && m->has_run)
		status = api->infer_request_get_output_tensor_by_index(
		    m->request, c.output, &c.to);
	else if (status == 0)
		status = output_create(m, c.output, &c.to);
	if (status == 0 && !m->has_run)
		status = api->infer_request_set_output_tensor_by_index(
		    m->request, c.output, c.to);
	if (status == 0) {
		m->carry[m->carries++] = c;
		return 0;
	}
	if (c.from)
		api->tensor_free(c.from);
	if (c.to)
		api->tensor_free(c.to);
	return openvino_fail(m->s->ov, status, why,
	    "the output %s cannot become the input %s", m->port[output].name,
	    m->port[input].name);
}

int openvino_model_adopt(struct backend_model *m, size_t input, struct backend_model *from,
    size_t output, char *why)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct ov_tensor *tensor = NULL;
	int status = 0;

	if (input >= m->inputs || output < from->inputs ||
	    output >= from->inputs + from->outputs)
		return engine_fail(
		    why, "ports %zu and %zu are not an output and an input", output, input);
	if (!from->has_run)
		return engine_fail(why, "the model has not run");
	if (carry_check(&from->port[output], &m->port[input], why))
		return -1;
	if (!m->own[input] && !carry_find(m, input))
		status = api->infer_request_get_input_tensor_by_index(
		    m->request, input, &m->own[input]);
	if (status == 0)
		status = api->infer_request_get_output_tensor_by_index(
		    from->request, output - from->inputs, &tensor);
	if (status == 0)
		status =
		    api->infer_request_set_input_tensor_by_index(m->request, input, tensor);
	if (tensor)
		api->tensor_free(tensor);
	if (status)
		return openvino_fail(m->s->ov, status, why,
		    "the output %s cannot become the input %s", from->port[output].name,
		    m->port[input].name);
	input_note(m, input);
	return 0;
}

/* Gives a tensor that was an input the sizes that the output has, with which it may become
 * the output. Returns OpenVINO's status. */
static int carry_resize(const struct backend_model *m, const struct openvino_carry *c)
{
	const struct backend_port *p = &m->port[m->inputs + c->output];
	const struct openvino_api *api = &m->s->ov->api;
	struct openvino_shape shape = { 0, NULL };
	bool open = false;
	int status;

	for (uint32_t i = 0; i < p->dims; i++)
		open |= p->size[i] < 0;
	if (!open)
		return 0;
	status = api->tensor_get_shape(c->to, &shape);
	if (status == 0) {
		status = tensor_resize(api, c->from, shape.size, (uint32_t)shape.rank);
		api->shape_free(&shape);
	}
	return status;
}

/* Makes the outputs of the run before the inputs of the next. Returns OpenVINO's status. */
static int carries_swap(struct backend_model *m)
{
	const struct openvino_api *api = &m->s->ov->api;

	for (size_t i = 0; i < m->carries; i++) {
		struct openvino_carry *c = &m->carry[i];
		struct ov_tensor *from = c->from;
		int status;

		if (!c->swap)
			continue;
		status = api->infer_request_set_input_tensor_by_index(
		    m->request, c->input, c->to);
		if (status == 0)
			status = carry_resize(m, c);
		if (status == 0)
			status = api->infer_request_set_output_tensor_by_index(
			    m->request, c->output, from);
		if (status)
			return status;
		c->from = c->to;
		c->to = from;
	}
	return 0;
}

int openvino_model_run(struct backend_model *m, char *why)
{
	int status;

	if (m->complete < m->inputs)
		for (size_t i = 0; i < m->inputs; i++)
			if (!m->set[i])
				return engine_fail(
				    why, "the input %s has no elements", m->port[i].name);
	status = carries_swap(m);
	if (status == 0)
		status = m->s->ov->api.infer_request_infer(m->request);
	for (size_t i = 0; i < m->carries; i++)
		m->carry[i].swap = status == 0;
	m->has_run = status == 0;
	return status ? openvino_fail(
	                    m->s->ov, status, why, "the model fails on %s", m->s->device)
	              : 0;
}

int openvino_model_get(struct backend_model *m, size_t port, struct backend_port *shape,
    const void **elements, size_t *bytes, char *why)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct openvino_shape has = { 0, NULL };
	void *data = NULL;
	int status;

	if (port < m->inputs || port >= m->inputs + m->outputs)
		return engine_fail(why, "port %zu is not an output", port);
	if (!m->has_run)
		return engine_fail(why, "the model has not run");
	if (m->held)
		api->tensor_free(m->held);
	m->held = NULL;
	*shape = m->port[port];
	status = api->infer_request_get_output_tensor_by_index(
	    m->request, port - m->inputs, &m->held);
	/* The function refuses tensors without dimensions. */
	if (status == 0 && shape->dims > 0)
		status = api->tensor_get_shape(m->held, &has);
	if (status == 0)
		status = api->tensor_get_byte_size(m->held, bytes);
	if (status == 0 && *bytes > 0)
		status = api->tensor_data(m->held, &data);
	for (uint32_t i = 0; status == 0 && i < shape->dims; i++)
		shape->size[i] = i < has.rank ? has.size[i] : 1;
	if (has.size)
		api->shape_free(&has);
	*elements = data;
	return status ? openvino_fail(
	                    m->s->ov, status, why, "the output %s", m->port[port].name)
	              : 0;
}
