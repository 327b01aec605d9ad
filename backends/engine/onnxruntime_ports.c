/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes, sets and reads inputs and outputs, and runs; see onnxruntime_model.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/hook/hook.h"
#include "onnxruntime_model.h"
#include "onnxruntime_type.h"

/* The alignment of elements, in bytes: that of the largest vectors. */
enum { ALIGNMENT = 64 };

/* Stores the number of bytes of a tensor. Returns -1 if a size is open or too large. */
static int count_bytes(const int64_t *size, uint32_t dims, uint32_t element, size_t *bytes)
{
	size_t n = element;

	for (uint32_t i = 0; i < dims; i++)
		if (size[i] < 0 || __builtin_mul_overflow(n, (size_t)size[i], &n))
			return -1;
	*bytes = n;
	return 0;
}

/* Stores the element type and the sizes of a tensor. Returns 0, or -1 and the reason. */
static int read_tensor(const struct ort *o, const struct ort_tensor_info *tensor,
    struct ort_port *p, char *why)
{
	struct backend_port *about = &p->about;
	const char *symbol[BACKEND_PORT_DIMS] = { 0 };
	const char *type;
	size_t dims = 0;

	if (ort_check(o, o->api.tensor_element(tensor, &p->element), about->name, why) ||
	    ort_check(o, o->api.tensor_dims(tensor, &dims), about->name, why))
		return -1;
	type = ort_type_name(p->element, &about->element_bytes);
	if (!type)
		return hook_fail(why, "%s: elements of ONNX's type %d are not supported",
		    about->name, p->element);
	if (dims > BACKEND_PORT_DIMS)
		return hook_fail(why, "%s: %zu dimensions are more than %d", about->name,
		    dims, BACKEND_PORT_DIMS);
	if (ort_check(
	        o, o->api.tensor_sizes(tensor, about->size, dims), about->name, why) ||
	    ort_check(o, o->api.tensor_symbols(tensor, symbol, dims), about->name, why))
		return -1;
	snprintf(about->type, sizeof(about->type), "%s", type);
	about->dims = (uint32_t)dims;
	for (size_t i = 0; i < dims; i++)
		snprintf(about->symbol[i], sizeof(about->symbol[i]), "%s",
		    about->size[i] < 0 && symbol[i] ? symbol[i] : "");
	return 0;
}

/* Describes an input or output. Returns 0, 1 for an output that is no tensor, or -1 and the
 * reason. */
static int read_port(const struct backend_model *m, struct ort_port *p, bool output,
    size_t number, char **name, char *why)
{
	const struct ort *o = m->session->ort;
	struct ort_allocator *allocator = NULL;
	struct ort_type_info *type = NULL;
	const struct ort_tensor_info *tensor = NULL;
	char *text = NULL;
	int kind = 0, result = -1;

	*p = (struct ort_port){ .about = { .output = output } };
	if (ort_check(o, o->api.allocator(&allocator), "", why) ||
	    ort_check(o,
	        (output ? o->api.output_name : o->api.input_name)(
	            m->own, number, allocator, &text),
	        "", why))
		return -1;
	*name = strdup(text);
	snprintf(p->about.name, sizeof(p->about.name), "%s", text);
	ort_check(o, o->api.allocator_release(allocator, text), "", why);
	if (!*name)
		return hook_fail(why, "out of memory");
	if (ort_check(o,
	        (output ? o->api.output_type : o->api.input_type)(m->own, number, &type),
	        p->about.name, why))
		return -1;
	if (ort_check(o, o->api.type_kind(type, &kind), p->about.name, why) == 0) {
		if (kind == ORT_TYPE_TENSOR &&
		    ort_check(o, o->api.type_tensor(type, &tensor), p->about.name, why) ==
		        0)
			result = read_tensor(o, tensor, p, why);
		else if (kind != ORT_TYPE_TENSOR && output)
			result = 1;
		else if (kind != ORT_TYPE_TENSOR)
			hook_fail(why, "the input %s is not a tensor", p->about.name);
	}
	o->api.type_free(type);
	return result;
}

