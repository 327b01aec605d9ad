/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads names from ONNX files; OpenVINO keeps only some of them: those of open dimensions
 * and of outputs. Only the few fields on the way to them are read, in place; anything
 * unexpected ends the search. The numbers of fields are those of onnx.proto.
 */
#include <stdio.h>
#include <string.h>

#include "openvino_session.h"

/* A part of the file. */
struct wire {
	const unsigned char *at, *end;
};

/* Reads a number of 7 bits per byte. Returns whether it is complete. */
static bool wire_number(struct wire *w, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 64 && w->at < w->end; shift += 7) {
		const unsigned char byte = *w->at++;

		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

/* Reads a field, and stores its contents if it has a length. Returns its number, or 0 at
 * the end. */
static uint64_t wire_field(struct wire *w, struct wire *contents)
{
	static const unsigned fixed[] = { [1] = 8, [5] = 4 };
	uint64_t key, size = 0;

	if (!wire_number(w, &key))
		return 0;
	*contents = (struct wire){ w->at, w->at };
	switch (key & 7) {
	case 0:
		if (!wire_number(w, &size))
			return 0;
		return key >> 3;
	case 2:
		if (!wire_number(w, &size))
			return 0;
		break;
	case 1:
	case 5:
		size = fixed[key & 7];
		break;
	default:
		return 0;
	}
	if (size > (uint64_t)(w->end - w->at))
		return 0;
	*contents = (struct wire){ w->at, w->at + size };
	w->at += size;
	return key >> 3;
}

/* Stores the contents of the first field of a number. Returns whether there is one. */
static bool wire_find(struct wire w, uint64_t number, struct wire *contents)
{
	for (uint64_t field; (field = wire_field(&w, contents));)
		if (field == number)
			return true;
	return false;
}

/* Copies a string if it is not empty and fits. */
static void wire_copy(struct wire from, char *text, size_t size)
{
	const size_t length = (size_t)(from.end - from.at);

	if (length > 0 && length < size && !memchr(from.at, '\0', length)) {
		memcpy(text, from.at, length);
		text[length] = '\0';
	}
}

/* Stores the names of the dimensions of an input or output. */
static void dimensions_read(struct wire info, struct backend_port *p)
{
	enum {
		INFO_TYPE = 2,
		TYPE_TENSOR = 1,
		TENSOR_SHAPE = 2,
		SHAPE_DIM = 1,
		DIM_PARAM = 2
	};
	struct wire type, tensor, shape, dim, name;
	uint32_t i = 0;

	if (!wire_find(info, INFO_TYPE, &type) || !wire_find(type, TYPE_TENSOR, &tensor) ||
	    !wire_find(tensor, TENSOR_SHAPE, &shape))
		return;
	for (uint64_t field; i < p->dims && (field = wire_field(&shape, &dim));)
		if (field == SHAPE_DIM) {
			if (p->size[i] < 0 && wire_find(dim, DIM_PARAM, &name))
				wire_copy(name, p->symbol[i], sizeof(p->symbol[i]));
			i++;
		}
}

/* Returns the input of a name, or NULL. */
static struct backend_port *input_find(
    struct wire name, struct backend_port *port, size_t ports)
{
	const size_t length = (size_t)(name.end - name.at);

	for (size_t i = 0; i < ports; i++)
		if (!port[i].output && strlen(port[i].name) == length &&
		    memcmp(port[i].name, name.at, length) == 0)
			return &port[i];
	return NULL;
}

void openvino_onnx_names(
    const void *bytes, size_t size, struct backend_port *port, size_t ports)
{
	enum { MODEL_GRAPH = 7, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12, INFO_NAME = 1 };
	const struct wire file = { bytes, (const unsigned char *)bytes + size };
	struct wire graph, info, name;
	size_t output = 0;

	while (output < ports && !port[output].output)
		output++;
	if (!wire_find(file, MODEL_GRAPH, &graph))
		return;
	for (uint64_t field; (field = wire_field(&graph, &info));) {
		struct backend_port *p = NULL;

		if ((field != GRAPH_INPUT && field != GRAPH_OUTPUT) ||
		    !wire_find(info, INFO_NAME, &name))
			continue;
		if (field == GRAPH_INPUT) {
			p = input_find(name, port, ports);
		} else if (output < ports) {
			p = &port[output++];
			wire_copy(name, p->name, sizeof(p->name));
		}
		if (p)
			dimensions_read(info, p);
	}
}
