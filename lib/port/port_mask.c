/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds attention masks; see port_mask.h.
 */
#include <strings.h>

#include "port/port_mask.h"
#include "port/port_shape.h"
#include "port/port_store.h"

bool port_is_mask(const struct backend_port *p)
{
	for (const char *s = p->name; *s; s++)
		if (strncasecmp(s, "mask", 4) == 0)
			return true;
	return false;
}

static bool same_sizes(const struct backend_port *a, const struct backend_port *b,
    const struct binding *value, size_t values)
{
	int64_t size_a[BACKEND_PORT_DIMS], size_b[BACKEND_PORT_DIMS];
	struct fault ignored;

	return a->dims == b->dims && port_sizes(a, value, values, size_a, &ignored) == 0 &&
	       port_sizes(b, value, values, size_b, &ignored) == 0 &&
	       memcmp(size_a, size_b, a->dims * sizeof(*size_a)) == 0;
}

/* Returns the number of characters with which both names begin. */
static size_t common_begin(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

/* Returns whether mask `a` belongs to the tokens rather than mask `b`. */
static bool fits_better(const char *a, const char *b, const char *tokens)
{
	const size_t begin_a = common_begin(a, tokens), begin_b = common_begin(b, tokens);

	return begin_a != begin_b ? begin_a > begin_b : strlen(a) < strlen(b);
}

size_t port_mask_of(const struct backend_port *port, size_t inputs, size_t tokens,
    const struct binding *value, size_t values)
{
	size_t found = inputs;

	for (size_t i = 0; i < inputs; i++)
		if (i != tokens && port_is_mask(&port[i]) && port_takes_numbers(&port[i]) &&
		    same_sizes(&port[i], &port[tokens], value, values) &&
		    (found == inputs ||
		        fits_better(port[i].name, port[found].name, port[tokens].name)))
			found = i;
	return found;
}
