/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-run.
 */
#ifndef OPTIONS_BENCH_RUN_H
#define OPTIONS_BENCH_RUN_H

#include "io/opt.h"
#include "run/setup.h"

extern const struct opt_program bench_run;

/*
 * Reads and checks the command line, and sets the first operand. Returns the values, which
 * live until the program ends; .output is NULL for standard output. A wrong option ends the
 * program (opt_usage_error). setup.h checks the options that depend on the subjects.
 */
const struct run_opts *bench_run_opts_read(int argc, char **argv, char ***operands);

#endif
