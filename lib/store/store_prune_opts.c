/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts options of prune; see store_prune_opts.h.
 */
#include "store/store_prune_opts.h"

bool store_prune_selects(
    const struct store_prune_opts *o, const struct store_filter *filter)
{
	return o->keep.set || o->thin || !store_filter_is_empty(filter);
}

int store_keep_from_opts(const struct store_prune_opts *o,
    const struct store_filter *filter, int64_t now_ns, struct store_keep *keep,
    struct fault *f)
{
	struct fault why;

	*keep = (struct store_keep){ .has_until = o->keep.set,
		.until = now_ns - (int64_t)o->keep.ns,
		.now = now_ns,
		.tagged = o->keep_tagged };
	if (o->thin && store_thin_parse(o->thin, &keep->thin, &why) < 0)
		return fault_set(f, "--thin: %.900s", why.text);
	if (!store_prune_selects(o, filter) && !o->vacuum)
		return fault_set(
		    f, "prune: --keep, --thin or a filter is required to select runs");
	if (filter->last)
		return fault_set(f,
		    "prune: --last selects the newest runs and cannot be used here; use "
		    "--until or --keep");
	return 0;
}
