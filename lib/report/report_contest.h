/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of subjects that a report compares with each other. Pure.
 */
#ifndef REPORT_REPORT_CONTEST_H
#define REPORT_REPORT_CONTEST_H

#include "base/intern.h"
#include "brief/brief_subjects.h"
#include "brief/ranking.h"

/* The values of all subjects of a report. If nothing compares them, as there are too many,
 * they are only counted. */
struct fastest {
	size_t subjects;
	const struct metrics *metrics;
	bool unlimited;        /* the subjects are compared regardless of their number */
	size_t check_at;       /* the number of groups at which subjects are counted next */
	struct groups *groups; /* NULL: the values were freed, and the subjects counted */
	struct collect *collect; /* NULL: the values were freed */
	struct noise_floor *floors;
};

/* Subjects that are compared, by their numbers. */
struct contest {
	const struct fastest *from;
	const struct brief_subjects *all;
	/* By subject: the first one of its kind and bench, and the next one or SIZE_MAX. */
	size_t *first_alike, *next_alike;
	size_t held_for; /* 1 + the subject for which `held` was found; 0: none */
	/* By subject: the next one of its set, which has the same strings in the held
	 * columns, or SIZE_MAX. */
	size_t *next_held;
	struct intern sets;                  /* of contest_join() */
	size_t *last_held, lasts, lasts_cap; /* by set */
	bool *is_first;                      /* by subject: of its set */
	bool *held; /* by column: whether only subjects that agree in it are compared */
	size_t columns;
	/* Backends have data types in common, so only equal types are compared. If
	 * each backend has its own type, as the reference backend may, types are rivals. */
	bool types_shared;
	size_t *subject, count, cap; /* those of the current contest */
	char **name;                 /* by place in subject */
	struct ranking ranking;
};

/* Prepares a search for contests. End with contest_close(). */
void contest_open(
    struct contest *c, const struct fastest *from, const struct brief_subjects *all);
void contest_close(struct contest *c);

struct text contest_cell(const struct contest *c, size_t subject, size_t column);
bool contest_is_kind(const struct contest *c, size_t subject, const char *kind);
/* Returns whether a subject is a kernel or model. */
bool contest_is_work(const struct contest *c, size_t subject);
/* Returns whether a subject has values of its main metric, or limits of them. */
bool contest_is_measured(const struct contest *c, size_t subject);

/* Appends the strings of a subject in the held columns, so that equal strings are equal. */
void contest_put_held(const struct contest *c, size_t subject, struct buf *key);
/* Adds a subject to the set of those with which it is compared: they match, and agree in
 * the columns c->held, which must be equal for all subjects that match. Each subject is
 * added once, in their order. */
void contest_join(struct contest *c, size_t subject);
/* Finds the set of a subject if that is the first one of it, after all were added. Returns
 * whether it has several subjects. */
bool contest_find(struct contest *c, size_t first);
/* Compares the subjects. name_of returns the allocated name of a subject. */
void contest_rank(
    struct contest *c, char *(*name_of)(const struct contest *c, size_t subject));
/* Forgets the result of contest_rank(). */
void contest_clear(struct contest *c);

#endif