/* Gives a port memory of its own for elements of some sizes. */
static int allocate(struct backend_model *m, size_t i, const int64_t *size, uint32_t dims,
    size_t bytes, char *why)
{
	const struct ort *o = m->session->ort;
	struct ort_port *p = &m->port[i];
	void *data = aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 1) * ALIGNMENT);
	struct ort_value *value = NULL;

	if (!data)
		return hook_fail(why, "%s: no memory for %zu bytes", m->name[i], bytes);
	if (ort_check(o,
	        o->api.value_new(m->memory, data, bytes, size, dims, p->element, &value),
	        p->about.name, why)) {
		free(data);
		return -1;
	}
	memset(data, 0, bytes);
	if (m->value[i])
		o->api.value_free(m->value[i]);
	free(p->data);
	m->value[i] = value;
	p->data = data;
	p->bytes = bytes;
	return 0;
}

/* Adds the port of an input or output, unless it is no tensor. Returns 0, or -1 and the
 * reason. */
static int add_port(struct backend_model *m, bool output, size_t number, char *why)
{
	struct ort_port *p = &m->port[m->ports];
	const int result = read_port(m, p, output, number, &m->name[m->ports], why);

	if (result < 0)
		return -1;
	if (result > 0) {
		free(m->name[m->ports]);
		m->name[m->ports] = NULL;
		return 0;
	}
	if (output &&
	    (p->about.element_bytes == 0 || count_bytes(p->about.size, p->about.dims,
	                                        p->about.element_bytes, &p->bytes)))
		m->opens = p->open = true;
	if (output && !p->open &&
	    allocate(m, m->ports, p->about.size, p->about.dims, p->bytes, why))
		return -1;
	m->ports++;
	return 0;
}

int ort_ports_open(struct backend_model *m, char *why)
{
	const struct ort *o = m->session->ort;
	size_t outputs = 0;

	if (ort_check(o,
	        o->api.cpu_memory(ORT_ALLOCATOR_ARENA, ORT_MEMORY_DEFAULT, &m->memory), "",
	        why) ||
	    ort_check(o, o->api.inputs(m->own, &m->inputs), "", why) ||
	    ort_check(o, o->api.outputs(m->own, &outputs), "", why))
		return -1;
	m->port = calloc(m->inputs + outputs + 1, sizeof(*m->port));
	m->name = calloc(m->inputs + outputs + 1, sizeof(*m->name));
	m->value = calloc(m->inputs + outputs + 1, sizeof(struct ort_value *));
	if (!m->port || !m->name || !m->value)
		return hook_fail(why, "out of memory");
	for (size_t i = 0; i < m->inputs; i++)
		if (add_port(m, false, i, why))
			return -1;
	for (size_t i = 0; i < outputs; i++)
		if (add_port(m, true, i, why))
			return -1;
	m->unset = m->inputs;
	if (m->ports == m->inputs)
		return hook_fail(why, "no output of the model is a tensor");
	return 0;
}

void ort_ports_close(struct backend_model *m)
{
	const struct ort *o = m->session->ort;

	for (size_t i = 0; m->port && m->name && m->value && i <= m->ports; i++) {
		if (m->value[i])
			o->api.value_free(m->value[i]);
		free(m->port[i].data);
		free(m->name[i]);
	}
	free(m->port);
	free(m->name);
	free(m->value);
	if (m->memory)
		o->api.memory_free(m->memory);
}

int ort_model_ports(
    struct backend_model *m, struct backend_port *list, size_t max, char *why)
{
	(void)why;
	for (size_t i = 0; i < m->ports && i < max; i++)
		list[i] = m->port[i].about;
	return (int)m->ports;
}

