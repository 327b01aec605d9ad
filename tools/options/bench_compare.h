/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-compare.
 */
#ifndef OPTIONS_BENCH_COMPARE_H
#define OPTIONS_BENCH_COMPARE_H

#include "compare/compare_table.h"
#include "compare/gate.h"
#include "compare/thresholds.h"
#include "io/opt.h"
#include "record/stream_options.h"
#include "stats/inference.h"

/* The values of the options. */
struct bench_compare_opts {
	const char *by, *reference, *group, *pair, *thresholds, *budget, *junit;
	struct inference_opts inference;
	struct opt_percent threshold, warn;
	struct stream_options rows;
	struct opt_list floors;
	struct gate_opts decision;
	const char *unsure, *worst;
	const char *adjust, *test, *statistics;
	bool bisect, gate, markdown, no_geomean;
	/* for histories */
	bool history, since_change, by_run;
	const char *order, *since;
	uint64_t window, min_segment;
};

/* The comparison that the options and operands choose. */
struct bench_compare_plan {
	char **path;
	size_t files;
	char **group; /* the columns of --group */
	size_t groups;
	char **pair; /* the columns of --pair */
	size_t pairs;
	struct thresholds *thresholds;  /* of --thresholds; NULL: none */
	struct compare_columns columns; /* of --statistics; none: the default ones */
	enum adjust adjust;
};

extern const struct opt_program bench_compare;

/*
 * Reads and checks the command line, and fills in the plan, which is zero before. Returns
 * the values of the options, which live until the program ends. A wrong option, or a file
 * of an option that cannot be read, ends the program.
 */
const struct bench_compare_opts *bench_compare_opts_read(
    int argc, char **argv, struct bench_compare_plan *plan);
/* Frees what the options and the plan hold. */
void bench_compare_opts_free(struct bench_compare_plan *plan);

#endif
