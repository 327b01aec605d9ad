/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics that a user chooses: those of the table (stats.h), any quantile, and the
 * parts of its interval.
 */
#ifndef SUMMARY_CHOSEN_STATISTIC_H
#define SUMMARY_CHOSEN_STATISTIC_H

#include "record/collect.h"
#include "stats/censored.h"
#include "stats/quantile_name.h"
#include "text/near_name.h"

struct chosen_statistic {
	char name[40];               /* as the user wrote it */
	const struct statistic *row; /* of the table; NULL: a quantile or its interval */
	struct quantile_name quantile;
};

/* Parses a name. Returns false if it is no statistic. */
bool chosen_statistic_parse(struct text name, struct chosen_statistic *out);
/* Returns whether the order of the values matters, which is that of their identities. */
bool chosen_statistic_ordered(const struct chosen_statistic *c);
/* Returns whether it is an end of the interval of the median. The order matters to it for
 * metrics of requests, which depend on each other (metric_is_of_requests()). */
bool chosen_statistic_is_median_end(const struct chosen_statistic *c);
/* Adds the names of all statistics of the table and of the intervals of its quantiles. */
void chosen_statistic_names(struct known_names *k);

/* The values of each group in the order of their identities. */
struct ordered_groups;
/* Copies the values of a collection with identities, none of which has been sorted. all:
 * those of all groups, not only of metrics of requests. Returns NULL if no group has any.
 */
struct ordered_groups *ordered_groups_open(
    const struct groups *g, struct collect *c, bool all);
void ordered_groups_close(struct ordered_groups *o);

/* The statistics of a group. */
struct chosen_summary {
	struct summary out, above;            /* see censored_summarize() */
	const struct collected *values;       /* sorted */
	const struct quantile_series *series; /* NULL: no chosen statistic needs it */
	double confidence;
};
/* Computes the statistics of a group, and sorts its values. The interval of the median is
 * only computed on request. With ordered groups, that of requests is the one of
 * quantile_series_interval(). */
void chosen_summarize(struct collect *c, size_t group, const struct ordered_groups *o,
    double confidence, bool interval, struct chosen_summary *out);
/* Returns a statistic, or a lower bound of it. */
struct bounded chosen_statistic_value(
    const struct chosen_statistic *c, const struct chosen_summary *of);

#endif
