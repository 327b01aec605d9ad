/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds rows of bench-csv(5) for the readers of other programs' files. A reader goes over
 * its file twice: first to learn the columns and whether all of the file can be read, so
 * that nothing is written of one that cannot; then to pass the rows on.
 */
#ifndef CONVERT_ROW_BUILDER_H
#define CONVERT_ROW_BUILDER_H

#include "base/arena.h"
#include "record/record.h"

struct row_builder {
	struct schema schema;
	bool *used; /* by column id: some row has something there */
	bool learning;
	int (*sink)(void *ctx, const struct row *row, struct fault *f);
	void *ctx;
	const char *metric; /* only rows of this one; NULL: all */
	const char *bench;  /* of rows that have none */
	uint64_t count;     /* of the rows of this pass */
	uint64_t failed;    /* of them, what is not ok */
	struct buf notes;   /* lines for people, of the first pass */

	struct text *cell;
	size_t cells;
	struct row row;
	struct arena texts; /* what is made for cells, until row_builder_clear */
};

void row_builder_init(struct row_builder *r);
/* Goes over the input again, now for the sink. */
void row_builder_again(struct row_builder *r,
    int (*sink)(void *, const struct row *, struct fault *), void *ctx);
void row_builder_free(struct row_builder *r);

/* Begins another subject: nothing is said about it yet. */
void row_builder_clear(struct row_builder *r);
/* Sets a column of the next rows. The text is borrowed until row_builder_clear() or the
 * last row. */
void row_builder_set(struct row_builder *r, enum column column, struct text t);
/* Sets a factor of the next rows; an underscore is appended to a reserved name. */
void row_builder_factor(struct row_builder *r, struct text name, struct text value);
void row_builder_factor_number(struct row_builder *r, struct text name, double value);
/*
 * Adds a row with what was set, and with the numbers of r->row (process, sample, t,
 * iterations, running_pct), which stay. NAN is no value. An end mark is
 * skipped, because it counts the rows of another file. Returns 0, or what the sink returns.
 */
int row_builder_put(struct row_builder *r, struct text metric, struct text unit,
    double value, struct fault *f);
/* Adds a line to the notes for the user, in the first pass alone. */
void row_builder_note(struct row_builder *r, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Returns x times ten to the exponent, as if its decimal digits had been moved: 0.0003 s
 * are 300000 ns and not the double beside it. NAN stays NAN; what gets too large is NAN.
 */
double decimal_shift(double x, int exponent);

#endif
