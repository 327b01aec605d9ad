/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares an old side with new sides. Values are collected by subject, metric and side;
 * then each subject and metric of the reference side is compared with the same subject and
 * metric of every other side.
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "compare/pair_keys.h"
#include "compare/thresholds.h"
#include "compare/two_sample.h"
#include "record/facts.h"
#include "record/group.h"
#include "record/run_ends.h"

struct compare_opts {
	const char *by; /* the column whose values are the sides; NULL: compare_side */
	const char *reference;    /* the old side; NULL: the first side with values */
	const char *const *names; /* the subject's columns, as in struct group_by */
	size_t count;
	const char *const *pair; /* the columns that form pairs (pair_keys.h) */
	size_t pairs;            /* their number; 0: pairs are those of two_sample.h */
	struct inference_opts inference;
	double threshold;                    /* of rows without a line in thresholds */
	double warning;                      /* likewise; NAN: no warnings */
	const struct thresholds *thresholds; /* or NULL */
	enum adjust adjust;
	const struct facts *facts; /* of the input, for notes; or NULL */
	const struct run_ends *ends; /* of the runs of the sides, finished; or NULL */
	bool shift;                /* see struct two_sample_opts */
	bool all_decides; /* rows of all metrics decide, not only those of primary ones */
};

/* How bad a comparison is. WARNING: worse by the margin of warnings only. CRITICAL: worse
 * by the threshold. */
enum severity { SEVERITY_NONE, SEVERITY_WARNING, SEVERITY_CRITICAL };
extern const char *const severity_names[];

struct comparison {
	size_t group; /* of compare_groups */
	size_t side;  /* the new side */
	struct two_sample result;
	double floor;  /* noise floor, as a margin; NAN: unknown */
	bool few_aa;   /* there are A/A rows, but too few for a floor */
	double margin; /* of the verdict: the larger of threshold and floor */
	enum better better;
	enum severity severity; /* only if the row decides */
	bool decides;           /* the exit status, see record/primary.h */
	double impossible; /* a value of 0 or less that the metric cannot have; or NAN */
	size_t impossible_side; /* of this value */
};

/* A subject that has values on the reference side, but none on another side. */
struct vanished {
	size_t group; /* of compare_subjects */
	size_t side;
};

/* Samples that a profiler lost on a side, in all its profiles. */
struct lost_samples {
	const char *metric;
	size_t side;
	double count;
};

struct compare;
/* Begins a comparison. The schema and the strings of the options must outlive it. */
struct compare *compare_open(const struct schema *schema, const struct compare_opts *opts);
/* Begins a side of this name, to which the following rows belong. Only without a column of
 * sides. */
void compare_side(struct compare *c, const char *name);
/* Makes the following rows belong to no side. They only contribute to noise floors. */
void compare_history(struct compare *c);
/* Adds a row. Returns 0. */
int compare_row(struct compare *c, const struct row *row);
/* Compares all rows added so far. Returns 0, or -1 if the input lacks the requested sides.
 */
int compare_finish(struct compare *c, const struct metrics *metrics, struct fault *f);

/* The following functions return results, after compare_finish. */
const struct comparison *compare_list(const struct compare *c, size_t *count);
const struct vanished *compare_vanished(const struct compare *c, size_t *count);
const struct lost_samples *compare_lost(const struct compare *c, size_t *count);
/* Returns the line of the thresholds that applies to a comparison, or NULL. */
const struct threshold *compare_threshold(
    const struct compare *c, const struct comparison *row);
/* Returns the thresholds that the options gave, or NULL. */
const struct thresholds *compare_thresholds(const struct compare *c);
/* Returns whether a line of the thresholds demands a decision about a metric that its
 * benchmarks lack: they have rows, but none with a value of the metric. If all rows decide,
 * the user chose the metrics by name, and none is missing. */
bool compare_is_unmet(const struct compare *c, const struct threshold *rule);
/* Returns the number of tests for which the p_adj of rows that decide are corrected; 1
 * without a correction. */
size_t compare_tests(const struct compare *c);
/* Returns the confidence of the intervals. */
double compare_confidence(const struct compare *c);
/* Returns the number of duplicate rows that were left out. */
size_t compare_repeated(const struct compare *c);
/* Returns whether any comparison has a noise floor. */
bool compare_has_floors(const struct compare *c);
/* Returns whether all values of both sides of a comparison are equal. */
bool compare_constant(const struct comparison *row);
/* Returns whether any subject and metric has values on both sides, at least one of them of
 * a success. */
bool compare_any(const struct compare *c);
/*
 * Returns whether two inputs have the same samples, as a file that is compared with itself:
 * the values of each pair of all comparisons are equal, and some comparison has values that
 * vary.
 */
bool compare_same_samples(const struct compare *c);
/* Returns whether the second of two inputs has samples of the first, as a file to which a
 * new run was appended: all values that have the same run and number on both sides are
 * equal, and some of them vary. */
bool compare_shares_samples(const struct compare *c);
/*
 * Returns whether a side has other values of COL_HOST or COL_ENV than the reference side,
 * and fills an example from each. Returns false if a side has no value of the column.
 */
bool compare_machines_differ(const struct compare *c, size_t side, enum column column,
    struct text *old, struct text *new);
/* Returns the number of hosts that the rows of a side name. */
size_t compare_hosts(const struct compare *c, size_t side);
/* Returns the runs of the input whose ends are known, which the options gave, or NULL. */
const struct run_ends *compare_ends(const struct compare *c);
/* Returns the facts that the options gave, or NULL. */
const struct facts *compare_facts(const struct compare *c);
const struct groups *compare_groups(const struct compare *c);   /* with metric and unit */
const struct groups *compare_subjects(const struct compare *c); /* without them */
/* Returns the subject of a group. */
size_t compare_subject(const struct compare *c, size_t group);
/* Returns the column of the sides, or -1. */
long compare_by(const struct compare *c);
/* Returns the pairs by columns, or NULL. */
const struct pair_keys *compare_pair_keys(const struct compare *c);
/* Returns the names of the columns that follow from the side, and are therefore not part
 * of the subject. */
const char *const *compare_implied(const struct compare *c, size_t *count);
size_t compare_sides(const struct compare *c);
size_t compare_reference(const struct compare *c);
struct text compare_side_name(const struct compare *c, size_t side);
void compare_close(struct compare *c);

#endif
