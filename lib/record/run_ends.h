/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the runs of a stream whose ends are missing, so that rows may be lost.
 *
 * A run of bench-run has a UUID of version 7 as its name, and its rows are in the order of
 * its samples, each of which has several metrics. Programs that select rows by subject or
 * metric also remove end marks, so a run without an end mark is only known to be cut in two
 * cases: it ends inside a sample, although all samples before have the same last metric; or
 * another run has an end mark and no metric that the run lacks, so metrics were not
 * selected. Rows of one metric after the other are those of an export of bench-store, which
 * has end marks only if rows were not selected; such a run is cut if another run of its
 * file has an end mark. Runs of other programs are never known to be cut.
 */
#ifndef RECORD_RUN_ENDS_H
#define RECORD_RUN_ENDS_H

#include "base/intern.h"
#include "record/record.h"

enum run_end_state {
	RUN_END_UNKNOWN,  /* without an end mark, and filtered or of another program; or
	                     unused */
	RUN_END_MARKED,   /* with all rows that its end mark states */
	RUN_END_OPEN,     /* without an end mark, and perhaps cut */
	RUN_END_INSIDE,   /* cut: ends inside a sample */
	RUN_END_UNMARKED, /* cut: without an end mark, unlike another run */
	RUN_END_SHORT,    /* with fewer rows than its end mark states */
};

struct run_end {
	enum run_end_state state; /* set by run_ends_finish() */
	size_t name;              /* of run_ends_name() */
	const char *file;         /* of its last row */
	double rows, stated;      /* stated by its end mark; NAN: without one */
	bool used;                /* a row was selected */
	bool by_metric;           /* a sample follows another one with the same metric */
	bool last_differs;        /* samples have different last metrics */
	size_t samples;           /* that are complete, because another one follows */
	size_t last;              /* the last metric of the last of them */
	size_t *metric, metrics, metric_cap; /* numbers of its metrics */
	size_t at;               /* the position of the metric of the last row */
	int64_t process, sample; /* of the last row */
	struct buf time;
};

/* Zero it to begin. */
struct run_ends {
	struct intern names, metrics;
	struct run_end *run; /* by name */
	size_t count, cap;
	size_t now; /* the run of the last row */
};

/* Adds a row that is no end mark, and whether it is selected. Rows without a run have no
 * end. The name of its file must outlive the list. */
void run_ends_row(struct run_ends *e, const struct row *row, bool selected);
/* Adds an end mark. */
void run_ends_mark(struct run_ends *e, const struct row *mark);
/* Sets the states, after all rows and marks. */
void run_ends_finish(struct run_ends *e);
/* Returns whether a run is known to be cut. */
bool run_end_is_cut(const struct run_end *run);
/* Appends the file and name of a run, what its state is, and the option that accepts it,
 * such as "new.csv: run 0193f2c4 ends inside a sample". Safe for a terminal. The state is
 * none of the first two. */
void run_ends_refuse(const struct run_ends *e, const struct run_end *run, struct buf *b);
/* Returns the number of runs that are known to be cut; open: or perhaps cut. */
size_t run_ends_count_cut(const struct run_ends *e, bool open);
/* Appends a line that begins with a string for each of these runs, up to a limit. */
void run_ends_put_cut(
    const struct run_ends *e, const char *what, bool open, struct buf *lines);
/* Returns whether a run of this name is known to be cut; false if e is NULL. */
bool run_ends_cut_run(const struct run_ends *e, struct text name);
/* Appends a line on the runs of a state, if there are any, which explains the first of
 * them. */
void run_ends_note(const struct run_ends *e, enum run_end_state state, struct buf *lines);
void run_ends_free(struct run_ends *e);

#endif
