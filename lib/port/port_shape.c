/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes of inputs; see port_shape.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "port/port_shape.h"
#include "port/port_store.h"
#include "text/units.h"

/* The largest number of elements of an input. */
static const double most_elements = 0x1p40;

void port_dimension_name(
    const struct backend_port *p, uint32_t dim, char name[PORT_DIMENSION_MAX])
{
	snprintf(name, PORT_DIMENSION_MAX, "%.*s.%u", BACKEND_PORT_NAME - 1, p->name,
	    (unsigned)(dim % BACKEND_PORT_DIMS));
}

const char *port_dimension_value(
    const struct backend_port *p, uint32_t dim, const struct binding *value, size_t values)
{
	char name[PORT_DIMENSION_MAX];

	port_dimension_name(p, dim, name);
	for (size_t i = 0; i < values; i++)
		if (strcmp(value[i].name, name) == 0)
			return value[i].value;
	for (size_t i = 0; *p->symbol[dim] && i < values; i++)
		if (strcmp(value[i].name, p->symbol[dim]) == 0)
			return value[i].value;
	return NULL;
}

int port_sizes(const struct backend_port *p, const struct binding *value, size_t values,
    int64_t size[BACKEND_PORT_DIMS], struct fault *f)
{
	double elements = 1;

	for (uint32_t i = 0; i < p->dims; i++) {
		const char *text =
		    p->size[i] < 0 ? port_dimension_value(p, i, value, values) : NULL;
		uint64_t count;
		struct fault why;

		size[i] = p->size[i];
		if (p->size[i] < 0) {
			if (!text)
				return fault_set(f,
				    "input '%s' needs a size of dimension %u", p->name,
				    (unsigned)i);
			if (units_count(text, &count, &why) < 0 || count > INT64_MAX)
				return fault_set(f,
				    "input '%s': '%s' is not a size of dimension %u",
				    p->name, text, (unsigned)i);
			size[i] = (int64_t)count;
		}
		elements *= (double)size[i];
	}
	return elements <= most_elements
	           ? 0
	           : fault_set(
	                 f, "input '%s' has too many elements: %g", p->name, elements);
}

bool port_is_number(const struct backend_port *p)
{
	return p->element_bytes && port_takes_numbers(p) && !port_is_float(p) &&
	       (p->dims == 0 || (p->dims == 1 && (strcmp(p->type, "bool") == 0 ||
	                                             p->element_bytes >= 4)));
}

size_t port_elements(const int64_t *size, uint32_t dims)
{
	size_t count = 1;

	for (uint32_t i = 0; i < dims; i++)
		count *= (size_t)size[i];
	return count;
}

char *port_shape_text(const int64_t *size, uint32_t dims)
{
	struct buf text = { 0 };

	for (uint32_t i = 0; i < dims; i++)
		buf_printf(&text, "%s%" PRId64, i ? "x" : "", size[i]);
	return text.ptr ? text.ptr : str_copy("scalar");
}
