/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the rows of a flame graph.
 */
#ifndef FLAME_FLAME_READ_PRIV_H
#define FLAME_FLAME_READ_PRIV_H

#include "base/intern.h"
#include "flame/flame.h"
#include "flame/flame_stream.h"
#include "record/bench_csv.h"

enum { FLAME_COMMON = 4 }; /* columns that a graph names if they never change */

struct flame_reading {
	const struct flame_opts *opts;
	struct bench_csv *stream;
	struct flame *flame;
	struct intern runs;
	char *metric, *unit;  /* of the first stack */
	enum flame_side side; /* of the current file */
	char *side_name[FLAME_SIDES];
	size_t columns; /* of the schema when the columns below were last found */
	long stack, by, column[FLAME_COMMON]; /* -1: there is no such column */
	char *text[FLAME_COMMON];             /* the values of these columns */
	bool differ[FLAME_COMMON];
	double sum[FLAME_SIDES];
	size_t failed; /* stacks of failed runs */
};

/* Reads the files of the options, or standard input. Returns 0, or -1 and the message. End
 * with flame_reading_free() in both cases. */
int flame_read(struct flame_reading *r, const struct flame_opts *opts, struct fault *f);
void flame_reading_free(struct flame_reading *r);

/* Returns the columns that are the same in all rows, such as "bench sort, host a";
 * allocated. */
char *flame_reading_common(const struct flame_reading *r);
/* Returns the title of the graph; allocated. */
char *flame_reading_title(const struct flame_reading *r);

#endif
