/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Benchmarks of airspeed velocity: all groups that differ only in their factors are the
 * combinations of one benchmark's parameters.
 */
#ifndef EXPORT_ASV_BENCHMARKS_H
#define EXPORT_ASV_BENCHMARKS_H

#include "record/subject_samples.h"

#define ASV_NO_GROUP SIZE_MAX

struct asv_parameter {
	size_t column;
	struct intern values;
};

struct asv_benchmark {
	char *name;
	const char *type, *unit; /* of asv; unit NULL: that of the rows */
	int exponent;            /* the power of ten by which values are scaled */
	struct asv_parameter *parameter;
	size_t parameters;
	size_t *group; /* of each combination, or ASV_NO_GROUP; the last parameter varies
	                  fastest */
	size_t combinations;
	size_t first, last; /* groups */
};

struct asv_benchmarks {
	struct asv_benchmark *of;
	size_t count, cap;
};

/* Finds the benchmarks of all groups. Returns 0, or -1 and the message if a benchmark has
 * too many combinations. Call asv_benchmarks_free in both cases. */
int asv_benchmarks_find(
    const struct subject_samples *t, struct asv_benchmarks *out, struct fault *f);
void asv_benchmarks_free(struct asv_benchmarks *b);

#endif
