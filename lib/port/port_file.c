/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads inputs; see port_file.h.
 */
#include <stdlib.h>

#include "port/npy.h"
#include "port/port_file.h"
#include "port/port_shape.h"

/* Compares an array with the input. Returns 0, or -1 and the message. */
static int check_array(const char *path, const struct npy *a, const struct backend_port *p,
    const int64_t *size, struct fault *f)
{
	bool same = a->dims == p->dims;
	int status = 0;

	for (uint32_t i = 0; same && i < p->dims; i++)
		same = a->size[i] == size[i];
	if (strcmp(a->type, p->type) != 0)
		return fault_set(f, "%s: its elements are %s, but input '%s' is %s", path,
		    a->type, p->name, p->type);
	if (!same) {
		char *has = port_shape_text(a->size, a->dims),
		     *wants = port_shape_text(size, p->dims);

		status = fault_set(f, "%s: its shape is %s, but input '%s' is %s", path,
		    has, p->name, wants);
		free(has);
		free(wants);
	}
	return status;
}

int port_file_read(const char *path, const struct backend_port *p, const int64_t *size,
    struct buf *out, struct fault *f)
{
	const size_t count = port_elements(size, p->dims),
	             wanted = count * p->element_bytes;
	struct buf file = { 0 };
	struct text elements;
	struct fault why;
	struct npy array;
	int status = file_read(path, &file, f);

	elements = (struct text){ file.ptr, file.len };
	if (status == 0 && npy_is(elements)) {
		if (npy_read(elements, &array, &why) < 0)
			status = fault_set(f, "%s: %s", path, why.text);
		else
			status = check_array(path, &array, p, size, f);
		elements = array.elements;
	}
	if (status == 0 && elements.len != wanted)
		status = fault_set(f,
		    "%s: it has %zu bytes of elements, but input '%s' needs %zu: %zu of %s",
		    path, elements.len, p->name, wanted, count, p->type);
	if (status == 0)
		buf_put(out, elements.ptr ? elements.ptr : "", elements.len);
	buf_free(&file);
	return status;
}
