/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of a stressor of stress-ng, which its text and its YAML have.
 */
#ifndef CONSOLE_STRESS_NG_H
#define CONSOLE_STRESS_NG_H

#include "convert/from.h"

/* The values in the order of the columns of the text. */
enum stressor_value {
	STRESSOR_OPERATIONS,
	STRESSOR_WALL,
	STRESSOR_USER,
	STRESSOR_SYS,
	STRESSOR_RATE,
	STRESSOR_CPU_RATE,
	STRESSOR_CPU_USAGE, /* follows from the others */
	STRESSOR_MAX_RSS,
	STRESSOR_VALUES
};

/* A stressor; values that it lacks are NAN. */
struct stressor {
	double value[STRESSOR_VALUES];
	bool zeros_are_rounded; /* a time of 0 is missing */
};
extern const struct stressor stressor_none;

/* Returns the value that has this key in YAML, or STRESSOR_VALUES. */
enum stressor_value stressor_key(struct text key);
/* Returns the unit of a further value with this key in YAML, such as
 * add-matrix-ops-per-sec; of rates it is one whose higher values are better. */
struct text stress_ng_unit(struct text key);
/* Returns whether a stressor did not run to its end, so that it has no time. */
bool stressor_is_cut_off(const struct stressor *s);
/* Adds the rows of a stressor, whose columns are set. Returns 0, or -1 and the message. */
int stressor_put(const struct stressor *s, struct row_builder *out, struct fault *f);

#endif
