/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares subjects while their samples are taken, and decides when there are enough of
 * them (--until decided). Subjects that differ in one column only are compared with the
 * subject that has the reference value in it, by the sequential sign test of the ratios of
 * their blocks. A block of functions, kernels and models is one process of each. Pure.
 */
#ifndef RUN_DECISION_H
#define RUN_DECISION_H

#include "compare/gate.h"
#include "record/run_status.h"
#include "subject/subject.h"

struct decisions;

struct decision_opts {
	const char *column;    /* whose values are compared */
	const char *reference; /* the value to compare with; NULL: the first one */
	double margin;         /* largest relative difference treated as none */
	double confidence;
	enum gate_unsure unsure; /* what --gate does if a comparison is undecided */
};

/*
 * Prepares the comparisons. The subjects and options must outlive them. Returns NULL and
 * the message if a subject cannot be compared with another one.
 */
struct decisions *decisions_open(
    const struct subjects *subjects, const struct decision_opts *opts, struct fault *f);
/*
 * Notes a subject's primary metric in the current block: the throughput of a model, and
 * the wall time of all others.
 */
void decisions_note(
    struct decisions *d, size_t subject, double value, struct run_status status);
/*
 * Ends a block: adds the ratio of each pair of subjects that were measured in it, and
 * decides what can be decided. A timeout is longer than any time. A failure and two
 * timeouts have no ratio.
 */
void decisions_end_block(struct decisions *d);
/* Returns whether a comparison of the subject needs more blocks. */
bool decisions_want(const struct decisions *d, size_t subject);
/* Gives up the undecided comparisons of a subject, which is not measured any more. */
void decisions_leave(struct decisions *d, size_t subject);

/*
 * Returns the exit status of --gate: STATUS_NO if a verdict is worse, or unsure and that
 * fails; otherwise STATUS_TROUBLE if a comparison has no ratio, or was given up because a
 * subject did not succeed any more.
 */
int decisions_status(const struct decisions *d);
/* Appends one line for each comparison, in the order of the subjects. */
void decisions_explain(const struct decisions *d, struct buf *lines);
void decisions_close(struct decisions *d);

#endif
