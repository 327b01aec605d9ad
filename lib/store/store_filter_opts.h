/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The filter options of bench-store, and their conversion to a filter.
 */
#ifndef STORE_STORE_FILTER_OPTS_H
#define STORE_STORE_FILTER_OPTS_H

#include "io/opt.h"
#include "store/store_filter.h"

#define STORE_FILTER_OPTS_ALL UINT64_MAX

/* The rows of an option table that set a struct store_filter_opts. */
#define STORE_FILTER_OPTS(o)                                                             \
	STORE_FILTER_OPT(o, bench, "PATTERN", "series whose benchmark matches"),         \
	    STORE_FILTER_OPT(o, metric, "GLOB", "series whose metric matches"),          \
	    STORE_FILTER_OPT(o, factor, "NAME=VALUE", "series with this factor"),        \
	    STORE_FILTER_OPT(o, host, "PATTERN", "series whose host matches"),           \
	    STORE_FILTER_OPT(o, env, "PATTERN", "series whose env matches"),             \
	    STORE_FILTER_OPT(o, commit, "TEXT", "series whose commit begins with TEXT"), \
	    STORE_FILTER_OPT(o, tag, "NAME", "runs with this tag"),                      \
	    STORE_FILTER_OPT(o, since, "TIME",                                           \
	        "runs from TIME on: 2026-01-31, or 30d for 30 days ago"),                \
	    STORE_FILTER_OPT(o, until, "TIME", "runs before TIME"),                      \
	    STORE_FILTER_OPT(o, last, "N", "only the newest N runs"),                    \
	    STORE_FILTER_OPT(o, where, "SQL", "series for which an expression is true")
/* Their names, for opt_given, and the verbs of bench-store that take them. */
#define STORE_FILTER_OPT_NAMES                                                         \
	"bench", "metric", "factor", "host", "env", "commit", "tag", "since", "until", \
	    "last", "where"
#define STORE_FILTER_OPT_VERBS "list, export, tag, untag, annotate and prune"
#define STORE_FILTER_OPT(o, field, arg, help) \
	OPT_SEEN(0, #field, &(o)->field, arg, help, &(o)->given)

struct store_filter_opts {
	struct opt_list bench, metric, factor, host, env, commit, tag;
	const char *since, *until, *where; /* NULL: not given */
	uint64_t last;                     /* STORE_FILTER_OPTS_ALL: not given */
	bool given;                        /* at least one of them */
	struct opt_list metrics; /* the patterns of metric, from store_filter_from_opts */
};

/*
 * Converts options to a filter, which refers to the strings of the options. Ages such as
 * "30d" are relative to now_ns, in ns since 1970. Returns 0, or -1 and a message that names
 * the option.
 */
int store_filter_from_opts(struct store_filter_opts *o, int64_t now_ns,
    struct store_filter *filter, struct fault *f);

#endif
