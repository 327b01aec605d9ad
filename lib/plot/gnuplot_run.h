/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running gnuplot, and making what it drew fit to be shown.
 */
#ifndef PLOT_GNUPLOT_RUN_H
#define PLOT_GNUPLOT_RUN_H

#include "base/base.h"

/*
 * Runs gnuplot, without the user's settings, with the script on its standard input, and
 * appends its output. 0, or -1 and gnuplot's complaint.
 */
int gnuplot_run(struct text script, struct buf *out, struct fault *f);

/* Makes an SVG an image with a name and a description, so that viewers show the title
 * instead of "Gnuplot" and screen readers read both, and escapes the end of a CDATA section
 * in its texts, which is no XML and which gnuplot leaves. */
void gnuplot_name_svg(struct buf *svg, const char *title, const char *description);
/* Removes form feeds and trailing blanks from a drawing made of text. */
void gnuplot_tidy_text(struct buf *text);

#endif
