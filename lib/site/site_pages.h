/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the files of a site.
 */
#ifndef SITE_SITE_PAGES_H
#define SITE_SITE_PAGES_H

#include "site/site_dir.h"
#include "site/site_model.h"
#include "store/store.h"

/* Write the page and the data of each benchmark, and its badge. */
void site_write_benchmarks(const struct site_model *m, struct site_dir *d);
/* Writes profiles.html, and a page with flame graphs for each profile. */
void site_write_profiles(const struct site_model *m, struct site_dir *d);
/* Appends links to the profiles of the benchmark of a series, to its page. */
void site_put_profile_links(
    struct buf *b, const struct site_model *m, const struct site_series *s);
/* Write index.html, its further pages, and data for the filter. */
void site_write_index(const struct site_model *m, struct site_dir *d);
/* Write the lists of regressions and improvements, and the feed. */
void site_write_changes(const struct site_model *m, struct site_dir *d);
/* Write compare.html, and the values of each commit. */
void site_write_compare(const struct site_model *m, struct site_dir *d);
/* Writes the badge of the site. */
void site_write_badges(const struct site_model *m, struct site_dir *d);
/* Writes machines.html. Returns 0, or -1 and the message. */
int site_write_machines(
    const struct site_model *m, struct store *store, struct site_dir *d, struct fault *f);
/* Writes the lists of places and runs, to which the data of benchmarks refer. */
void site_write_places(const struct site_model *m, struct site_dir *d);

/* Appends the data of a page as a script. */
void site_put_data(struct buf *b, const struct site_model *m, const struct site_page *p);
/* Appends a badge: what it is about, and what happened. */
void site_put_badge(
    struct buf *b, struct text about, const char *what, enum site_verdict verdict);

#endif
