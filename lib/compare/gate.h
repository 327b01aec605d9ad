/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision: the reasons why a comparison fails, and the exit status. bench-compare uses
 * it for every kind of output.
 */
#ifndef COMPARE_GATE_H
#define COMPARE_GATE_H

#include "compare/compare.h"
#include "compare/failing.h"

/* Kinds of rows, the worst first. */
enum gravity {
	GRAVITY_WORSE,
	GRAVITY_WARNING,
	GRAVITY_DIFFERS,
	GRAVITY_UNSURE,
	GRAVITY_BETTER,
	GRAVITY_SAME,
	GRAVITY_NONE,  /* not compared, because one side has no values */
	GRAVITY_OTHER, /* does not decide, regardless of its verdict */
	GRAVITIES,
};

/* Returns the kind of a row. */
enum gravity gravity_of(const struct comparison *row);
/* Returns the kind of a row as if it decided. */
enum gravity gravity_of_verdict(const struct comparison *row);

/*
 * The reasons for which a comparison fails, or would without an option that allows them.
 * Those that belong to a row count only for rows that decide and have a metric whose lower
 * or higher values are better. The table in gate.c has the exit status of each
 * reason.
 */
enum gate_reason {
	GATE_WORSE,      /* a row is worse */
	GATE_FAILING,    /* more samples of a subject fail on the new side */
	GATE_BEYOND,     /* a row may be worse than gate_opts.worst */
	GATE_UNSURE,     /* noise leaves a row without a verdict */
	GATE_MORE,       /* more samples of a subject fail, but not significantly more */
	GATE_NOTHING,    /* nothing was compared, because a side has no values */
	GATE_DISJOINT,   /* nothing was compared, because the sides share no subject and
	                    metric */
	GATE_VANISHED,   /* a subject has no successful sample on the new side */
	GATE_BROKEN,     /* all samples of a subject fail on both sides */
	GATE_IMPOSSIBLE, /* a row has values that cannot have been measured */
	GATE_FEW,        /* a row has too few values to become worse */
	GATE_UNBOUNDED,  /* a row has no interval, which gate_opts.worst needs */
	GATE_BLIND,      /* an unsure row has no interval at all */
	GATE_SELF,       /* both sides are, or have, the same samples */
	GATE_CUT,        /* a run lost rows */
	GATE_OPEN,       /* a run has no end mark and is perhaps cut, like all runs */
	GATE_UNITS,      /* the unit of a metric differs between the sides */
	GATE_UNMET,      /* a line of the thresholds names a metric without values */
	GATE_LOST,       /* a subject that did not vanish lacks a metric on the new side */
	GATE_UNPAIRED,   /* a row lacks new samples of some pairs by columns */
	GATE_REASONS,
};

enum gate_unsure { UNSURE_PASS, UNSURE_WARN, UNSURE_FAIL };
extern const char *const unsure_names[];
extern const size_t unsure_names_count;

struct gate_opts {
	bool allow_missing; /* allows GATE_VANISHED, GATE_LOST, GATE_UNPAIRED, GATE_UNMET,
	                       GATE_CUT, GATE_OPEN and GATE_DISJOINT */
	bool must_share;    /* allow_missing does not allow GATE_DISJOINT */
	enum gate_unsure unsure;
	double worst; /* the largest ratio that passes, as old / new if higher values are
	                 better; 0: any */
};

/* Parses the values of --unsure ("pass", "warn" or "fail") and --worst, which may be NULL.
 * Without the first, unsure rows pass if quiet, otherwise with a warning. Returns 0, or -1
 * and a message that names the option. */
int gate_opts_parse(struct gate_opts *out, const char *unsure, const char *worst,
    bool quiet, struct fault *f);

/* A reason and its row, subject, run or line of the thresholds. Only the field that belongs
 * to it is not NULL. */
struct gate_finding {
	enum gate_reason reason;
	const struct comparison *row;
	const struct failing_subject *failing;
	const struct vanished *vanished;
	const struct run_end *run;
	const struct threshold *rule;
};

/* The result of a check of budgets on the new sides. */
struct gate_budgets {
	size_t broken, undecided, unmatched;
	int status;       /* that the check gives */
	struct buf lines; /* freed by gate_close() */
};

struct gate {
	struct gate_opts opts;
	struct gate_budgets budgets; /* filled by the caller */
	size_t rows[GRAVITIES];
	size_t compared; /* rows of the kinds before GRAVITY_NONE */
	struct gate_finding
	    *finding; /* in the order of the reasons, and then of the list */
	size_t findings, cap;
	size_t found[GATE_REASONS];
};

/* Counts the rows and finds the reasons, after compare_finish. The comparison must outlive
 * the result. */
void gate_open(struct gate *g, const struct compare *c, const struct gate_opts *opts);
void gate_close(struct gate *g);
/* Returns whether the options allow a reason, which then does not change the status. */
bool gate_allows(const struct gate *g, enum gate_reason reason);
/* Returns the exit status of a reason that the options do not allow. */
int gate_reason_status(enum gate_reason reason);
/* Returns whether nothing was compared. */
bool gate_is_empty(const struct gate *g);
/* Returns whether all sides have values, but no subject and metric has them on both sides.
 */
bool gate_shares_nothing(const struct compare *c);
/* Returns the exit status: STATUS_NO if a reason or the budgets have it, otherwise
 * STATUS_TROUBLE if one of them has it, otherwise STATUS_FINE. */
int gate_status(const struct gate *g);

#endif
