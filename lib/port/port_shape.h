/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes of the inputs of whole models. A model may leave dimensions open; each has a name,
 * by which -P sets its size: "INPUT.K" for dimension K, counted from 0, of an input, and
 * the symbol that the model may give it. Pure.
 */
#ifndef PORT_PORT_SHAPE_H
#define PORT_PORT_SHAPE_H

#include "bench-engine.h"
#include "text/shell_words.h"

enum { PORT_DIMENSION_MAX = BACKEND_PORT_NAME + 8 };

/* Stores the name "INPUT.K" of a dimension. */
void port_dimension_name(
    const struct backend_port *p, uint32_t dim, char name[PORT_DIMENSION_MAX]);
/* Returns the value of a dimension in a list of names and values, or NULL. */
const char *port_dimension_value(
    const struct backend_port *p, uint32_t dim, const struct binding *value, size_t values);
/* Stores the sizes of an input, with these values of its open dimensions. Returns 0, or -1
 * and the message if one is missing or is not a size, or if the input is too large. */
int port_sizes(const struct backend_port *p, const struct binding *value, size_t values,
    int64_t size[BACKEND_PORT_DIMS], struct fault *f);
/* Returns whether an input is a whole number or a truth value, or a list of them, all of
 * which -P sets by the name of the input. */
bool port_is_number(const struct backend_port *p);
/* Returns the number of elements. */
size_t port_elements(const int64_t *size, uint32_t dims);
/* Returns the sizes as a string such as "1x3x224x224", or "scalar"; the caller frees it. */
char *port_shape_text(const int64_t *size, uint32_t dims);

#endif
