/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes elements of outputs those of inputs: of the same model for its next run, and of
 * another model. To set a tensor of a request takes some microseconds, so a model with
 * states has two requests, which run in turn: each reads what the other has written.
 */
#include <string.h>

#include "backends/hook/hook.h"
#include "openvino_session.h"

/* Returns the state of an input, or NULL if it holds none. */
static struct openvino_carry *carry_find(struct backend_model *m, size_t input)
{
	for (size_t i = 0; i < m->carries; i++)
		if (m->carry[i].input == input)
			return &m->carry[i];
	return NULL;
}

/* Gives the input of a state a tensor in the next request. Returns OpenVINO's status. */
static int carry_read(
    const struct backend_model *m, struct openvino_carry *c, struct ov_tensor *tensor)
{
	int status = 0;

	if (c->read[0] != tensor)
		status = m->s->ov->api.infer_request_set_input_tensor_by_index(
		    m->request, c->input, tensor);
	if (status == 0)
		c->read[0] = tensor;
	return status;
}

/* Forgets the tensor of another model. */
static void carry_return(const struct backend_model *m, struct openvino_carry *c)
{
	for (size_t i = 0; i < 2; i++)
		if (c->read[i] == c->lent)
			c->read[i] = NULL;
	if (c->lent)
		m->s->ov->api.tensor_free(c->lent);
	c->lent = NULL;
}

/* Gives an input that holds no state a tensor in both requests. Returns OpenVINO's
 * status. */
static int input_share(
    const struct backend_model *m, size_t input, struct ov_tensor *tensor)
{
	const struct openvino_api *api = &m->s->ov->api;
	int status =
	    api->infer_request_set_input_tensor_by_index(m->request, input, tensor);

	if (status == 0 && m->spare)
		status =
		    api->infer_request_set_input_tensor_by_index(m->spare, input, tensor);
	return status;
}

void openvino_input_note(struct backend_model *m, size_t input)
{
	struct openvino_carry *c = carry_find(m, input);

	if (c)
		c->swap = false;
	m->complete += !m->set[input];
	m->set[input] = true;
}

int openvino_input_reclaim(struct backend_model *m, size_t input)
{
	struct openvino_carry *c = carry_find(m, input);
	int status = 0;

	if (c) {
		carry_return(m, c);
		return carry_read(m, c, c->from);
	}
	if (m->own[input])
		status = input_share(m, input, m->own[input]);
	if (m->own[input] && status == 0) {
		m->s->ov->api.tensor_free(m->own[input]);
		m->own[input] = NULL;
	}
	return status;
}

/* Checks that an output can be an input. Returns 0, or -1 and the reason. */
static int carry_check(
    const struct backend_port *out, const struct backend_port *in, char *why)
{
	bool same = strcmp(out->type, in->type) == 0 && out->dims == in->dims;

	for (uint32_t i = 0; same && i < in->dims; i++)
		same = in->size[i] < 0 || out->size[i] < 0 || in->size[i] == out->size[i];
	if (!same)
		return hook_fail(why,
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

/* Returns 0, or -1 and the reason that an output cannot become an input. */
static int carry_allowed(
    const struct backend_model *m, size_t output, size_t input, char *why)
{
	if (input >= m->inputs || output < m->inputs || output >= m->inputs + m->outputs)
		return hook_fail(
		    why, "the model has %zu inputs and %zu outputs", m->inputs, m->outputs);
	for (size_t i = 0; i < m->carries; i++)
		if (m->carry[i].input == input || m->carry[i].output == output - m->inputs)
			return hook_fail(why,
			    "the output %s or the input %s is carried twice",
			    m->port[output].name, m->port[input].name);
	if (carry_check(&m->port[output], &m->port[input], why))
		return -1;
	if (m->own[input])
		return hook_fail(
		    why, "the input %s has elements of another model", m->port[input].name);
	return 0;
}

int openvino_model_carry(struct backend_model *m, size_t output, size_t input, char *why)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct openvino_carry c = { .input = input, .output = output - m->inputs };
	int status;

	if (carry_allowed(m, output, input, why))
		return -1;
	for (uint32_t i = 0; i < m->port[output].dims; i++)
		c.open |= m->port[output].size[i] < 0;
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
		c.read[0] = c.from;
		c.write[0] = c.to;
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

/* Gives an input a tensor of another model, and takes the tensor if it succeeds. Returns
 * OpenVINO's status. */
static int input_lend(struct backend_model *m, size_t input, struct ov_tensor *tensor)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct openvino_carry *c = carry_find(m, input);
	int status = 0;

	if (c) {
		carry_return(m, c);
		status = carry_read(m, c, tensor);
		if (status == 0)
			c->lent = tensor;
		return status;
	}
	if (!m->own[input])
		status = api->infer_request_get_input_tensor_by_index(
		    m->request, input, &m->own[input]);
	if (status == 0)
		status = input_share(m, input, tensor);
	if (status == 0)
		api->tensor_free(tensor);
	return status;
}

int openvino_model_adopt(struct backend_model *m, size_t input, struct backend_model *from,
    size_t output, char *why)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct ov_tensor *tensor = NULL;
	int status;

	if (input >= m->inputs || output < from->inputs ||
	    output >= from->inputs + from->outputs)
		return hook_fail(
		    why, "ports %zu and %zu are not an output and an input", output, input);
	if (!from->has_run)
		return hook_fail(why, "the model has not run");
	if (carry_check(&from->port[output], &m->port[input], why))
		return -1;
	status = api->infer_request_get_output_tensor_by_index(
	    from->request, output - from->inputs, &tensor);
	if (status == 0)
		status = input_lend(m, input, tensor);
	if (status == 0) {
		openvino_input_note(m, input);
		return 0;
	}
	if (tensor)
		api->tensor_free(tensor);
	return openvino_fail(m->s->ov, status, why,
	    "the output %s cannot become the input %s", from->port[output].name,
	    m->port[input].name);
}

