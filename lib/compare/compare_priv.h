/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by compare.c, which collects rows, and compare_judge.c, which compares them; see
 * compare.h.
 */
#ifndef COMPARE_COMPARE_PRIV_H
#define COMPARE_COMPARE_PRIV_H

#include "base/intern.h"
#include "compare/compare.h"
#include "compare/failing.h"
#include "compare/implicit_zeros.h"
#include "compare/noise_floor.h"

enum { SIDES_MACHINE = 2 };

struct side {
	char *name;
	struct intern machine[SIDES_MACHINE]; /* values of host and env */
	size_t machine_last[SIDES_MACHINE];
};

struct sides {
	struct side *side;
	size_t count, cap;
};

/* The side of rows that belong to no side, from a file of --floor. */
#define ANY_SIDE UINT32_MAX

/* The gathering of a group on a side. */
struct topic_side {
	uint32_t side, gathering;
};

/* A group, with its sides. */
struct topic {
	uint32_t subject, family; /* the family only of counts by stack */
	struct topic_side *side;  /* in ascending order of their numbers */
	uint32_t count;
	bool counts_stacks; /* a missing stack means a count of 0 */
};

struct unmet; /* the metrics of benchmarks, for compare_is_unmet() */

struct compare {
	struct compare_opts opts;
	const struct schema *schema;
	long by;                 /* the column of the sides; -1: not seen yet, or none */
	struct pair_keys *pairs; /* NULL: none */
	const char **unkeyed;    /* see compare_unkeyed() */
	struct groups *groups, *subjects, *families; /* families: without the stack */
	/* The columns that follow from the side and are not part of the subject, at the end
	 * of those that implied_except leaves out. */
	const char **implied_except;
	size_t implied_count;
	struct topic *topic;
	size_t topics, topic_cap;
	struct collect *collect;
	bool *has_rows; /* by gathering; without rows, it only has a noise floor */
	size_t gatherings, gathering_cap;
	struct intern values; /* values of the column -> number of the side */
	struct sides sides;
	struct implicit_zeros *implicit_zeros; /* by side, for counts by stack */
	bool history;                          /* the following rows have no side */
	bool halves;                           /* the halves of A/A rows are one subject */
	struct noise_floor *floors;
	size_t now; /* without a column: the side of the following rows */
	size_t reference;
	struct comparison *list;
	size_t count, cap;
	size_t tests; /* rows that decide, as two_sample_adjust() returns them */
	struct vanished *vanished;
	size_t vanished_count, vanished_cap;
	struct failing_subject *failing;
	size_t failing_count, failing_cap;
	struct lost_samples *lost;
	size_t lost_count, lost_cap;
	struct unmet *unmet;
	size_t repeated; /* duplicate rows */
	bool any;
	bool shares; /* see compare_shares_samples() */
};

/*
 * Returns three lists in one allocated array: *left_out columns that do not belong to a
 * group, which are those of the sides and of pairs, then `count` others; with metric and
 * unit after them, those that do not belong to a subject; then the same columns again, with
 * stack and comm, which do not belong to a family.
 */
const char **compare_unkeyed(
    const struct compare *c, const char *const *others, size_t count, size_t *left_out);
/* Returns the topic of the group of a row, still without sides. */
struct topic compare_topic(const struct compare *c, struct groups *subjects,
    struct groups *families, const struct row *row);
/* If the sides are backends, leaves columns that follow from the side out of the groups
 * and topics. */
void compare_leave_implied(struct compare *c);
/* Returns the bench of a group, or of the side if the sides are benches. */
struct text compare_bench(const struct compare *c, size_t group, size_t side);
/* Inserts a side among those of a topic, at a place from 0 to their number. */
void compare_insert_side(struct topic *t, size_t at, const struct topic_side *side);
/* Returns the number of the gathering of a group on a side, or -1. */
long compare_gathering(const struct compare *c, size_t group, size_t side);
/* Returns the values of a group on a side, or NULL if it has no rows there. */
const struct collected *compare_values(struct compare *c, size_t side, size_t group);
/* Returns values as compare_values() does, with their identities. */
const struct collected *compare_identified(struct compare *c, size_t side, size_t group);
/* Frees the identities of the values of a group on a side, which take much memory if many
 * groups have few values. */
void compare_forget(struct compare *c, size_t side, size_t group);
/* Returns the number of values of successes that a group has on a side; a value 0 of the
 * metric ok is a failure. */
size_t compare_count(struct compare *c, size_t side, size_t group);
/* Finds the reference that the options name. Returns 0, or -1 and a message if no row has
 * it, or if there is only one side. */
int compare_find_reference(struct compare *c, struct fault *f);
/*
 * Returns -1 and a message if the rows without a value of the column of sides are a side
 * that shares no subject with another one: they lack the column, and are not a version to
 * compare with. An empty value of a parameter is a side like any other. Call it once the
 * values are collected.
 */
int compare_check_sides(struct compare *c, struct fault *f);
/* Returns the number of samples, and of failed ones, that a group has on a side. */
struct failing_samples compare_samples(struct compare *c, size_t side, size_t group);
/* Finds whether samples of the old side are also on the new side, before the values are
 * compared. */
void compare_find_shared(struct compare *c);
/* Finds the samples that profilers lost. */
void compare_find_lost(struct compare *c);
/* Finds the values that cannot have been measured; see struct comparison. */
void compare_find_impossible(struct compare *c, const struct metrics *metrics);
/* Lists the metrics that the benchmarks of the comparisons have. */
struct unmet *unmet_open(const struct compare *c);
void unmet_close(struct unmet *u);
/* Finds the subjects with failed samples (failing.h). */
void compare_find_failing(struct compare *c);

#endif
