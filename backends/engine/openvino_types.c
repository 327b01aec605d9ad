/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translates element types; see openvino_types.h. */
#include <stdio.h>
#include <string.h>

#include "backends/hook/hook.h"
#include "openvino_types.h"

const struct openvino_type openvino_type_list[OPENVINO_TYPES] = {
	{ "boolean", "bool", 1 },
	{ "f16", "float16", 2 },
	{ "bf16", "bfloat16", 2 },
	{ "f32", "float32", 4 },
	{ "f64", "float64", 8 },
	{ "i8", "int8", 1 },
	{ "i16", "int16", 2 },
	{ "i32", "int32", 4 },
	{ "i64", "int64", 8 },
	{ "u8", "uint8", 1 },
	{ "u16", "uint16", 2 },
	{ "u32", "uint32", 4 },
	{ "u64", "uint64", 8 },
};

/* Writes a model in OpenVINO's own format whose inputs are named after their types. */
static size_t model_write(char *text, size_t size)
{
	size_t n = 0;

#define ADD(...) n += (size_t)snprintf(text + n, n < size ? size - n : 0, __VA_ARGS__)
	ADD("<net name=\"types\" version=\"11\"><layers>");
	for (int i = 0; i < OPENVINO_TYPES; i++) {
		ADD("<layer id=\"%d\" name=\"x%d\" type=\"Parameter\" version=\"opset1\">"
		    "<data element_type=\"%s\" shape=\"1\"/><output><port id=\"0\" "
		    "precision=\"FP32\" "
		    "names=\"%s\"><dim>1</dim></port></output></layer>",
		    2 * i, i, openvino_type_list[i].engine, openvino_type_list[i].engine);
		ADD("<layer id=\"%d\" name=\"y%d\" type=\"Result\" version=\"opset1\">"
		    "<input><port id=\"0\" "
		    "precision=\"FP32\"><dim>1</dim></port></input></layer>",
		    2 * i + 1, i);
	}
	ADD("</layers><edges>");
	for (int i = 0; i < OPENVINO_TYPES; i++)
		ADD("<edge from-layer=\"%d\" from-port=\"0\" to-layer=\"%d\" "
		    "to-port=\"0\"/>",
		    2 * i, 2 * i + 1);
	ADD("</edges></net>");
#undef ADD
	return n < size ? n : 0;
}

/* Stores the number of the type of an input that has the type's name. */
static void number_store(const struct openvino *ov, const struct ov_output_const_port *port,
    struct openvino_types *types)
{
	char *name = NULL;
	int number;

	if (ov->api.port_get_any_name(port, &name) ||
	    ov->api.port_get_element_type(port, &number))
		return;
	for (int i = 0; i < OPENVINO_TYPES; i++)
		if (strcmp(name, openvino_type_list[i].engine) == 0)
			types->number[i] = number;
	ov->api.free(name);
}

/* Returns the size of a tensor of 8 elements in bytes, or 0. */
static size_t bytes_of_tensor(const struct openvino *ov, int number)
{
	struct ov_tensor *tensor = NULL;
	int64_t eight = 8;
	size_t bytes = 0;

	if (number < 0 ||
	    ov->api.tensor_create(number, (struct openvino_shape){ 1, &eight }, &tensor))
		return 0;
	if (ov->api.tensor_get_byte_size(tensor, &bytes))
		bytes = 0;
	ov->api.tensor_free(tensor);
	return bytes;
}

int openvino_types_find(const struct openvino *ov, const struct ov_core *core,
    struct openvino_types *types, char *why)
{
	char text[8192];
	const size_t size = model_write(text, sizeof(text));
	struct ov_model *model = NULL;
	const int status =
	    ov->api.core_read_model_from_memory_buffer(core, text, size, NULL, &model);

	for (int i = 0; i < OPENVINO_TYPES; i++)
		types->number[i] = -1;
	if (status)
		return openvino_fail(ov, status, why,
		    "OpenVINO %s does not read a model of element types", ov->version);
	for (size_t i = 0; i < OPENVINO_TYPES; i++) {
		struct ov_output_const_port *port = NULL;

		if (ov->api.model_const_input_by_index(model, i, &port) == 0) {
			number_store(ov, port, types);
			ov->api.output_const_port_free(port);
		}
	}
	ov->api.model_free(model);
	for (int i = 0; i < OPENVINO_TYPES; i++)
		if (bytes_of_tensor(ov, types->number[i]) !=
		    8 * openvino_type_list[i].bytes)
			return hook_fail(why,
			    "OpenVINO %s has an unknown element type %s: use 2023.3 to "
			    "2026.4",
			    ov->version, openvino_type_list[i].engine);
	return 0;
}

const struct openvino_type *openvino_type_of(const struct openvino_types *types, int number)
{
	for (int i = 0; i < OPENVINO_TYPES; i++)
		if (types->number[i] == number)
			return &openvino_type_list[i];
	return NULL;
}
