/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds counters to the list of a source; see energy_source.h. */
#include "energy/energy_source.h"

struct energy_counter *energy_counter_add(
    struct energy_counter_list *list, const struct energy_source *source)
{
	struct energy_counter *c = VEC_ADD(list->counter, list->count, list->cap);

	*c = (struct energy_counter){ .source = source, .access = source->name, .fd = -1 };
	return c;
}
