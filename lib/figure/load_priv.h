/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files that make plots of measurements under load. load_rows.c gathers
 * the values, load_quantiles.c makes marks of quantiles, and figure_load.c makes figures.
 */
#ifndef FIGURE_LOAD_PRIV_H
#define FIGURE_LOAD_PRIV_H

#include "figure/figure_load.h"
#include "figure/group_labels.h"
#include "record/collect.h"

/* The metrics that exist once in each period. */
enum { LOAD_OFFERED, LOAD_THROUGHPUT, LOAD_UTILIZATION, LOAD_GOODPUT, LOAD_RATES };

/* The samples of a subject at one rate. */
struct load_place {
	size_t group, subject; /* of load_gathered.places and .subjects */
	double rate;           /* requests per second; NAN: none */
	bool saturated;
};

struct load_gathered {
	const struct figure_kind *kind;
	const struct figure_opts *opts;
	const char *except[3];   /* columns that are not in the keys of the groups */
	struct groups *places;   /* of rows, without metric */
	struct groups *subjects; /* without metric and rate */
	struct collect *collect; /* for each place, its metrics of periods and its values */
	char *metric, *unit;     /* whose quantiles are drawn; NULL: no such row */
	size_t *subject;         /* of each place */
	size_t known, cap;
	/* after load_order(): */
	struct load_place *place;
	size_t count;
	size_t repeated; /* duplicate rows, which were left out */
};

/* The functions of a figure_source for all three kinds. */
void *load_open(const struct figure_kind *kind, const struct schema *schema,
    const struct figure_opts *opts);
int load_row(void *ctx, const struct row *row, struct fault *f);
void load_excluded(void *ctx, const struct row *row);
void load_close(void *ctx);

/* Ends the rows and sorts the places by subject, then rate. Returns 0, or -1 and the
 * message if there are none. */
int load_order(struct load_gathered *g, struct fault *f);
/* Returns the values of a metric that exists once in each period. */
struct collected *load_rates(const struct load_gathered *g, size_t place, size_t metric);
/* Returns the values of the metric that is drawn. */
struct collected *load_values(const struct load_gathered *g, size_t place);
/* Returns the median; NAN if there is no value. Sorts the values. */
double load_median(const struct collected *c);

/* Appends a mark for the quantile for p with its interval, or a mark without values if
 * there are none. Returns it. */
struct mark *load_add_quantile(struct figure *fig, size_t *cap,
    const struct collected *values, double p, double confidence);
#endif
