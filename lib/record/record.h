/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One row of bench-csv(5) in memory. Columns are known by name: every name has an id in the
 * schema of its stream, the reserved ones the fixed ids below, factors the ids that follow
 * in the order in which they were first seen, whichever table they came in.
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "base/intern.h"

enum column {
	COL_RUN,
	COL_TIME,
	COL_HOST,
	COL_ENV,
	COL_COMMIT,
	COL_KIND,
	COL_BENCH,
	COL_PROCESS,
	COL_SAMPLE,
	COL_T,
	COL_ITERATIONS,
	COL_METRIC,
	COL_UNIT,
	COL_VALUE,
	COL_STATUS,
	COL_RUNNING_PCT,
	COL_FACTORS, /* the first factor's id */
};

/*
 * Samples of a subject that was measured beside itself: a or b. A factor that parts rows
 * only where it is asked for.
 */
#define COLUMN_AA "aa"

/* The three sorts of columns, which decide by default what belongs together. */
enum column_kind { COLUMN_MEASUREMENT, COLUMN_PROVENANCE, COLUMN_SUBJECT };

struct schema {
	char **name; /* by id */
	size_t count, cap;
	struct intern ids; /* of the names */
};

void schema_init(struct schema *s); /* knows the reserved columns */
void schema_free(struct schema *s);
/* The id of a column, which is added if it is new. */
size_t schema_add(struct schema *s, struct text name);
/* The id of a column, or -1. */
long schema_find(const struct schema *s, struct text name);
enum column_kind column_kind(size_t id);
/* Whether a name is one of the reserved columns', which no label or parameter may take. */
bool column_reserved(struct text name);
/*
 * Ids in the order in which a program writes them: the fixed columns of the contract with
 * the factors between bench and process. order has room for schema->count ids.
 */
void schema_order(const struct schema *s, size_t *order);

#define ROW_NONE INT64_MIN /* process, sample, t, iterations: the field is empty */

struct row {
	const struct schema *schema;
	const struct text
	    *cell; /* by column id; schema->count of them; empty where absent */
	const char *file;
	uint64_t line;  /* where the row ends in the file, from 1 */
	uint64_t table; /* 0, 1, 2 ...: which table of the stream */
	bool has_value, has_running_pct;
	bool ok; /* status is ok, empty or absent */
	char aa; /* what the column says, 'a' or 'b'; 0: nothing */
	double value;
	double running_pct;
	int64_t process, sample, t, iterations;
};

/* Whether the row may enter a statistic: status ok, a value, no warm-up. */
static inline bool row_counts(const struct row *r)
{
	return r->ok && r->has_value && (r->sample >= 0 || r->sample == ROW_NONE);
}

/*
 * The last row of a run contains the number of rows of the run before it, so that a reader
 * can detect a truncated stream. It describes no subject: kind and bench are empty, and its
 * unit is 1. A metric of a subject may have the same name.
 */
#define END_MARK_METRIC "rows"

bool row_is_end_mark(const struct row *r);

#endif
