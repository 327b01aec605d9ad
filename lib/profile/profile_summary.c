/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summarizes a profile; see profile_summary.h. */
#include <stdlib.h>

#include "profile/flat_profile.h"
#include "profile/profile_summary.h"
#include "text/units.h"

void profile_summary(struct buf *out, const struct profile *p,
    struct symbolizer *symbolizer, const struct profile_summary_opts *opts)
{
	const struct flat_profile flat = { .stacks = &p->stacks,
		.maps = p->maps,
		.symbolizer = symbolizer,
		.which = opts->shown,
		.least = opts->least };
	char text[64];

	units_print(
	    text, sizeof(text), stacks_sum(&p->stacks, opts->amount), opts->event->unit);
	buf_printf(out, "%s: %.0f %s, %s of %s, %llu lost\n", opts->file,
	    stacks_sum(&p->stacks, opts->count), opts->counted, text, opts->event->name,
	    (unsigned long long)p->lost);
	flat_profile_brief(&flat, out);
}