/* Gives a tensor that was an input the sizes that the output has, with which it may become
 * the output. Returns OpenVINO's status. */
static int carry_resize(const struct backend_model *m, const struct openvino_carry *c)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct openvino_shape shape = { 0, NULL };
	int status = api->tensor_get_shape(c->from, &shape);

	if (status == 0) {
		status =
		    openvino_tensor_resize(api, c->to, shape.size, (uint32_t)shape.rank);
		api->shape_free(&shape);
	}
	return status;
}

/* Makes the output of a state its input. */
static void carry_swap(const struct backend_model *m, struct openvino_carry *c)
{
	struct ov_tensor *from = c->from;

	carry_return(m, c);
	c->from = c->to;
	c->to = from;
}

/* Gives a state its tensors in the next request. Returns OpenVINO's status. */
static int carry_bind(const struct backend_model *m, struct openvino_carry *c)
{
	int status = carry_read(m, c, c->lent ? c->lent : c->from);

	if (status == 0 && c->open && c->swap)
		status = carry_resize(m, c);
	if (status == 0 && c->write[0] != c->to)
		status = m->s->ov->api.infer_request_set_output_tensor_by_index(
		    m->request, c->output, c->to);
	if (status == 0)
		c->write[0] = c->to;
	return status;
}

/* Creates the second request, with the inputs of the first. Returns OpenVINO's status. */
static int spare_create(struct backend_model *m)
{
	const struct openvino_api *api = &m->s->ov->api;
	int status = api->compiled_model_create_infer_request(m->compiled, &m->spare);

	for (size_t i = 0; status == 0 && i < m->inputs; i++) {
		struct ov_tensor *tensor = NULL;

		if (carry_find(m, i))
			continue;
		status =
		    api->infer_request_get_input_tensor_by_index(m->request, i, &tensor);
		if (status == 0)
			status = api->infer_request_set_input_tensor_by_index(
			    m->spare, i, tensor);
		if (tensor)
			api->tensor_free(tensor);
	}
	return status;
}

/* Exchanges the two requests. */
static void requests_exchange(struct backend_model *m)
{
	struct ov_infer_request *request = m->request;

	m->request = m->spare;
	m->spare = request;
	for (size_t i = 0; i < m->carries; i++) {
		struct openvino_carry *c = &m->carry[i];
		struct ov_tensor *read = c->read[0], *write = c->write[0];

		c->read[0] = c->read[1];
		c->read[1] = read;
		c->write[0] = c->write[1];
		c->write[1] = write;
	}
}

int openvino_carries_swap(struct backend_model *m)
{
	bool swaps = false;
	int status = 0;

	for (size_t i = 0; i < m->carries; i++)
		swaps |= m->carry[i].swap;
	if (!swaps)
		return 0;
	if (!m->spare)
		status = spare_create(m);
	if (status)
		return status;
	requests_exchange(m);
	for (size_t i = 0; status == 0 && i < m->carries; i++) {
		if (m->carry[i].swap)
			carry_swap(m, &m->carry[i]);
		status = carry_bind(m, &m->carry[i]);
	}
	return status;
}
