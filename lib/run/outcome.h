/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The outcome of a run apart from its samples: failures, and other facts to report.
 */
#ifndef RUN_OUTCOME_H
#define RUN_OUTCOME_H

#include "record/run_status.h"
#include "run/plan.h"

/* The samples of a subject when the run was interrupted. */
struct outcome_runs {
	uint64_t taken, wanted; /* wanted 0: no fixed number */
	bool measured;          /* false: skipped or given up */
};

struct outcome {
	struct outcome_runs *runs; /* by subject; NULL: not interrupted */
	uint64_t failed;           /* samples that failed, without warm-ups */
	bool imprecise;            /* the requested precision was not reached */
	bool never_idle;           /* a block began although the machine was busy */
	double above_peak;         /* the largest share of a peak above 1; 0: none ... */
	size_t above_peak_subject; /* ... and its subject */
	size_t failed_subject;     /* the first subject that failed ... */
	struct run_status failed_status;
	char failed_why[640];   /* ... and its message, or empty */
	uint64_t stopped;       /* commands that were given up because they failed */
	size_t stopped_subject; /* the first of them ... */
	uint64_t stopped_after; /* ... and its samples, all of which failed; 0: its warm-up
	                           failed */
	uint64_t skipped;       /* subjects that were not measured */
	uint64_t ended;         /* subjects whose process ended before their last sample */
	uint64_t unmeasured;    /* subjects without any sample */
	struct buf skips;       /* reasons why subjects could not be started, or ended */
	struct buf gpus;        /* lines about the clocks of GPUs */
	struct buf windows;     /* lines about windows of processes */
	struct buf loads;       /* lines about servers and generators that were too slow */
	uint64_t unsupported;
	size_t unsupported_subject; /* the first of them ... */
	char unsupported_why[640];  /* ... and why */
};

/* Counts a failed sample of this subject; why may be NULL. */
void outcome_note_failure(
    struct outcome *o, size_t subject, struct run_status status, const char *why);
/* Counts a command that was given up after this number of failed samples; 0: after a
 * failed warm-up. */
void outcome_note_stopped(struct outcome *o, size_t subject, uint64_t samples);
/* Counts a process of a subject that is unsupported here; why may be NULL. */
void outcome_note_unsupported(struct outcome *o, size_t subject, const char *why);
/* Counts a skipped subject. why is NULL if the reason was reported before. */
void outcome_note_skipped(
    struct outcome *o, const struct subject *subject, const char *why);
/* Counts a subject that cannot be measured further for this reason, and appends how many
 * samples it has. */
void outcome_note_ended(struct outcome *o, const struct subject *subject, const char *why,
    struct outcome_runs runs);
void outcome_free(struct outcome *o);

/* Sets the samples of a subject of an interrupted run. */
void outcome_note_runs(
    struct outcome *o, const struct plan *plan, size_t subject, struct outcome_runs runs);
/* Appends a line with the samples that an interrupted run took. */
void outcome_put_interrupted(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines);
/* Appends one line for each problem; nothing if there is none. */
void outcome_failures(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines);
/* Appends one line for each note; nothing if there is none. */
void outcome_explain(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines);

#endif
