/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what programs print about their runs, when each value and each setting of a run is
 * a line of known words.
 */
#ifndef CONSOLE_PATTERN_RUNS_H
#define CONSOLE_PATTERN_RUNS_H

#include "console/line_pattern.h"
#include "convert/from.h"

struct pattern_program {
	const char *begins; /* the words of the first line of a run */
	/* The other lines. The factor "bench" is the name of the benchmark. A * in the name
	 * of a metric is replaced by the number in the text of its line. */
	const struct line_pattern *lines;
	size_t count;
	const char *bench; /* the name of the benchmark; NULL: its line or none */
	/* The words of the line that ends a run that failed or succeeded. Without either,
	 * the file is cut off. NULL: runs have no such lines. */
	const char *failed, *succeeded;
	const char *metric, *unit; /* of the row of a run without values, which failed */
};

/* Returns whether a file has a run. */
bool pattern_runs_recognize(const struct pattern_program *p, const struct source *s);
/* Adds the rows of the runs. A time that was rounded to 0 is missing. Returns 0, or -1 and
 * the message. */
int pattern_runs_read(const struct pattern_program *p, const struct source *s,
    struct row_builder *out, struct fault *f);

#endif
