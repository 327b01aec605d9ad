/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements of programs that observe a machine (sysstat, vmstat): the units of their
 * columns, and their times. The names of the metrics have a colon, as those of counter
 * events have, because they describe the machine and not a benchmark.
 */
#ifndef OBSERVE_OBSERVED_H
#define OBSERVE_OBSERVED_H

#include "convert/from.h"

/* The lines of a file that a program printed for people. */
struct observed_lines {
	struct text rest;
	const char *name; /* of the file */
	size_t number;    /* of the last line, from 1 */
};
/* Returns the lines of a file, which must outlive them. */
struct observed_lines observed_lines_of(const struct source *s);
/* Sets line to the next line, without its end. Returns false at the end of the file. */
bool observed_lines_next(struct observed_lines *lines, struct text *line);
/* Reports what is wrong in the last line. Returns -1. */
int observed_lines_fault(
    const struct observed_lines *lines, const char *what, struct fault *f);

/* A factor that the values of a column are multiplied by, and the unit that they then have.
 */
struct observed_unit {
	const char *unit; /* "": unknown */
	double factor;    /* a power of two, ... */
	int exponent;     /* ... and then a power of ten */
};

/* A rule about columns; "" matches any activity, prefix or suffix. */
struct observed_rule {
	const char *activity, *prefix, *suffix;
	struct observed_unit unit;
};
/* Returns the unit of the first rule that matches; the last rule must match everything. */
struct observed_unit observed_rule_find(
    const struct observed_rule *rules, struct text activity, struct text column);
/* Returns the unit of a column of the tables of sysstat, such as "%user" or "rxkB/s". */
struct observed_unit observed_column_unit(struct text column);

/*
 * Adds a row of a metric whose name consists of a prefix, such as "sysstat", a colon and a
 * column. NAN is a value that the other program could not obtain. Returns 0, or -1 and the
 * message.
 */
int observed_put(struct row_builder *out, struct text prefix, struct text column,
    struct observed_unit unit, double value, struct fault *f);

/*
 * Parses a time of day such as "13:07:59" or "1:07 PM", whose last word follows in rest and
 * is removed from it. Sets *seconds to the seconds since midnight. Returns false if the
 * string is not a time.
 */
bool observed_clock(struct text t, struct text *rest, int64_t *seconds);

/* The times of a series. Zero it to begin. */
struct observed_series {
	bool has_begin;
	int64_t begin_s;
};
/* Sets the begin of a series that has none. */
void observed_begin(struct observed_series *series, int64_t time_s);
/* Returns the offset of a time from the begin of the series in ns; ROW_NONE if it is
 * before the begin, or out of range. */
int64_t observed_offset(const struct observed_series *series, int64_t time_s);

/* Times of day, each at most half a day after or before the last one. Zero it to begin. */
struct observed_days {
	bool has_last;
	int64_t last_s, midnight_s;
};
/* Returns a time of day as seconds since the midnight before the first one. */
int64_t observed_day_time(struct observed_days *days, int64_t clock_s);

#endif
