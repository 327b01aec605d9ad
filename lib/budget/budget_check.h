/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks samples against a table of budgets: one result for each budget and each group that
 * it matches.
 */
#ifndef BUDGET_BUDGET_CHECK_H
#define BUDGET_BUDGET_CHECK_H

#include "budget/budget.h"
#include "budget/budget_estimate.h"
#include "record/group.h"
#include "record/metric.h"
#include "record/run_ends.h"

struct budget_result {
	const struct budget *budget;
	size_t group;     /* of budget_check_groups */
	size_t n, failed; /* values, and samples without a value */
	double value;     /* of the successful samples */
	struct budget_range range;
	double min, max; /* in the unit of the statistic; infinite: none */
	enum budget_verdict verdict;
	bool hopeless;       /* undecided because the range has no end, or impossible */
	double impossible;   /* a value of 0 or less of a metric without such; or NAN */
	double values_least; /* number of values that the range needs for it; 0: other
	                        reason */
};

/* A budget without any result, or a subject that a budget cannot judge because its samples
 * failed and have no such metric. */
struct budget_gap {
	const struct budget *budget;
	bool has_subject;
	size_t subject; /* of budget_check_subjects */
};

struct budget_check;
/* Borrows the budgets, the schema and the names of the groups. */
struct budget_check *budget_check_open(const struct budgets *b, const struct schema *schema,
    const struct group_by *by, double confidence);
/* Takes a row. Always returns 0. */
int budget_check_row(struct budget_check *c, const struct row *row);
/* Ignores groups that have this string in a column. Call before budget_check_finish(). */
void budget_check_ignore(struct budget_check *c, size_t column, struct text value);
/* Gives the ends of the runs, finished, which must outlive the check. Nothing is decided if
 * a run is cut or, if strict is set, perhaps cut. */
void budget_check_set_ends(struct budget_check *c, const struct run_ends *ends);
/* Ends the rows and judges. Returns 0, or -1 and the message if a limit is no value of a
 * metric that its line matches, or if a column of the groups does not exist. */
int budget_check_finish(
    struct budget_check *c, const struct metrics *metrics, struct fault *f);

/* Returns the number of duplicate rows, which were counted once. Rows that are grouped by
 * names of columns are no duplicates, because a group may have several subjects. */
size_t budget_check_repeated(const struct budget_check *c);
const struct budgets *budget_check_budgets(const struct budget_check *c);
const struct groups *budget_check_groups(const struct budget_check *c);
const struct groups *budget_check_subjects(const struct budget_check *c);
/* Returns the results in the order of the budgets, and then of the groups. */
const struct budget_result *budget_check_results(
    const struct budget_check *c, size_t *count);
/* Returns the number of results with a verdict. */
size_t budget_check_count(const struct budget_check *c, enum budget_verdict verdict);
/* Returns the ends of the runs that were given, or NULL. */
const struct run_ends *budget_check_ends(const struct budget_check *c);
const struct budget_gap *budget_check_gaps(const struct budget_check *c, size_t *count);
/*
 * Returns STATUS_NO if a budget is broken, or undecided although strict is set; otherwise
 * STATUS_TROUBLE if there is a gap, a result is hopeless, or runs are cut (see
 * budget_check_set_ends()); otherwise STATUS_FINE.
 */
int budget_check_status(const struct budget_check *c, bool strict);
void budget_check_close(struct budget_check *c);

#endif
