/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs gnuplot and cleans its output.
 */
#ifndef PLOT_GNUPLOT_RUN_H
#define PLOT_GNUPLOT_RUN_H

#include "plot/gnuplot_script.h"

/*
 * Runs gnuplot, without the user's settings, with the script of this look on its standard
 * input, and appends its output. Returns 0; or -1 and the message of gnuplot, or that the
 * installed fonts lack a character.
 */
int gnuplot_run(
    struct text script, const struct gnuplot_look *look, struct buf *out, struct fault *f);

/* Gives an SVG a title and a description, so that viewers show the title instead of
 * "Gnuplot" and screen readers read both. Also escapes "]]>" in its strings, which is not
 * valid XML and which gnuplot does not escape. */
void gnuplot_name_svg(struct buf *svg, const char *title, const char *description);
/* Removes form feeds and trailing spaces from a plot drawn with characters. */
void gnuplot_tidy_text(struct buf *text);

#endif
