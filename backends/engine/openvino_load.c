/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads models and gives their open dimensions values. OpenVINO does not keep the names of
 * dimensions, so that those of ONNX files are read from the file itself; in other formats,
 * and where the file gives none, dimension 0 of input x is named "x.0".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/hook/hook.h"
#include "engine_mute.h"
#include "openvino_session.h"

const char openvino_formats[] = "onnx xml tflite pb pdmodel";

/* Checks what OpenVINO reports badly. Returns 0, or -1 and the reason. */
static int source_check(const char *path, char *why)
{
	const char *dot = strrchr(path, '.');
	char weights[4096];

	if (access(path, R_OK))
		return hook_fail(why, "%m");
	if (!dot || !openvino_lists(openvino_formats, dot + 1))
		return hook_fail(
		    why, "OpenVINO reads files with the extensions %s", openvino_formats);
	if (strcmp(dot, ".xml") != 0)
		return 0;
	snprintf(weights, sizeof(weights), "%.*s.bin", (int)(dot - path), path);
	if (access(weights, R_OK))
		return hook_fail(why, "its weights, %s: %m", weights);
	return 0;
}

/* Writes why a model cannot be read. Returns -1. */
static int source_fail(const struct openvino *ov, int status,
    const struct backend_model_source *from, char *why)
{
	const char *message = ov->api.get_last_err_msg();
	const char *dot = from->path ? strrchr(from->path, '.') : ".onnx";

	/* Its message has the name of the file and many formats, in its own words. */
	if (message && strstr(message, "Unable to read the model"))
		return hook_fail(why,
		    "the file is damaged, or OpenVINO %s does not read the format %s",
		    ov->version, dot + 1);
	return openvino_fail(ov, status, why, "OpenVINO cannot read the model");
}

/* Reads the model into memory. Returns 0, or -1 and the reason. */
static int source_read(
    struct backend_model *m, const struct backend_model_source *from, char *why)
{
	const struct openvino *ov = m->s->ov;
	struct engine_mute mute;
	int status;

	if (from->path && source_check(from->path, why))
		return -1;
	mute = engine_mute_begin();
	status = from->path
	             ? ov->api.core_read_model(m->s->core, from->path, NULL, &m->model)
	             : ov->api.core_read_model_from_memory_buffer(
	                   m->s->core, from->bytes, from->size, NULL, &m->model);
	engine_mute_end(mute);
	return status ? source_fail(ov, status, from, why) : 0;
}

/* Describes the sizes of a port. Returns 0, or -1 and the reason. */
static int sizes_describe(const struct openvino *ov, const struct ov_output_const_port *at,
    struct backend_port *p, char *why)
{
	struct openvino_open_shape shape = { { 0, 0 }, NULL };
	const int status = ov->api.port_get_partial_shape(at, &shape);
	int result = 0;

	if (status)
		return openvino_fail(ov, status, why, "%s has no sizes", p->name);
	if (shape.rank.least != shape.rank.most || shape.rank.most > BACKEND_PORT_DIMS)
		result = hook_fail(why, "%s has %s number of dimensions", p->name,
		    shape.rank.least != shape.rank.most ? "an open" : "too large a");
	else
		p->dims = (uint32_t)shape.rank.most;
	for (uint32_t i = 0; i < p->dims; i++)
		p->size[i] =
		    shape.size[i].least == shape.size[i].most ? shape.size[i].least : -1;
	ov->api.partial_shape_free(&shape);
	return result;
}

/* Describes input or output i. Returns 0, or -1 and the reason. */
static int port_describe(
    const struct backend_model *m, bool output, size_t i, struct backend_port *p, char *why)
{
	const struct openvino *ov = m->s->ov;
	struct ov_output_const_port *at = NULL;
	const struct openvino_type *type;
	char *name = NULL;
	int number = -1, result = -1;
	const int status = output ? ov->api.model_const_output_by_index(m->model, i, &at)
	                          : ov->api.model_const_input_by_index(m->model, i, &at);

	if (status)
		return openvino_fail(
		    ov, status, why, "%s %zu", output ? "output" : "input", i);
	*p = (struct backend_port){ .output = output };
	if (ov->api.port_get_any_name(at, &name) == 0) {
		snprintf(p->name, sizeof(p->name), "%s", name);
		ov->api.free(name);
	} else {
		snprintf(p->name, sizeof(p->name), "%s%zu", output ? "output" : "input", i);
	}
	ov->api.port_get_element_type(at, &number);
	type = openvino_type_of(&m->s->types, number);
	if (!type) {
		hook_fail(why,
		    "the elements of the %s %s are not numbers of 8 to 64 bits or truth "
		    "values",
		    output ? "output" : "input", p->name);
	} else {
		snprintf(p->type, sizeof(p->type), "%s", type->name);
		p->element_bytes = type->bytes;
		result = sizes_describe(ov, at, p, why);
	}
	ov->api.output_const_port_free(at);
	return result;
}

