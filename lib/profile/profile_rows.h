/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a profile as rows of bench-csv(5): one for each stack and metric, with the status
 * of the command; and as folded stacks.
 */
#ifndef PROFILE_PROFILE_ROWS_H
#define PROFILE_PROFILE_ROWS_H

#include "io/render.h"
#include "profile/stack_symbols.h"
#include "text/shell_words.h"

struct profile_metric {
	const char *name, *unit;
};

struct profile_rows {
	const char *bench, *status, *commit;
	int64_t begun_ns; /* CLOCK_REALTIME */
	const struct binding *label;
	size_t labels;
	const struct profile_metric *metric; /* by index of the value */
	const struct profile_metric *lost_metric; /* of a row without a stack */
	double lost;                              /* NAN if unknown */
	struct buf *note; /* receives a message if facts could not be read */
	bool complete;    /* not interrupted: write the end mark of bench-csv(5) */
};

/* Writes the rows. name is that of the output in messages. Returns 0, or -1 and the
 * message. */
int profile_rows_print(const struct profile_rows *p, const struct stack_symbols *fold,
    const struct output *out, const char *name, struct fault *f);
/* Writes a line "main;parse;strtod 42" for each stack with a value above 0. Returns 0, or
 * -1 with errno if writing fails. */
int profile_folded_print(const struct stack_symbols *fold, unsigned which, FILE *out);

#endif
