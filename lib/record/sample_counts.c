/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers samples; see sample_counts.h.
 */
#include <stdlib.h>

#include "record/sample_counts.h"

int64_t sample_counts_next(struct sample_counts *c, struct text name)
{
	size_t at = intern_add(&c->names, name);

	if (at == c->count)
		*VEC_ADD(c->number, c->count, c->cap) = 0;
	return c->number[at]++;
}

void sample_counts_free(struct sample_counts *c)
{
	intern_free(&c->names);
	free(c->number);
}
