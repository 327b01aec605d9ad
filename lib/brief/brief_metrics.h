/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which metrics of a subject are shown to people, and on which line. Pure.
 */
#ifndef BRIEF_BRIEF_METRICS_H
#define BRIEF_BRIEF_METRICS_H

#include "brief/brief_subjects.h"

/* The lines, in their order. */
enum brief_line {
	BRIEF_RESULT, /* a line for each metric: primary ones and those of the user */
	BRIEF_TOKENS,
	BRIEF_REQUEST,
	BRIEF_RATE,
	BRIEF_START, /* of models only */
	BRIEF_CPU,
	BRIEF_MEMORY,
	BRIEF_ENERGY,
	BRIEF_COUNTER,
	BRIEF_LINES,
	BRIEF_NOWHERE = BRIEF_LINES, /* only in the table of all metrics */
};

enum brief_statistic { BRIEF_MEDIAN, BRIEF_MEAN, BRIEF_MAXIMUM };

struct brief_metric {
	const char *name;
	enum brief_line line;
	enum brief_statistic statistic;
	const char *label; /* for people; NULL: the name */
	bool zero;         /* is shown even if it is always 0 */
};

/*
 * Returns how a group of a subject is shown. The groups of a line are shown in the order of
 * *order, which is set, and then in that of their numbers.
 */
struct brief_metric brief_metric_of(const struct brief_subjects *s,
    const struct brief_subject *of, size_t group, size_t *order);

#endif
