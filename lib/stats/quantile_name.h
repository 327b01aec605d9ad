/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of quantiles and of their intervals: "p99.5", "p99.5_lo", "p99.5_hi" and
 * "p99.5_needed". Pure.
 */
#ifndef STATS_QUANTILE_NAME_H
#define STATS_QUANTILE_NAME_H

#include "base/base.h"
#include "stats/quantile_interval.h"

/* The quantile, an end of its interval, or the number of values that the interval takes. */
enum quantile_part { QUANTILE_AT, QUANTILE_LO, QUANTILE_HI, QUANTILE_NEEDED };

struct quantile_name {
	double p; /* between 0 and 1, both excluded */
	enum quantile_part part;
};

/* The endings of names by part; that of QUANTILE_AT is empty. */
extern const char *const quantile_endings[];

/* Parses a name: that of a quantile in the table of statistics, or p and a percentage, with
 * or without an ending. Returns false if it is no such name. */
bool quantile_name_parse(struct text name, struct quantile_name *out);
/* Returns a part of an interval; NAN for QUANTILE_AT. */
double quantile_part_of(const struct quantile_interval *interval, enum quantile_part part);

#endif
