/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ranking as a table that fits the terminal: a row for each subject, with its median and
 * how it compares with the best one. Pure.
 */
#ifndef BRIEF_BRIEF_TABLE_H
#define BRIEF_BRIEF_TABLE_H

#include "brief/brief.h"
#include "brief/brief_subjects.h"
#include "brief/ranking.h"

/* The subjects of a ranking by their numbers in it, and the groups of the metric compared.
 */
struct table_subjects {
	const size_t *subject, *group;
};

/*
 * Appends the table of a ranking of these subjects, one contest after the other. sweep: the
 * subjects of a contest are in the given order, with a column for each factor that varies;
 * otherwise the best one is first, and the subjects have their names.
 */
void brief_put_table(struct buf *b, const struct brief_subjects *s,
    const struct table_subjects *of, const struct ranking *r, struct collect *collect,
    bool sweep, const struct brief_opts *opts);

#endif
