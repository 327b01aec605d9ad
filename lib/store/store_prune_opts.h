/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-store prune, and their conversion to a struct store_keep.
 */
#ifndef STORE_STORE_PRUNE_OPTS_H
#define STORE_STORE_PRUNE_OPTS_H

#include "io/opt.h"
#include "store/store_prune.h"

/* The rows of an option table that set a struct store_prune_opts. */
#define STORE_PRUNE_OPTS(o)                                                               \
	STORE_PRUNE_OPT(                                                                  \
	    o, 0, "keep", keep, "TIME", "prune: keep runs newer than TIME, such as 90d"), \
	    STORE_PRUNE_OPT(                                                              \
	        o, 0, "keep-tagged", keep_tagged, NULL, "prune: keep runs with a tag"),   \
	    STORE_PRUNE_OPT(o, 0, "thin", thin, "N/PERIOD",                               \
	        "prune: keep N runs of each benchmark per hour, day, week, month or "     \
	        "year"),                                                                  \
	    STORE_PRUNE_OPT(o, 'n', "dry-run", dry, NULL,                                 \
	        "prune: list the runs that would be removed"),                            \
	    STORE_PRUNE_OPT(o, 0, "vacuum", vacuum, NULL,                                 \
	        "prune: return free space to the file system")
/* Their names, for opt_given. */
#define STORE_PRUNE_OPT_NAMES "keep", "keep-tagged", "thin", "dry-run", "vacuum"
#define STORE_PRUNE_OPT(o, letter, name, field, arg, help) \
	OPT(letter, name, &(o)->field, arg, help)

struct store_prune_opts {
	const char *keep, *thin; /* NULL: not given */
	bool keep_tagged, dry, vacuum;
};

/* Returns whether the options, the filter or the names of runs select runs to remove. */
bool store_prune_selects(
    const struct store_prune_opts *o, const struct store_filter *filter, size_t runs);
/* Converts the options of a prune with this number of named runs; ages are relative to
 * now_ns, in ns since 1970. Returns 0, or -1 and a message about usage. */
int store_keep_from_opts(const struct store_prune_opts *o,
    const struct store_filter *filter, size_t runs, int64_t now_ns, struct store_keep *keep,
    struct fault *f);

#endif
