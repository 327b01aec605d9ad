/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses headers of NumPy's arrays; see npy.h. A header is a Python dictionary such as
 * {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }, in any order of its keys.
 */
#include <stdio.h>
#include <string.h>

#include "port/npy.h"
#include "text/units.h"

enum { MAGIC = 6 };
static const char magic[MAGIC + 1] = "\x93NUMPY";

/* NumPy's codes of types: a kind and the bytes of an element. */
static const struct {
	const char *code, *type;
} types[] = {
	{ "f2", "float16" },
	{ "f4", "float32" },
	{ "f8", "float64" },
	{ "i1", "int8" },
	{ "i2", "int16" },
	{ "i4", "int32" },
	{ "i8", "int64" },
	{ "u1", "uint8" },
	{ "u2", "uint16" },
	{ "u4", "uint32" },
	{ "u8", "uint64" },
	{ "b1", "bool" },
};

bool npy_is(struct text file)
{
	return file.len >= MAGIC && memcmp(file.ptr, magic, MAGIC) == 0;
}

/* Stores the text of the header and the bytes after it. */
static bool split_header(struct text file, struct text *header, struct text *elements)
{
	const unsigned char *p = (const unsigned char *)file.ptr;
	size_t begin = 10, len;

	if (file.len < begin)
		return false;
	len = (size_t)p[8] | (size_t)p[9] << 8;
	if (p[MAGIC] >= 2) {
		begin = 12;
		if (file.len < begin)
			return false;
		len |= (size_t)p[10] << 16 | (size_t)p[11] << 24;
	}
	if (p[MAGIC] < 1 || p[MAGIC] > 3 || len > file.len - begin)
		return false;
	*header = (struct text){ file.ptr + begin, len };
	*elements = text_after(file, begin + len);
	return true;
}

/* Returns the text after a key and its colon; empty if there is no such key. */
static struct text after_key(struct text header, const char *key)
{
	size_t len = strlen(key);

	for (size_t i = 0; i + len + 2 < header.len; i++) {
		const char *p = header.ptr + i;

		if ((*p == '\'' || *p == '"') && memcmp(p + 1, key, len) == 0 &&
		    p[len + 1] == *p) {
			size_t at = i + len + 2;

			while (at < header.len &&
			       (header.ptr[at] == ' ' || header.ptr[at] == ':'))
				at++;
			return text_after(header, at);
		}
	}
	return (struct text){ 0 };
}

static int read_type(struct text value, struct npy *out, struct fault *f)
{
	char order;

	if (value.len < 5 || (value.ptr[0] != '\'' && value.ptr[0] != '"') ||
	    value.ptr[4] != value.ptr[0])
		return fault_set(f, "its elements are not plain numbers");
	order = value.ptr[1];
	for (size_t i = 0; i < COUNT(types); i++)
		if (memcmp(types[i].code, value.ptr + 2, 2) == 0) {
			snprintf(out->type, sizeof(out->type), "%s", types[i].type);
			return order == '>' && value.ptr[3] != '1'
			           ? fault_set(
			                 f, "its elements are big-endian: convert them")
			           : 0;
		}
	return fault_set(f, "its elements have the unknown type '%.3s'", value.ptr + 1);
}

static int read_shape(struct text value, struct npy *out, struct fault *f)
{
	size_t at = 1;

	if (!value.len || *value.ptr != '(')
		return fault_set(f, "its header has no shape");
	for (;;) {
		struct text number;

		while (at < value.len && (value.ptr[at] == ' ' || value.ptr[at] == ','))
			at++;
		if (at < value.len && value.ptr[at] == ')')
			return 0;
		number = (struct text){ value.ptr + at, 0 };
		while (at < value.len && value.ptr[at] >= '0' && value.ptr[at] <= '9')
			at++;
		number.len = (size_t)(value.ptr + at - number.ptr);
		if (out->dims == NPY_DIMS ||
		    !integer_parse(number, &out->size[out->dims++]))
			return fault_set(f, "the shape in its header is malformed");
	}
}

int npy_read(struct text file, struct npy *out, struct fault *f)
{
	struct text header, order;

	*out = (struct npy){ 0 };
	if (!npy_is(file) || !split_header(file, &header, &out->elements))
		return fault_set(f, "its header is truncated or malformed");
	order = after_key(header, "fortran_order");
	if (order.len >= 4 && memcmp(order.ptr, "True", 4) == 0)
		return fault_set(
		    f, "its elements are in column-major order: save a C-ordered copy");
	return read_type(after_key(header, "descr"), out, f) < 0 ||
	               read_shape(after_key(header, "shape"), out, f) < 0
	           ? -1
	           : 0;
}
