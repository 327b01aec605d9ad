/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-plot about where a plot goes and how it looks.
 */
#ifndef PLOT_LOOK_OPTIONS_H
#define PLOT_LOOK_OPTIONS_H

#include <stdio.h>

#include "io/opt.h"
#include "plot/gnuplot_script.h"
#include "plot/layout.h"

/* The strings of the options; NULL: not given. */
struct look_options {
	const char *output, *format; /* -o and --format */
	const char *size, *font, *scale, *theme, *log;
	bool script; /* gnuplot's script is written instead of the plot */
};

/* Sets the look and the canvas, which are those of the terminal if the plot is text.
 * Reports a value that cannot be used as opt_usage_error does. */
void look_options_apply(const struct look_options *o, const struct opt_program *program,
    FILE *terminal, struct gnuplot_look *look, struct canvas *c);
/* Adds the values that one of the options can have, for completion. */
void look_options_values(struct known_names *k, const char *option);

#endif
