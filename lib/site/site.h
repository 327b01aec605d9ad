/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds a static site from a store: a directory of pages about the history of all series,
 * that needs neither a server nor a network. Another build into the same directory reads
 * only what is new in the store, and writes only files that change.
 */
#ifndef SITE_SITE_H
#define SITE_SITE_H

#include "base/base.h"

struct site_opts {
	const char *store; /* name of the database, as for store_open */
	const char *dir;
	const char *title;         /* NULL: "Benchmarks" */
	const char *theme;         /* "light", "dark", or NULL: the reader's preference */
	const char *order;         /* a file of commits, oldest first; NULL: by time */
	const char *since;         /* a tag or a commit, or NULL */
	const char *repo_url;      /* of commits, as for html_commit(); or NULL */
	const char *const *metric; /* patterns of metrics; none: all */
	size_t metrics;
	bool anonymize;  /* replace what identifies machines and users */
	const char *key; /* as for anonymizer_open() */
	double wait_ns;  /* for locks of the database */
};

struct site_built {
	size_t series, points, runs;
	size_t read;             /* runs that were read from the store */
	size_t unordered;        /* runs left out, because their commits have no order */
	size_t written, removed; /* files */
};

/*
 * Builds the site. Returns 0, or -1 and the message: if the store cannot be read, if the
 * directory is neither empty nor a site, if another build uses it, or if a file cannot be
 * written. Each file is complete at any time, even if the build is interrupted.
 */
int site_build(const struct site_opts *opts, struct site_built *built, struct fault *f);

#endif
