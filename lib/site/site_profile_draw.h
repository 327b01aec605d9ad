/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the profiles of a site with bench-plot.
 */
#ifndef SITE_SITE_PROFILE_DRAW_H
#define SITE_SITE_PROFILE_DRAW_H

#include "site/site_model.h"

/* The rows of the newest profile, and of both runs if there is a reference. */
struct site_profile_csv {
	struct buf newest, both;
	char *event; /* the sampled event */
	bool counts; /* there are numbers of samples */
};

void site_profile_rows(
    struct site_profile_csv *r, const struct site_model *m, const struct site_profile *p);
void site_profile_rows_free(struct site_profile_csv *r);

/* A table of functions as CSV, and a flame graph. */
struct profile_drawn {
	const char *metric; /* lives as long as the rows */
	struct buf functions, plot;
	char *failure; /* allocated, or NULL */
};

/* Draws the newest profile, and the differences if there is a reference; drawn[1]: of the
 * differences. */
void site_profile_draw(struct profile_drawn drawn[2], const struct site_profile_csv *r,
    const char *theme, bool differences);
void site_profile_drawn_free(struct profile_drawn drawn[2]);

#endif