/* Names open dimensions that have no name after their input and position. */
static void dimensions_name(struct backend_port *p)
{
	char name[BACKEND_PORT_SYMBOL];

	for (uint32_t i = 0; i < p->dims; i++)
		if (p->size[i] < 0 && !*p->symbol[i]) {
			snprintf(name, sizeof(name), "%.*s.%hhu", (int)sizeof(name) - 5,
			    p->name, (unsigned char)i);
			memcpy(p->symbol[i], name, sizeof(name));
		}
}

/* Reads the names that OpenVINO does not keep from an ONNX file. A file that cannot be
 * mapped has none. */
static void names_read(struct backend_model *m, const struct backend_model_source *from)
{
	const size_t ports = m->inputs + m->outputs;
	struct stat st;
	int fd;

	if (from->bytes)
		openvino_onnx_names(from->bytes, from->size, m->port, ports);
	if (!from->path || strcmp(strrchr(from->path, '.'), ".onnx") != 0)
		return;
	fd = open(from->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_size > 0) {
		void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (bytes != MAP_FAILED) {
			openvino_onnx_names(bytes, (size_t)st.st_size, m->port, ports);
			munmap(bytes, (size_t)st.st_size);
		}
	}
	close(fd);
}

/* Describes all inputs and outputs. Returns 0, or -1 and the reason. */
static int ports_describe(
    struct backend_model *m, const struct backend_model_source *from, char *why)
{
	for (size_t i = 0; i < m->inputs + m->outputs; i++) {
		const bool output = i >= m->inputs;

		if (port_describe(m, output, output ? i - m->inputs : i, &m->port[i], why))
			return -1;
	}
	names_read(m, from);
	for (size_t i = 0; i < m->inputs + m->outputs; i++)
		dimensions_name(&m->port[i]);
	return 0;
}

/* Allocates the descriptions of the inputs and outputs. Returns 0, or -1 and the reason. */
static int ports_create(struct backend_model *m, char *why)
{
	const struct openvino_api *api = &m->s->ov->api;

	if (api->model_inputs_size(m->model, &m->inputs) ||
	    api->model_outputs_size(m->model, &m->outputs))
		return hook_fail(why, "the model has no list of inputs and outputs");
	if (!m->outputs)
		return hook_fail(why, "no output of the model is a tensor");
	if (m->inputs + m->outputs > OPENVINO_PORTS)
		return hook_fail(why,
		    "the model has %zu inputs and outputs; at most %d "
		    "are supported",
		    m->inputs + m->outputs, OPENVINO_PORTS);
	m->port = calloc(m->inputs + m->outputs + 1, sizeof(*m->port));
	m->set = calloc(m->inputs + 1, sizeof(*m->set));
	m->own = calloc(m->inputs + 1, sizeof(*m->own));
	m->carry = calloc(m->inputs + 1, sizeof(*m->carry));
	if (!m->port || !m->set || !m->own || !m->carry)
		return hook_fail(why, "out of memory");
	return 0;
}

/* The new sizes of an input. */
struct input_sizes {
	struct openvino_range size[BACKEND_PORT_DIMS];
	bool changed;
};

/* Stores the value of a dimension in all inputs that have it. Returns 0, or -1 and the
 * reason. */
