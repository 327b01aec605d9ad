/*
 * A picture of characters that is drawn again and again while rows arrive.
 */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "plot/plot.h"

/*
 * Draw on the terminal fd, in place of the picture before, whenever more of the file asked
 * for (none: standard input) has come, a few times a second at most, until it ends or a
 * signal is noted (interrupt.h). A regular file does not end: it is watched as it grows.
 * The last picture stands, the cursor below it; the terminal's modes are never changed.
 * 0, or -1 and the message: a broken row, nothing that can be drawn when the input ends,
 * gnuplot missing.
 */
int follow_draw(const struct plot_opts *opts, int fd, struct fault *f);

#endif
