/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subjects of collected rows, with their names, metrics and factors. Pure.
 */
#ifndef BRIEF_BRIEF_SUBJECTS_H
#define BRIEF_BRIEF_SUBJECTS_H

#include "record/collect.h"
#include "record/metric.h"

struct brief_subject {
	char *name; /* bench with the values of its parameters, and the factors that vary */
	bool *placed;  /* by column: whether its value is in the bench, such as {n} */
	size_t *group; /* one for each metric */
	size_t groups;
	size_t head; /* the group of the metric by which subjects are compared */
};

struct brief_subjects {
	const struct groups *groups;
	const struct metrics *metrics;
	struct brief_subject *item;
	size_t count, cap;
};

/*
 * Finds the subjects, in the order of their groups. The parts of a subject, such as its
 * workers and operations, are left out. The arguments must outlive the subjects. End with
 * brief_subjects_free().
 */
void brief_subjects_make(
    struct brief_subjects *s, const struct groups *groups, const struct metrics *metrics);
void brief_subjects_free(struct brief_subjects *s);
/* Returns the number of subjects that brief_subjects_make() would find. */
size_t brief_subjects_count(const struct groups *groups, const struct metrics *metrics);

/* Returns the text of a column of a subject. */
struct text brief_subject_cell(
    const struct brief_subjects *s, const struct brief_subject *of, size_t column);
/* Returns the subject's group of a metric, or -1. */
long brief_subject_metric(
    const struct brief_subjects *s, const struct brief_subject *of, const char *metric);
/* Returns whether a column has different strings among these subjects. */
bool brief_subjects_vary(
    const struct brief_subjects *s, const size_t *subject, size_t count, size_t column);
/* Returns whether subjects can be compared: their kinds and metrics are equal, and the
 * benches of kernels and models. The parts of a machine are not. */
bool brief_subjects_match(const struct brief_subjects *s, const struct brief_subject *a,
    const struct brief_subject *b);

#endif