/* Writes sizes as "[1, ?, 224]". */
static const char *sizes_text(const int64_t *size, uint32_t dims, char *text, size_t room)
{
	size_t at = (size_t)snprintf(text, room, "[");

	for (uint32_t i = 0; i < dims && at + 24 < room; i++)
		at += (size_t)snprintf(text + at, room - at, size[i] < 0 ? "%s?" : "%s%lld",
		    i ? ", " : "", (long long)size[i]);
	snprintf(text + at, room - at, "]");
	return text;
}

/* Checks the sizes of an input. */
static int check_sizes(
    const struct backend_port *about, const int64_t *size, uint32_t dims, char *why)
{
	bool differs = dims != about->dims && about->dims > 0;
	char wanted[128], given[128];

	for (uint32_t i = 0; i < dims && i < about->dims; i++)
		differs |= about->size[i] >= 0 && about->size[i] != size[i];
	if (!differs)
		return 0;
	return hook_fail(why, "the input %s has the shape %s, not %s", about->name,
	    sizes_text(about->size, about->dims, wanted, sizeof(wanted)),
	    sizes_text(size, dims, given, sizeof(given)));
}

/* Returns whether a port has memory of our own, which has the right size for all elements
 * of this rank. */
static bool has_room(const struct ort_port *p, uint32_t dims)
{
	size_t bytes;

	return p->data && p->about.dims == dims &&
	       count_bytes(p->about.size, dims, p->about.element_bytes, &bytes) == 0;
}

int ort_model_set(struct backend_model *m, size_t port, const int64_t *size, uint32_t dims,
    const void *elements, size_t bytes, char *why)
{
	struct ort_port *p = &m->port[port];
	const bool had = port < m->inputs && m->value[port];
	size_t needed;

	if (port >= m->inputs)
		return hook_fail(why, "port %zu is not an input", port);
	if (p->about.element_bytes == 0)
		return hook_fail(why, "the input %s has strings, which are not supported",
		    p->about.name);
	if (check_sizes(&p->about, size, dims, why))
		return -1;
	if (count_bytes(size, dims, p->about.element_bytes, &needed))
		return hook_fail(
		    why, "the input %s is too large or has an open size", p->about.name);
	if (needed != bytes)
		return hook_fail(why, "the input %s needs %zu bytes of %s, not %zu",
		    p->about.name, needed, p->about.type, bytes);
	if (!has_room(p, dims) && allocate(m, port, size, dims, bytes, why))
		return -1;
	memcpy(p->data, elements, bytes);
	m->unset -= !had;
	p->set_at = m->runs;
	return 0;
}

int ort_model_carry(struct backend_model *m, size_t output, size_t input, char *why)
{
	if (input >= m->inputs || output < m->inputs || output >= m->ports)
		return hook_fail(
		    why, "ports %zu and %zu are not an output and an input", output, input);
	struct ort_port *to = &m->port[input], *from = &m->port[output];

	if (to->element != from->element)
		return hook_fail(why, "the output %s is %s, and the input %s is %s",
		    from->about.name, from->about.type, to->about.name, to->about.type);
	if (!from->open && check_sizes(&to->about, from->about.size, from->about.dims, why))
		return -1;
	to->carried_from = output;
	m->carries = true;
	return 0;
}

/* Exchanges the memory of an input and of an output, which may be of two models. */
static void ports_exchange(
    struct backend_model *m, size_t input, struct backend_model *from, size_t output)
{
	struct ort_port *a = &m->port[input], *b = &from->port[output];
	struct ort_value *value = m->value[input];
	void *data = a->data;
	const size_t bytes = a->bytes;

	m->value[input] = from->value[output];
	a->data = b->data;
	a->bytes = b->bytes;
	from->value[output] = value;
	b->data = data;
	b->bytes = bytes;
}

/* Makes the elements of outputs of the last run those of inputs, whose memory becomes that
 * of the outputs. */
static int exchange_carried(struct backend_model *m, char *why)
{
	for (size_t i = 0; i < m->inputs; i++) {
		const size_t from = m->port[i].carried_from;
		struct ort_port *a = &m->port[i], *b = &m->port[from];

		if (!from || a->set_at == m->runs || !m->value[from])
			continue;
		ports_exchange(m, i, m, from);
		if (!b->open && a->bytes != b->bytes &&
		    allocate(m, from, b->about.size, b->about.dims, a->bytes, why))
			return -1;
	}
	return 0;
}

