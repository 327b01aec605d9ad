/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws inputs; see whole_inputs.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fill.h"
#include "port/port_mask.h"
#include "port/port_shape.h"
#include "port/port_store.h"
#include "text/units.h"
#include "whole_inputs.h"

enum { CHUNK = 1 << 14 }; /* elements that are drawn at once */

/* Returns whether all elements of an integer input are 1. */
static bool is_mask(const struct backend_port *p, const struct graph *known)
{
	return known || strcmp(p->type, "bool") == 0 || port_is_mask(p);
}

int whole_input_number(const struct backend_port *p, const int64_t *size,
    const struct binding *param, size_t params, struct buf *out, struct fault *f)
{
	struct fault ignored;
	double number;

	for (size_t i = 0; i < params && port_is_number(p); i++) {
		if (strcmp(param[i].name, p->name) != 0)
			continue;
		if (units_number(param[i].value, &number, &ignored) < 0 || number < 0 ||
		    number > 0x1p53 || number != floor(number))
			return fault_set(f,
			    "%s=%s: this input is a whole number, or 0 or 1 for a truth "
			    "value",
			    p->name, param[i].value);
		for (size_t k = port_elements(size, p->dims); k > 0; k--)
			port_store(p, &number, 1, out);
		return 1;
	}
	return 0;
}

int whole_input_draw(const struct backend_port *p, const int64_t *size, uint64_t seed,
    const struct graph *known, struct buf *out, struct fault *f)
{
	const size_t count = port_elements(size, p->dims);
	struct graph_value value = {
		.name = (char *)p->name, .fill = FILL_NORMAL, .spread = 1
	};
	struct fill fill;
	double *drawn;

	if (!port_takes_numbers(p))
		return fault_set(f,
		    "input '%s' is %s, which cannot be generated: give it with --input "
		    "%s=PATH",
		    p->name, p->type, p->name);
	if (!port_is_float(p)) {
		const uint32_t number = known ? graph_find(known, p->name) : GRAPH_NONE;

		value = (struct graph_value){ .name = (char *)p->name,
			.fill = is_mask(p, known) ? FILL_VALUE : FILL_BELOW,
			.at = 1,
			.spread = 2 };
		if (number != GRAPH_NONE && known->value[number].fill == FILL_BELOW) {
			value.fill = FILL_BELOW;
			value.spread = known->value[number].spread;
		}
	}
	fill_begin(&fill, &value, seed);
	drawn = mem_zero(CHUNK, sizeof(*drawn));
	buf_room(out, count * p->element_bytes);
	for (size_t at = 0; at < count; at += CHUNK) {
		const size_t n = count - at < CHUNK ? count - at : CHUNK;

		fill_next(&fill, drawn, n);
		port_store(p, drawn, n, out);
	}
	free(drawn);
	return 0;
}
