/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Redraws a plot on a terminal while rows arrive.
 */
#ifndef PLOT_FOLLOW_H
#define PLOT_FOLLOW_H

#include "plot/plot.h"

/*
 * Draws on the terminal fd, over the previous plot, whenever the file, or standard
 * input, has grown, at most a few times a second, until the input ends or a signal is noted
 * (interrupt.h). A regular file does not end; it is watched for more rows. The last plot
 * remains, with the cursor below it, and the terminal's modes are never changed. Returns 0,
 * or -1 and the message if a row is broken, if there is nothing to draw at the end of the
 * input, or if gnuplot is missing.
 */
int follow_draw(const struct plot_opts *opts, int fd, struct fault *f);

#endif