static int dimension_store(const struct backend_model *m, struct input_sizes *sizes,
    const struct backend_option *dimension, char *why)
{
	char *end;
	const long long value = strtoll(dimension->value, &end, 10);
	bool found = false;

	for (size_t i = 0; i < m->inputs; i++)
		for (uint32_t k = 0; k < m->port[i].dims; k++)
			if (strcmp(m->port[i].symbol[k], dimension->name) == 0) {
				sizes[i].size[k] = (struct openvino_range){ value, value };
				sizes[i].changed = found = true;
			}
	if (!found)
		return hook_fail(
		    why, "no input has an open dimension '%s'", dimension->name);
	if (*end || end == dimension->value || value < 0)
		return hook_fail(why, "dimension %s: '%s' is not a number from 0",
		    dimension->name, dimension->value);
	return 0;
}

/* Gives the inputs whose sizes have changed these sizes. Returns OpenVINO's status. */
static int inputs_reshape(const struct backend_model *m, struct input_sizes *sizes,
    struct openvino_open_shape *shape, size_t *index)
{
	size_t count = 0;

	for (size_t i = 0; i < m->inputs; i++)
		if (sizes[i].changed) {
			index[count] = i;
			shape[count].rank =
			    (struct openvino_range){ m->port[i].dims, m->port[i].dims };
			shape[count++].size = sizes[i].size;
		}
	return m->s->ov->api.model_reshape_by_port_indexes(m->model, index, shape, count);
}

/* Gives the open dimensions the values of the source. Returns 0, or -1 and the reason. */
static int dimensions_apply(
    struct backend_model *m, const struct backend_model_source *from, char *why)
{
	struct input_sizes *sizes = calloc(m->inputs + 1, sizeof(*sizes));
	struct openvino_open_shape *shape = calloc(m->inputs + 1, sizeof(*shape));
	size_t *index = calloc(m->inputs + 1, sizeof(*index));
	int result = -1, status;

	if (!sizes || !shape || !index) {
		hook_fail(why, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < m->inputs; i++)
		for (uint32_t k = 0; k < m->port[i].dims; k++) {
			const int64_t size = m->port[i].size[k];

			sizes[i].size[k] = (struct openvino_range){ size, size };
		}
	for (size_t i = 0; i < from->dimensions; i++)
		if (dimension_store(m, sizes, &from->dimension[i], why))
			goto out;
	status = inputs_reshape(m, sizes, shape, index);
	result = status ? openvino_fail(m->s->ov, status, why,
	                      "the model cannot have these dimensions")
	                : ports_describe(m, from, why);
out:
	free(sizes);
	free(shape);
	free(index);
	return result;
}

struct backend_model *openvino_model_load(
    struct backend_session *s, const struct backend_model_source *from, char *why)
{
	struct backend_model *m = calloc(1, sizeof(*m));
	int status;

	if (!m) {
		hook_fail(why, "out of memory");
		return NULL;
	}
	m->s = s;
	m->cache = openvino_option_given(from, "CACHE_DIR");
	if (source_read(m, from, why) || ports_create(m, why) ||
	    ports_describe(m, from, why) ||
	    (from->dimensions > 0 && dimensions_apply(m, from, why)) ||
	    openvino_model_compile(m, from, false, &m->compiled, why) ||
	    (from->profile && openvino_options_keep(m, from, why)))
		goto fail;
	status = s->ov->api.compiled_model_create_infer_request(m->compiled, &m->request);
	if (status == 0)
		return m;
	openvino_fail(s->ov, status, why, "the model cannot run");
fail:
	openvino_model_unload(m);
	return NULL;
}

void openvino_model_unload(struct backend_model *m)
{
	const struct openvino_api *api = &m->s->ov->api;

	if (m->held)
		api->tensor_free(m->held);
	for (size_t i = 0; i < m->carries; i++) {
		api->tensor_free(m->carry[i].from);
		api->tensor_free(m->carry[i].to);
		if (m->carry[i].lent)
			api->tensor_free(m->carry[i].lent);
	}
	if (m->spare)
		api->infer_request_free(m->spare);
	if (m->request)
		api->infer_request_free(m->request);
	if (m->compiled)
		api->compiled_model_free(m->compiled);
	if (m->model)
		api->model_free(m->model);
	openvino_options_free(m);
	free(m->port);
	for (size_t i = 0; m->own && i < m->inputs; i++)
		if (m->own[i])
			api->tensor_free(m->own[i]);
	free(m->own);
	free(m->set);
	free(m->carry);
	free(m);
}
