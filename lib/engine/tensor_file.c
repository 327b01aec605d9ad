/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads inputs of lists; see tensor_file.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/integer_type.h"
#include "engine/tensor_file.h"
#include "graph/dtype.h"
#include "port/npy.h"
#include "port/port_file.h"
#include "port/port_shape.h"

/* Returns the element type in the file. */
static enum backend_dtype file_dtype(enum backend_dtype dtype)
{
	return dtype_is_float(dtype) ? BACKEND_FLOAT32 : dtype;
}

/* Converts the elements of an array. Returns 0, or -1 and the message. */
static int load_array(const struct npy *a, size_t count, double *out, struct fault *f)
{
	const int dtype = dtype_find(a->type);
	const size_t bytes = dtype < 0 ? integer_type_bytes(a->type)
	                               : dtype_bytes((enum backend_dtype)dtype);

	if (a->elements.len != count * bytes)
		return fault_set(f, "its elements have %zu bytes instead of %zu",
		    a->elements.len, count * bytes);
	if (dtype >= 0)
		dtype_load((enum backend_dtype)dtype, out, a->elements.ptr, count);
	else
		integer_type_load(a->type, a->elements.ptr, count, out);
	return 0;
}

/* Returns whether an array has these sizes. Those of an input with more dimensions than
 * backends have are joined from the first on, and an input of one number has one. */
static bool has_sizes(const struct npy *a, const int64_t *size, uint32_t dims)
{
	const uint32_t more = dims == BACKEND_DIMS && a->dims > dims ? a->dims - dims : 0;
	int64_t first = 1;

	if (a->dims == 0 && dims == 1)
		return size[0] == 1;
	if (a->dims != dims + more)
		return false;
	for (uint32_t i = 0; i <= more && i < a->dims; i++) {
		if (a->size[i] > 0 && first > size[0] / a->size[i])
			return false;
		first *= a->size[i];
	}
	for (uint32_t i = 1; i < dims; i++)
		if (a->size[more + i] != size[i])
			return false;
	return dims == 0 || first == size[0];
}

/* Reads an array with these sizes. Returns 0, or -1 and the message. */
static int read_array(
    struct text file, const int64_t *size, uint32_t dims, double *out, struct fault *f)
{
	struct npy array;

	if (npy_read(file, &array, f) < 0)
		return -1;
	if (!has_sizes(&array, size, dims)) {
		char *has = port_shape_text(array.size, array.dims),
		     *wants = port_shape_text(size, dims);

		fault_set(f, "its shape is %s instead of %s", has, wants);
		free(has);
		free(wants);
		return -1;
	}
	return load_array(&array, port_elements(size, dims), out, f);
}

/* Reads a file whose elements have these sizes. */
static int read_one(const char *path, const char *input, enum backend_dtype dtype,
    const int64_t *size, uint32_t dims, double *out, struct fault *f)
{
	struct buf bytes = { 0 };
	struct fault why;
	const size_t count = port_elements(size, dims), wanted = count * dtype_bytes(dtype);
	int status = port_file_bytes(path, input, &bytes, f);

	if (status == 0 && npy_is(text_in(&bytes))) {
		status = read_array(
		    text_in(&bytes), size, dims, out, &why);
		if (status < 0)
			fault_set(f, "%s: %s", path, why.text);
	} else if (status == 0 && bytes.len != wanted)
		status = fault_set(f,
		    "%s: the file has %zu bytes, but %zu numbers of %s need %zu", path,
		    bytes.len, count, dtype_name(dtype), wanted);
	else if (status == 0)
		dtype_load(dtype, out, bytes.ptr, count);
	buf_free(&bytes);
	return status;
}

int tensor_source_open(
    const char *spec, const struct graph_value *v, struct tensor_source *s, struct fault *f)
{
	struct backend_port *p = &s->port;
	const struct port_source_opts opts = {
		.port = p, .size = v->size, .rows = v->fill == FILL_BELOW ? v->spread : 0
	};

	*p = (struct backend_port){ .element_bytes = (uint32_t)dtype_bytes(v->dtype),
		.dims = v->dims };
	snprintf(p->name, sizeof(p->name), "%s", v->name);
	snprintf(p->type, sizeof(p->type), "%s", dtype_name(v->dtype));
	return port_source_open(spec, &opts, &s->from, f);
}

void tensor_source_close(struct tensor_source *s)
{
	port_source_free(&s->from);
}

int tensor_file_read(const struct tensor_source *s, const struct graph_value *v,
    size_t batch, double *out, struct fault *f)
{
	const struct port_source *from = &s->from;
	const enum backend_dtype dtype = file_dtype(v->dtype);
	size_t each;
	int status = 0;

	if (from->kind != PORT_ARRAYS)
		return port_source_numbers(from, batch, out, f);
	if (!from->directory)
		return read_one(from->file[0], v->name, dtype, v->size, v->dims, out, f);
	each = from->rows ? (size_t)graph_elements(v) / from->rows : 0;
	for (size_t row = 0; status == 0 && row < from->rows; row++)
		status = read_one(from->file[port_source_at(from, batch, row)], v->name,
		    dtype, v->size + 1, v->dims - 1, out + row * each, f);
	return status;
}
