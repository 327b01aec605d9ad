/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares old with new: rows are gathered by subject and side, sides are joined, and each
 * subject and metric of the reference side is compared with the same of every other side.
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "compare/thresholds.h"
#include "compare/two_sample.h"
#include "record/group.h"

struct compare_opts {
	const char *by; /* the column whose values are the sides; NULL: compare_side */
	const char *reference;    /* the old side; NULL: the first with values */
	const char *const *names; /* the subject's columns, as in struct group_by */
	size_t count;
	struct inference_opts inference;
	double threshold;                    /* the margin where thresholds do not say */
	double warning;                      /* likewise; NAN: none */
	const struct thresholds *thresholds; /* or NULL */
	enum adjust adjust;
	bool shift; /* as in struct two_sample_opts */
};

/* How bad a comparison is: WARNING is worse than the warning margin alone, CRITICAL than
 * the threshold. */
enum severity { SEVERITY_NONE, SEVERITY_WARNING, SEVERITY_CRITICAL };
extern const char *const severity_names[];

struct comparison {
	size_t group; /* of compare_groups */
	size_t side;  /* the new one */
	struct two_sample result;
	double floor;  /* the noise of identical code, as a margin; NAN: unknown */
	double margin; /* that of the verdict: threshold or floor, whichever is greater */
	enum severity severity;
};

/* A subject that has values on the reference side and none on another. */
struct vanished {
	size_t group; /* of compare_subjects */
	size_t side;
};

struct compare;
/* The schema and the texts of the options must outlive it. */
struct compare *compare_open(const struct schema *schema, const struct compare_opts *opts);
/* Without a column: makes a new side of this name, to which the rows that follow belong. */
void compare_side(struct compare *c, const char *name);
/* Makes the rows that follow belong to no side: they show the noise of identical code. */
void compare_history(struct compare *c);
int compare_row(struct compare *c, const struct row *row); /* always 0 */
/* Ends the rows. Returns 0, or -1 when the sides asked for are not in the input. */
int compare_finish(struct compare *c, const struct metrics *metrics, struct fault *f);

/* The results, after compare_finish. */
const struct comparison *compare_list(const struct compare *c, size_t *count);
const struct vanished *compare_vanished(const struct compare *c, size_t *count);
/* Returns the line of the thresholds that applies to a row, or NULL. */
const struct threshold *compare_threshold(
    const struct compare *c, const struct comparison *row);
/* Returns the number of duplicate rows that were left out. */
size_t compare_repeated(const struct compare *c);
/* Returns whether any row has a floor of noise. */
bool compare_has_floors(const struct compare *c);
/* Returns whether any subject and metric has values on both sides, and not only of
 * failures. */
bool compare_any(const struct compare *c);
/*
 * Returns whether COL_HOST or COL_ENV has other texts on a side than on the reference, with
 * an example from each. False where one side has none.
 */
bool compare_machines_differ(const struct compare *c, size_t side, enum column column,
    struct text *old, struct text *new);
const struct groups *compare_groups(const struct compare *c);   /* with metric and unit */
const struct groups *compare_subjects(const struct compare *c); /* without */
size_t compare_subject(const struct compare *c, size_t group);  /* of a group */
long compare_by(const struct compare *c); /* the id of the sides' column, or -1 */
size_t compare_sides(const struct compare *c);
size_t compare_reference(const struct compare *c);
struct text compare_side_name(const struct compare *c, size_t side);
void compare_close(struct compare *c);

#endif
