/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds rows of bench-csv(5) for the readers of other programs' files. A reader goes over
 * its file twice: the first pass learns the columns and checks the whole file, so that
 * nothing is written of a broken file; the second pass emits the rows.
 */
#ifndef RECORD_ROW_BUILDER_H
#define RECORD_ROW_BUILDER_H

#include "base/arena.h"
#include "record/metric_filter.h"
#include "record/row_conditions.h"

/* How a column whose name begins with x_ is treated; see column_extra(). */
enum row_extras {
	ROW_EXTRAS_RENAME, /* another program's parameter: an underscore is prepended */
	ROW_EXTRAS_KEEP,
	ROW_EXTRAS_KNOWN, /* those below are kept */
	ROW_EXTRAS_SKIP,
};
/* Extra columns of the readers. */
#define EXTRA_MESSAGE "x_message" /* why the sample failed, in words */
#define EXTRA_NAME "x_name"       /* of the benchmark in the other program's file */

struct row_settings;
struct row_builder {
	struct schema schema;
	bool *used; /* by column id: some row has a value there */
	bool learning;
	int (*sink)(void *ctx, const struct row *row, struct fault *f);
	/* Takes a fact of a machine in the second pass; may be NULL. */
	void (*fact)(void *ctx, struct text env, struct text fact, struct text value);
	void *ctx;
	struct metric_filter *filter;      /* of rows; NULL: all */
	struct row_conditions *conditions; /* of rows; NULL: none */
	const char *bench;                 /* for rows that have none */
	const char *run;                   /* for rows that have none; NULL: none */
	struct row_settings *settings;     /* columns of all rows; NULL: none */
	enum row_extras extras;
	bool no_extras;     /* row_builder_extra() does nothing */
	bool marks_missing; /* a row that is ok but has no value gets the status skipped */
	uint64_t count;     /* rows of this pass */
	uint64_t failed;    /* rows of this pass that are not ok */
	bool no_rows;       /* the input has only facts or subjects */
	struct buf notes;   /* lines for the user, from the first pass */

	struct text *cell;
	const char **owner; /* by column id: the name in the other program's file that
	                     * became the column's; NULL: any */
	size_t cells;
	struct row row;
	struct arena texts;  /* strings of cells, until row_builder_clear */
	struct arena owners; /* strings of owner */
};

void row_builder_init(struct row_builder *r);
/* Begins the second pass, whose rows go to the sink. */
void row_builder_again(struct row_builder *r,
    int (*sink)(void *, const struct row *, struct fault *), void *ctx);
void row_builder_free(struct row_builder *r);

/* Begins another subject, with all columns empty. */
void row_builder_clear(struct row_builder *r);
/* Sets a column of the next rows. The text must live until row_builder_clear() or the last
 * row. */
void row_builder_set(struct row_builder *r, enum column column, struct text t);
/*
 * Sets a factor of the next rows. An underscore is appended to a reserved name. If `extras`
 * says that names are those of another program:
 * - An underscore is also appended to "aa", the halves of bench-run --aa, and to "subject",
 *   which would make the header that of a list of subjects.
 * - An underscore is prepended to a name that begins with a byte order mark, which readers
 * of the rows would remove.
 * - `extras` says what happens to names that begin with x_.
 * - If two names would become the same, the second one gets another underscore.
 */
void row_builder_factor(struct row_builder *r, struct text name, struct text value);
/* Returns the id of a column, which is added if it is new, and whose cell may be set. */
size_t row_builder_column(struct row_builder *r, struct text name);
/* Sets an extra column of the next rows. */
void row_builder_extra(struct row_builder *r, const char *name, struct text value);
/* Sets a factor to the shortest text of a number. */
void row_builder_factor_number(struct row_builder *r, struct text name, double value);
/*
 * Adds a row with the columns that were set and the numbers of r->row (process, sample, t,
 * iterations, running_pct), which remain set. NAN means no value. An end mark is skipped,
 * because it counts the rows of another file. Returns 0, the result of the sink, or -1 and
 * the message if a setting contradicts the row.
 */
int row_builder_put(struct row_builder *r, struct text metric, struct text unit,
    double value, struct fault *f);
/* Adds a line to the notes for the user, only in the first pass. */
void row_builder_note(struct row_builder *r, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Returns x times ten to the exponent by shifting its decimal digits: 0.0003 s are exactly
 * 300000 ns, not an adjacent double. Returns NAN for NAN and if the result is too large.
 */
double decimal_shift(double x, int exponent);

#endif
