/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-prof.
 */
#ifndef OPTIONS_BENCH_PROF_H
#define OPTIONS_BENCH_PROF_H

#include "io/opt.h"
#include "profile/profile_command.h"
#include "profile/profile_kind.h"
#include "text/shell_words.h"

/* The values of the options. */
struct bench_prof_opts {
	uint64_t frequency, pid;
	bool pid_set, heap, wait, folded, top, lines;
	const char *event, *stacks, *by, *name, *commit, *output;
	struct opt_duration duration;
	struct opt_percent least;
	struct opt_list labels;
};

/* The profile that the options choose. */
struct prof_plan {
	struct profile_command_opts sampling;
	struct counter_set events;
	struct profile_kind kind; /* .shown: as --by chooses it */
	struct binding *label;    /* opts->labels of them */
};

extern const struct opt_program bench_prof;

/*
 * Reads and checks the command line, makes the plan, and sets the first operand. Returns
 * the values of the options, which live until the program ends. A wrong option ends the
 * program (opt_usage_error).
 */
const struct bench_prof_opts *bench_prof_opts_read(
    int argc, char **argv, struct prof_plan *plan, char ***operands);

#endif
