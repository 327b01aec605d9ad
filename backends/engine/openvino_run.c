/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets the inputs of a model, runs it, and reads its outputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/hook/hook.h"
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
		return hook_fail(
		    why, "the input %s has the shape [%s], not [%s]", p->name, want, have);
	}
	for (uint32_t i = 0; i < dims; i++)
		if (__builtin_mul_overflow(needed, (uint64_t)size[i], &needed))
			return hook_fail(why, "the input %s is too large", p->name);
	if (needed != bytes)
		return hook_fail(why, "the input %s needs %llu bytes of %s, not %zu",
		    p->name, (unsigned long long)needed, p->type, bytes);
	return 0;
}

int openvino_model_set(struct backend_model *m, size_t port, const int64_t *size,
    uint32_t dims, const void *elements, size_t bytes, char *why)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct ov_tensor *tensor = NULL;
	void *data = NULL;
	int status;

	if (port >= m->inputs)
		return hook_fail(why, "port %zu is not an input", port);
	if (sizes_check(&m->port[port], size, dims, bytes, why))
		return -1;
	status = openvino_input_reclaim(m, port);
	if (status == 0)
		status =
		    api->infer_request_get_input_tensor_by_index(m->request, port, &tensor);
	if (status == 0)
		status = openvino_tensor_resize(api, tensor, size, dims);
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
	openvino_input_note(m, port);
	return 0;
}

int openvino_model_run(struct backend_model *m, char *why)
{
	int status;

	if (m->complete < m->inputs)
		for (size_t i = 0; i < m->inputs; i++)
			if (!m->set[i])
				return hook_fail(
				    why, "the input %s has no elements", m->port[i].name);
	status = openvino_carries_swap(m);
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
		return hook_fail(why, "port %zu is not an output", port);
	if (!m->has_run)
		return hook_fail(why, "the model has not run");
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
