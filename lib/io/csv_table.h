/*
 * A small table of CSV as a whole in memory: what a program of ours printed, to be shown,
 * sorted or cut.
 */
#ifndef GRID_H
#define GRID_H

#include "base/base.h"

/* Zero it to begin. */
struct grid {
	char **cell; /* row after row, the header's first */
	size_t cells, cap, columns;
};

/* Read it. 0, or -1 and the message when it is no table; to be freed in either case. */
int grid_read(struct grid *g, struct text csv, struct fault *f);
size_t grid_rows(const struct grid *g); /* without the header */
const char *grid_name(const struct grid *g, size_t column);
/* Row 0 is the first behind the header. */
const char *grid_cell(const struct grid *g, size_t row, size_t column);
/* The column of this name, or -1. */
long grid_column(const struct grid *g, const char *name);
/* Append as CSV the header, or a row. */
void grid_put_header(const struct grid *g, struct buf *b);
void grid_put_row(const struct grid *g, size_t row, struct buf *b);
void grid_free(struct grid *g);

#endif