/* Drops the outputs of the last run whose sizes may differ in the next. */
static void drop_outputs(struct backend_model *m)
{
	for (size_t i = m->inputs; i < m->ports; i++)
		if (m->port[i].open && m->value[i]) {
			m->session->ort->api.value_free(m->value[i]);
			free(m->port[i].data);
			m->value[i] = NULL;
			m->port[i].data = NULL;
		}
}

int ort_session_run(struct backend_model *m, struct ort_session *session, char *why)
{
	const struct ort *o = m->session->ort;

	if (m->unset) {
		size_t i = 0;

		while (i < m->inputs && m->value[i])
			i++;
		return hook_fail(why, "the input %s has no elements", m->name[i]);
	}
	if (m->opens)
		drop_outputs(m);
	return ort_check(o,
	    o->api.run(session, NULL, (const char *const *)m->name,
	        (const struct ort_value *const *)m->value, m->inputs,
	        (const char *const *)m->name + m->inputs, m->ports - m->inputs,
	        m->value + m->inputs),
	    "", why);
}

int ort_model_run(struct backend_model *m, char *why)
{
	if (m->carries && exchange_carried(m, why))
		return -1;
	m->failed = ort_session_run(m, m->own, why) != 0;
	m->runs++;
	return m->failed ? -1 : 0;
}

int ort_model_get(struct backend_model *m, size_t port, struct backend_port *shape,
    const void **elements, size_t *bytes, char *why)
{
	const struct ort *o = m->session->ort;
	struct ort_tensor_info *tensor = NULL;
	struct ort_port now;
	void *data = NULL;
	int result;

	if (port < m->inputs || port >= m->ports)
		return hook_fail(why, "port %zu is not an output", port);
	now = m->port[port];
	*shape = now.about;
	if (m->runs == 0 || m->failed || !m->value[port])
		return hook_fail(why, "the model has not run");
	if (now.adopted_at == m->runs)
		return hook_fail(
		    why, "another model has the elements of the output %s", now.about.name);
	if (now.about.element_bytes == 0)
		return hook_fail(why, "the output %s has strings, which are not supported",
		    now.about.name);
	if (ort_check(o, o->api.value_tensor(m->value[port], &tensor), now.about.name, why))
		return -1;
	result = read_tensor(o, tensor, &now, why);
	o->api.tensor_free(tensor);
	if (result ||
	    ort_check(o, o->api.value_data(m->value[port], &data), now.about.name, why))
		return -1;
	if (count_bytes(now.about.size, now.about.dims, now.about.element_bytes, bytes))
		return hook_fail(why, "the output %s is too large", now.about.name);
	*shape = now.about;
	*elements = data;
	return 0;
}

int ort_model_adopt(struct backend_model *m, size_t input, struct backend_model *from,
    size_t output, char *why)
{
	struct ort_port *a, *b;
	struct backend_port shape;
	const void *elements;
	size_t bytes;

	if (input >= m->inputs)
		return hook_fail(why, "port %zu is not an input", input);
	if (ort_model_get(from, output, &shape, &elements, &bytes, why))
		return -1;
	a = &m->port[input];
	b = &from->port[output];
	if (a->element != b->element)
		return hook_fail(why, "the output %s is %s, and the input %s is %s",
		    b->about.name, b->about.type, a->about.name, a->about.type);
	if (check_sizes(&a->about, shape.size, shape.dims, why))
		return -1;
	m->unset -= !m->value[input];
	ports_exchange(m, input, from, output);
	a->bytes = bytes;
	a->set_at = m->runs;
	b->adopted_at = from->runs;
	if (!b->open && b->bytes != bytes)
		return allocate(from, output, b->about.size, b->about.dims, bytes, why);
	return 0;
}
