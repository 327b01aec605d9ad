/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes axes and bins: the unit of an axis, its ends and tics, whether it is
 * logarithmic, and the width of a histogram's bins. Pure.
 */
#ifndef FIGURE_AXIS_H
#define FIGURE_AXIS_H

#include "base/base.h"

/* Values are divided by size and labeled with text: "ms", "MiB", "Gflop/s", "million". */
struct axis_unit {
	double size;
	char text[96];
};

/* Returns the unit in which the largest magnitude of an axis has one to three digits. */
struct axis_unit axis_unit_for(double largest, const char *unit, bool utf8);

enum log_choice { LOG_AUTO, LOG_YES, LOG_NO };

struct tic {
	double at;
	char text[128];
};

struct axis {
	double from, to;
	bool log;
	struct tic *tic;
	size_t tics;
};

/* Returns a linear axis with about `want` tics, at multiples of 1, 2 or 5 times a power of
 * ten. */
struct axis axis_linear(double lo, double hi, bool from_zero, size_t want);
/* Returns a logarithmic axis; lo is above 0. Its tics are at powers of ten, or, over less
 * than two decades, at 1, 2 and 5 times powers of ten, or, if there are no two of them, at
 * even steps. */
struct axis axis_log(double lo, double hi);
/* Returns an axis from lo to hi seconds since 1970, in UTC, with tics at round times or
 * days, whose labels have about 10 characters. */
struct axis axis_time(double lo, double hi, size_t want);
/* Returns the label of an axis of times that begins at a time, with the date of this time
 * if the tics have no year; allocated. */
char *axis_time_label(const struct axis *a, double from);
/* Writes a number of an axis without a unit: from 10,000 on with a prefix if it is then
 * exact with one decimal ("20k", "1.5M"), and otherwise with commas ("16,384"). */
void axis_number(char *text, size_t size, double x);
/* Replaces the tics by tics at the n values of x, which ascend, except values whose labels
 * would overlap on an axis of character_room characters. */
void axis_tics_at(struct axis *a, const double *x, size_t n, size_t character_room);
void axis_free(struct axis *a);
/* Returns the position of a value on the axis, 0 to 1. */
double axis_place(const struct axis *a, double x);
/* Returns the value at a position on the axis. */
double axis_value(const struct axis *a, double place);

/*
 * Returns whether ascending distinct values are spaced by factors rather than by steps: at
 * least three, positive, over a range of 8 or more, and their logarithms are the more
 * evenly spaced.
 */
bool axis_geometric(const double *x, size_t n);

/* Bins of equal width. If logarithmic, their edges have equal ratios, and first and width
 * are logarithms to base 10. */
struct bins {
	double first, width;
	size_t count;
	bool log;
};

/*
 * Returns the width of bins for sorted values: 2 IQR n^(-1/3) (D. Freedman and P. Diaconis,
 * "On the histogram as a density estimator: L2 theory", Zeitschrift fuer
 * Wahrscheinlichkeitstheorie 57 (1981)), or, where the IQR is 0, the range in ceil(log2 n)
 * + 1 parts (H. A. Sturges, "The choice of a class interval", JASA 21 (1926)). 0 when all
 * are equal.
 */
double bins_width(const double *sorted, size_t n);
/* Returns bins from lo to hi, max at most; their width is rounded up to 1, 2 or 5 times a
 * power of ten. */
struct bins bins_cover(double lo, double hi, double width, size_t max);
/* Returns the lower edge of a bin; that of bin number `count` is the upper edge of the
 * last.
 */
double bins_edge(const struct bins *b, size_t bin);
/* Returns the number of the bin that a value is in; the last one includes its upper edge.
 */
size_t bins_find(const struct bins *b, double x);

#endif
