/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts options to filters; see store_filter_opts.h.
 */
#include <string.h>

#include "store/store_filter_opts.h"
#include "text/stamp.h"

static struct store_filter_names names_of(const struct opt_list *list)
{
	return (struct store_filter_names){ list->item, list->count };
}

/* Reads a time, if it is given. 0 or -1. */
static int read_time(
    const char *option, const char *text, int64_t now_ns, int64_t *ns, struct fault *f)
{
	struct fault why;

	if (!text || stamp_option(text, now_ns, ns, &why) == 0)
		return 0;
	return fault_set(f, "--%s: %.900s", option, why.text);
}

/* Splits the lists of patterns of metrics. A list with commas may also be a name. */
static void split_metrics(struct store_filter_opts *o)
{
	for (size_t i = 0; i < o->metric.count; i++) {
		const char *list = o->metric.item[i], *at = list;

		if (strchr(list, ','))
			*VEC_ADD(o->metrics.item, o->metrics.count, o->metrics.cap) = list;
		for (size_t len; *at; at += len + (at[len] == ',')) {
			len = strcspn(at, ",");
			*VEC_ADD(o->metrics.item, o->metrics.count, o->metrics.cap) =
			    mem_text(at, len);
		}
	}
}

int store_filter_from_opts(struct store_filter_opts *o, int64_t now_ns,
    struct store_filter *filter, struct fault *f)
{
	if (!o->last)
		return fault_set(f, "--last: must be at least 1");
	split_metrics(o);
	*filter = (struct store_filter){
		.bench = names_of(&o->bench),
		.metric = names_of(&o->metrics),
		.metric_lists = names_of(&o->metric),
		.factor = names_of(&o->factor),
		.host = names_of(&o->host),
		.env = names_of(&o->env),
		.commit = names_of(&o->commit),
		.tag = names_of(&o->tag),
		.has_since = o->since,
		.has_until = o->until,
		.last = o->last == STORE_FILTER_OPTS_ALL ? 0 : o->last,
		.where = o->where,
	};
	if (read_time("since", o->since, now_ns, &filter->since, f) < 0 ||
	    read_time("until", o->until, now_ns, &filter->until, f) < 0)
		return -1;
	return store_filter_check(filter, f);
}
