/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shows how far the samples of all subjects are.
 */
#ifndef RUN_SUBJECT_PROGRESS_H
#define RUN_SUBJECT_PROGRESS_H

#include "run/plan.h"
#include "run/progress.h"

/* The progress of one subject; zeroed: the subject is not measured. */
struct subject_progress {
	bool measured;
	double done;              /* from 0 to 1 */
	double left_ns;           /* estimated; NAN: unknown */
	struct live_subject live; /* without its name */
};

/* The samples of a subject that a stop rule ends. */
struct ruled_subject {
	const struct run_progress *so_far;
	struct stop_rule rule;
	double scale; /* factor for the values so far; 0: they cannot be shown yet */
	bool wants;   /* needs more samples now */
	bool over;    /* needs no more samples */
};

/* Returns the progress of a subject that a stop rule ends. */
struct subject_progress subject_progress_of(const struct ruled_subject *s);
/* Returns the progress of a subject of a plan whose samples are executions or windows. */
struct subject_progress subject_progress_in_plan(
    const struct plan *plan, size_t subject, const struct run_progress *so_far, bool wants);

/* Draws the progress of the subjects of a plan; `now` is the subject being measured. */
void subject_progress_show(const struct subject_progress *of, const struct plan *plan,
    size_t now, struct progress *p);

#endif
