/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One row of bench-csv(5) in memory. In the schema of a stream each name of a column has an
 * id. Reserved columns have the fixed ids below. Factors have the ids that follow, in the
 * order in which they first appeared in any table of the stream.
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
 * The factor with the side, a or b, of samples of a subject that was measured against
 * itself. It separates groups only on request.
 */
#define COLUMN_AA "aa"

/* The kinds of columns, which determine the default groups. */
enum column_kind { COLUMN_MEASUREMENT, COLUMN_PROVENANCE, COLUMN_SUBJECT };

struct schema {
	char **name; /* by id */
	size_t count, cap;
	struct intern ids; /* of the names */
};

void schema_init(struct schema *s); /* has the reserved columns */
void schema_free(struct schema *s);
/* Returns the id of a column, which is added if it is new. */
size_t schema_add(struct schema *s, struct text name);
/* Returns the id of a column, or -1. */
long schema_find(const struct schema *s, struct text name);
/* Returns 0, or -1 and a message if the schema lacks a column that the user named. */
int schema_need(const struct schema *s, const char *name, struct fault *f);
/* Sets the message about a name that is no column, after the words of what is wrong.
 * Returns -1. */
int schema_unknown(
    const struct schema *s, const char *what, struct text name, struct fault *f);
enum column_kind column_kind(size_t id);
/* Returns how early a table of rows that is too wide does without a column (struct
 * render_column). */
unsigned column_rank(size_t id);
/* Returns whether a name is that of a reserved column or of an extra column. Labels and
 * parameters must not have such a name. */
bool column_reserved(struct text name);
/*
 * Returns whether a name begins with x_. Such a column is not a factor but belongs to the
 * measurement, and readers that do not know it skip it. Thus later versions can add
 * columns.
 */
bool column_extra(struct text name);
/*
 * Fills in ids in the order in which programs write columns: the reserved columns, with the
 * factors between bench and process, then the extra columns. order has room for
 * schema->count ids.
 */
void schema_order(const struct schema *s, size_t *order);

#define ROW_NONE INT64_MIN /* process, sample, t, iterations: the field is empty */

struct row {
	const struct schema *schema;
	const struct text *cell; /* by column id, schema->count of them; empty if absent */
	const char *file;
	uint64_t line;  /* the line of the file on which the row ends, from 1 */
	uint64_t table; /* the number of its table in the stream, from 0 */
	bool has_value, has_running_pct;
	bool ok;   /* status is ok, empty or absent */
	char aa;   /* 'a' or 'b' from the column aa; 0: empty or absent */
	bool each; /* of a time series in which each value counts (each_metrics.h) */
	double value;
	double running_pct;
	int64_t process, sample, t, iterations;
};

/* Returns whether the row enters statistics: its status is ok, it has a value, and it is
 * not a warm-up. */
static inline bool row_counts(const struct row *r)
{
	return r->ok && r->has_value && (r->sample >= 0 || r->sample == ROW_NONE);
}

/*
 * Returns a row of half of a subject that was measured against itself, with a number that
 * the other half does not have: the halves are different processes, or for commands
 * different samples, of one subject.
 */
struct row row_part_twins(const struct row *row);

/*
 * The last row of a run contains the number of rows of the run before it, so that a reader
 * can detect a truncated stream. It describes no subject: kind and bench are empty, and its
 * unit is 1. A metric of a subject may have the same name.
 */
#define END_MARK_METRIC "rows"

/* Returns whether the row is an end mark. */
bool row_is_end_mark(const struct row *r);

#endif
