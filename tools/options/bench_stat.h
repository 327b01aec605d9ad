/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-stat.
 */
#ifndef OPTIONS_BENCH_STAT_H
#define OPTIONS_BENCH_STAT_H

#include "io/opt.h"
#include "record/group.h"
#include "record/stream_options.h"
#include "stats/inference.h"
#include "summary/chosen_statistic.h"

/* The values of the options. */
struct bench_stat_opts {
	const char *group, *statistics, *sort, *growth, *budget, *junit;
	struct inference_opts inference;
	struct stream_options rows;
	bool components, diagnose, strict, allow_missing;
};

/* The summary that the options and operands choose. */
struct bench_stat_plan {
	char **file;
	size_t files;
	char **group; /* the columns of --group, by.count of them */
	struct group_by by;
	struct chosen_statistic *statistic; /* of -s, in order */
	size_t statistics;
};

extern const struct opt_program bench_stat;

/*
 * Reads and checks the command line, and fills in the plan, which is zero before. Returns
 * the values of the options, which live until the program ends. A wrong option ends the
 * program (opt_usage_error).
 */
const struct bench_stat_opts *bench_stat_opts_read(
    int argc, char **argv, struct bench_stat_plan *plan);
/* Frees what the options and the plan hold. */
void bench_stat_opts_free(struct bench_stat_plan *plan);

#endif
