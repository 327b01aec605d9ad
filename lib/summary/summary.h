/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the table of bench-stat: one row for each group, with its key, metric, unit and
 * statistics.
 */
#ifndef SUMMARY_SUMMARY_H
#define SUMMARY_SUMMARY_H

#include "io/render.h"
#include "record/collect.h"
#include "stats/inference.h"
#include "summary/chosen_statistic.h"

struct summary_opts {
	/* columns; NULL: all of the table of statistics, or fewer for people */
	struct chosen_statistic *statistic;
	size_t count;
	const struct ordered_groups *ordered; /* NULL if no statistic needs the order */
	struct inference_opts inference;      /* only the confidence is used */
	const size_t *order;                  /* of the groups; NULL: as they appeared */
	const bool *hidden;                   /* groups that are not printed; NULL: none */
};

/* Parses a list "median,p95,..." into *out, which is allocated. Returns 0, or -1 and a
 * message that names the unknown statistic. */
int summary_choose(
    const char *list, struct chosen_statistic **out, size_t *count, struct fault *f);
/* Sets the message about a name, of this length, that is no statistic, after the words of
 * what is wrong. others: further names that are allowed, or empty; it is freed. intervals:
 * whether those of quantiles are. Returns -1. */
int summary_unknown_statistic(struct fault *f, const char *what, struct text name,
    struct known_names *others, bool intervals);
/*
 * Prints all groups and sorts their values; collect_finish has been called. Returns 0, or
 * -1 and errno if writing failed.
 */
int summary_print(const struct groups *g, struct collect *c, const struct summary_opts *o,
    const struct output *out);

#endif
