/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the newest rows of each subject of a history: those of its newest commit or, where
 * rows have no commit, of its newest run. Pure.
 */
#ifndef REPORT_REPORT_NEWEST_H
#define REPORT_REPORT_NEWEST_H

#include "record/record.h"

/* Zero it to begin. */
struct newest {
	struct intern subjects, texts; /* subjects: on a host */
	struct newest_point {
		uint32_t time, name; /* numbers in texts; name: the commit or run */
	} *point;                    /* by subject */
	size_t count, cap;
	struct buf key; /* scratch */
};

/* Notes a row, in a first pass over the stream. */
void newest_note(struct newest *n, const struct row *row);
/* Returns whether a row, in a second pass, is one of the newest of its subject. */
bool newest_has(struct newest *n, const struct row *row);
void newest_free(struct newest *n);

#endif
