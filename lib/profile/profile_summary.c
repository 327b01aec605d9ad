/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summarizes a profile; see profile_summary.h. */
#include <stdlib.h>

#include "profile/flat_profile.h"
#include "profile/profile_summary.h"
#include "text/units.h"

/* Returns the sum of a value over all stacks. */
static double sum_of(const struct stacks *stacks, unsigned which)
{
	double sum = 0;

	for (size_t i = 0; i < stacks->count; i++)
		sum += (double)stacks_value(stacks, i, which);
	return sum;
}

void profile_summary(struct buf *out, const struct profile *p,
    struct symbolizer *symbolizer, const struct profile_summary_opts *opts)
{
	const struct flat_profile_opts flat = { .which = opts->shown,
		.least = opts->least };
	char text[64];

	units_print(
	    text, sizeof(text), sum_of(&p->stacks, opts->amount), opts->event->unit);
	buf_printf(out, "%s: %.0f %s, %s of %s, %llu lost\n", opts->file,
	    sum_of(&p->stacks, opts->count), opts->counted, text, opts->event->name,
	    (unsigned long long)p->lost);
	flat_profile_brief(&p->stacks, p->maps, symbolizer, &flat, out);
}
