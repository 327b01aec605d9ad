/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts options of prune; see store_prune_opts.h.
 */
#include "store/store_prune_opts.h"
#include "text/stamp.h"

bool store_prune_selects(
    const struct store_prune_opts *o, const struct store_filter *filter, size_t runs)
{
	return o->keep || o->thin || runs || !store_filter_is_empty(filter);
}

int store_keep_from_opts(const struct store_prune_opts *o,
    const struct store_filter *filter, size_t runs, int64_t now_ns, struct store_keep *keep,
    struct fault *f)
{
	double age_ns = 0;
	struct fault why;

	/* A forgotten unit must not remove what is older than 90 seconds. */
	if (o->keep && stamp_age(o->keep, &age_ns, &why) < 0)
		return fault_set(f, "--keep: %.900s", why.text);
	*keep = (struct store_keep){ .has_until = o->keep,
		.until = now_ns - (int64_t)age_ns,
		.now = now_ns,
		.tagged = o->keep_tagged };
	if (o->thin && store_thin_parse(o->thin, &keep->thin, &why) < 0)
		return fault_set(f, "--thin: %.900s", why.text);
	if (!store_prune_selects(o, filter, runs) && !o->vacuum)
		return fault_set(f,
		    "prune: --keep, --thin, a filter or the name of a run is required to "
		    "select runs");
	if (filter->last)
		return fault_set(f,
		    "prune: --last selects the newest runs and cannot be used here; use "
		    "--until or --keep");
	return 0;
}
