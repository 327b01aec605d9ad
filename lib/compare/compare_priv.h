/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by compare.c, which gathers rows, and compare_judge.c, which compares them; see
 * compare.h.
 */
#ifndef COMPARE_COMPARE_PRIV_H
#define COMPARE_COMPARE_PRIV_H

#include "base/intern.h"
#include "compare/compare.h"
#include "compare/implicit_zeros.h"
#include "compare/noise_floor.h"

enum { SIDES_MACHINE = 2 };

struct side {
	char *name;
	struct intern machine[SIDES_MACHINE]; /* texts of host and env seen */
	size_t machine_last[SIDES_MACHINE];
};

struct sides {
	struct side *side;
	size_t count, cap;
};

/* Rows of no side, in one stream for all sides. */
enum { ANY_SIDE = SIZE_MAX };

/* Where the rows of a group on a side are gathered; or where only its noise is known. */
struct gathering {
	size_t side;
	bool has_rows;
};

/* By group. */
struct topic {
	size_t subject, family;
	size_t *gathering; /* their numbers, in order of appearance */
	size_t count, cap;
	size_t last;        /* the one found last: most streams stay on a side */
	bool counts_stacks; /* a stack that is absent was counted 0 times */
};

struct compare {
	struct compare_opts opts;
	const struct schema *schema;
	long by; /* the id of the column of the sides; -1: not seen yet, or none */
	const char *unkeyed[6]; /* columns that are no part of a subject */
	struct groups *groups, *subjects, *families; /* families: without the stack */
	struct topic *topic;
	size_t topics, topic_cap;
	struct collect *collect;
	struct gathering *gathering;
	size_t gatherings, gathering_cap;
	struct intern places; /* of group and side: the number of their gathering */
	struct intern values; /* of the column: the number of a text is that of its side */
	struct sides sides;
	struct implicit_zeros *implicit_zeros; /* by side: of counts by stack */
	bool history;                          /* the rows that come are of no side */
	bool halves;                           /* aa is no column that was asked for */
	struct noise_floor *floors;
	size_t now; /* without a column: the side of the rows that come */
	size_t reference;
	struct comparison *list;
	size_t count, cap;
	struct vanished *vanished;
	size_t vanished_count, vanished_cap;
	size_t repeated; /* rows that were there before */
	bool any;
};

/* Their number, or -1 when there are none. */
long compare_gathering(const struct compare *c, size_t group, size_t side);
/* The values of a group on a side; NULL when it has no rows there. */
const struct collected *compare_values(struct compare *c, size_t side, size_t group);

#endif
