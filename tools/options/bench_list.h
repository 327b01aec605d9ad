/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-list.
 */
#ifndef OPTIONS_BENCH_LIST_H
#define OPTIONS_BENCH_LIST_H

#include "io/opt.h"
#include "text/shell_words.h"

/* The values of the options. */
struct bench_list_opts {
	bool all;
	struct opt_list params;
	const char *generate, *directory;
	const char *export, *model, *kernel;
	uint64_t seed; /* the default is that of bench-run */
	bool step, external;
};

/* The list that the options and operands choose. */
struct bench_list_plan {
	unsigned kinds; /* of catalog/list_kinds.h; 0 with --generate and --export */
	char **operand; /* after the kinds */
	size_t operands;
	struct binding *param; /* of -P: names and values, opts->params.count of them */
};

extern const struct opt_program bench_list;

/*
 * Reads and checks the command line, and fills in the plan, which is zero before. Returns
 * the values of the options, which live until the program ends. A wrong option ends the
 * program (opt_usage_error).
 */
const struct bench_list_opts *bench_list_opts_read(
    int argc, char **argv, struct bench_list_plan *plan);
/* Frees what the plan holds. */
void bench_list_opts_free(struct bench_list_plan *plan);

#endif
