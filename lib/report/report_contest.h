/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of subjects that a report compares with each other. Pure.
 */
#ifndef REPORT_REPORT_CONTEST_H
#define REPORT_REPORT_CONTEST_H

#include "brief/brief_subjects.h"
#include "brief/ranking.h"

/* The values of all subjects of a report. */
struct fastest {
	struct groups *groups;
	struct collect *collect;
	struct noise_floor *floors;
};

/* Subjects that are compared, by their numbers. */
struct contest {
	const struct fastest *from;
	const struct brief_subjects *all;
	/* By subject: the first one of its kind and bench, and the next one or SIZE_MAX. */
	size_t *first_alike, *next_alike;
	size_t held_for; /* 1 + the subject for which `held` was found; 0: none */
	/* By subject of the same kind and bench as held_for: the next one with the same
	 * texts in the held columns, or SIZE_MAX. */
	size_t *next_held;
	bool *held; /* by column: whether only subjects that agree in it are compared */
	size_t columns;
	/* Backends have data types in common, so only equal types are compared. If
	 * each backend has its own type, as the reference backend may, types are rivals. */
	bool types_shared;
	size_t *subject, count, cap;
	char **name; /* by place in subject */
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

/* Finds the subjects that are compared with one, by c->held, if it is the first of them.
 * Returns whether there are several. */
bool contest_find(struct contest *c, size_t first);
/* Compares the subjects. name_of returns the allocated name of a subject. */
void contest_rank(
    struct contest *c, char *(*name_of)(const struct contest *c, size_t subject));
/* Forgets the result of contest_rank(). */
void contest_clear(struct contest *c);

#endif
