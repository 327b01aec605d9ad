/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A picture of characters that is drawn again and again while rows arrive.
 */
#ifndef PLOT_FOLLOW_H
#define PLOT_FOLLOW_H

#include "plot/plot.h"

/*
 * Draws on the terminal fd, over the picture before, whenever more of the file (without
 * one, of standard input) has come, a few times a second at most, until it ends or a signal
 * is noted (interrupt.h). A regular file does not end: it is watched as it grows. The last
 * picture stays, with the cursor below it; the terminal's modes are never changed. 0, or -1
 * and the message: a broken row, nothing to draw when the input ends, gnuplot missing.
 */
int follow_draw(const struct plot_opts *opts, int fd, struct fault *f);

#endif
