/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers the runs of rows, for struct sample_id. Rows of a table without the column run
 * have a run of their own, whose name begins with a NUL.
 */
#ifndef RECORD_RUN_NUMBERS_H
#define RECORD_RUN_NUMBERS_H

#include "base/intern.h"
#include "record/record.h"

/* Zero it to begin. */
struct run_numbers {
	struct intern names;
	uint32_t
	    *order;  /* by final number: that of the name; NULL until they are ordered */
	bool *named; /* by final number: whether the run has a name */
	/* The last row. */
	struct buf last;
	uint64_t table; /* plus 1; 0: none */
	uint32_t number;
};

/* Finds the number of a row's run, and notes the row as the last one. */
uint32_t run_numbers_find(struct run_numbers *r, const struct row *row);
/* Returns the number of a row's run, mostly that of the last row. */
static inline uint32_t run_numbers_add(struct run_numbers *r, const struct row *row)
{
	return r->table == row->table + 1 &&
	               text_equal(row->cell[COL_RUN], text_in(&r->last))
	           ? r->number
		   : run_numbers_find(r, row);
}
/*
 * Puts the runs in the order of their names, r2 before r10, because resampling draws them
 * by their numbers, which must not depend on the order of files. Returns the final number
 * of each run, allocated.
 */
uint32_t *run_numbers_order(struct run_numbers *r);
/* Returns the name of a run, by its final number once the runs are ordered. */
struct text run_numbers_name(const struct run_numbers *r, uint32_t number);
void run_numbers_free(struct run_numbers *r);

#endif
