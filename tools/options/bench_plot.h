/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-plot.
 */
#ifndef OPTIONS_BENCH_PLOT_H
#define OPTIONS_BENCH_PLOT_H

#include "io/opt.h"
#include "load/slo.h"
#include "plot/look_options.h"
#include "plot/plot.h"
#include "record/stream_options.h"
#include "stats/inference.h"

/* The values of the options. */
struct bench_plot_opts {
	const char *x, *group, *title, *template, *slo;
	struct look_options look;
	struct inference_opts inference;
	struct stream_options rows;
	const char *order;
	struct opt_list mark, color;
	uint64_t tests;
	bool diff, follow, functions, data, growth;
};

/* The plot that the options and operands choose. */
struct bench_plot_plan {
	struct figure_kind kind;
	const struct slo *slo; /* of --slo; NULL: none */
	char **file;
	size_t files;
};

extern const struct opt_program bench_plot;

/*
 * Reads and checks the command line, and fills in the plan. Returns the values of the
 * options, which live until the program ends. A wrong option or kind ends the program
 * (opt_usage_error).
 */
const struct bench_plot_opts *bench_plot_opts_read(
    int argc, char **argv, struct bench_plot_plan *plan);
/* Frees what the options hold. */
void bench_plot_opts_free(void);

#endif
