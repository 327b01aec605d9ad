/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What became of the runs of a plan, beside their samples: failures, and what else people
 * should know.
 */
#ifndef RUN_OUTCOME_H
#define RUN_OUTCOME_H

#include "run/plan.h"
#include "run/run_status.h"

struct outcome {
	uint64_t failed;       /* measured runs that failed */
	bool imprecise;        /* the precision asked for was not reached */
	bool never_idle;       /* a round began although the machine was busy */
	size_t failed_subject; /* the first that failed ... */
	struct run_status failed_status;
	char failed_why[640];       /* ... and its message, or empty */
	uint64_t skipped;           /* subjects that were not run */
	uint64_t unmeasured;        /* subjects without any run or sample */
	struct buf skips;           /* reasons of subjects that could not be started */
	uint64_t unsupported;       /* processes of unsupported subjects */
	size_t unsupported_subject; /* the first ... */
	char unsupported_why[640];  /* ... and why */
};

/* Counts a failure of this subject; why may be NULL. */
void outcome_note_failure(
    struct outcome *o, size_t subject, struct run_status status, const char *why);
/* Counts a process of a subject that cannot be measured here; why may be NULL. */
void outcome_note_unsupported(struct outcome *o, size_t subject, const char *why);
/* Counts a skipped subject. why is NULL if the reason was reported beforehand.
 */
void outcome_note_skipped(
    struct outcome *o, const struct subject *subject, const char *why);
void outcome_free(struct outcome *o);

/* Appends what went wrong, and what else is to be told of it, a line each; nothing when all
 * is well. */
void outcome_failures(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines);
void outcome_explain(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines);

#endif
