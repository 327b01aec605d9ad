/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a figure and its layout into a script. The forms of figures use these functions to
 * write their data. No string from the input is written into the commands.
 */
#ifndef PLOT_GNUPLOT_WRITER_PRIV_H
#define PLOT_GNUPLOT_WRITER_PRIV_H

#include "plot/gnuplot_script.h"

struct gnuplot_writer {
	struct buf commands, said; /* said: the lines of the block of strings */
	size_t texts;
	const struct figure *fig;
	const struct layout *l;
	const struct gnuplot_look *look;
	double swarm; /* the width of a strip's cells */
};

/* Returns a color for the look of the plot, as a number. */
unsigned gnuplot_shade(const struct gnuplot_writer *w, struct palette_color color);
/* Appends a number, NaN included. */
void gnuplot_put_number(struct gnuplot_writer *w, double x);
/* Appends a line of numbers. */
void gnuplot_put_numbers(struct gnuplot_writer *w, const double *x, size_t n);
/* Appends "name = NUMBER". */
void gnuplot_set_number(struct gnuplot_writer *w, const char *name, double x);
/* Sets a variable to a string, which is written into the block of strings. */
void gnuplot_set_text(struct gnuplot_writer *w, const char *name, const char *text);
/* Appends an array and NAME_count. An array cannot be empty, so there is room for one. */
void gnuplot_set_array(struct gnuplot_writer *w, const char *name, size_t count);
/* Appends an array of strings. */
void gnuplot_set_texts(
    struct gnuplot_writer *w, const char *name, char *const *text, size_t count);
/* Appends an array of numbers. */
void gnuplot_set_numbers(
    struct gnuplot_writer *w, const char *name, const double *x, size_t count);
/* Appends a data block with one index for each series; put writes the lines of one mark. */
void gnuplot_put_block(struct gnuplot_writer *w, const char *name, const char *columns,
    void (*put)(struct gnuplot_writer *w, size_t mark));
/* Appends the arrays gap, gap_at and gap_series: the places of marks without values. */
void gnuplot_put_gaps(struct gnuplot_writer *w);
/* Appends the data blocks that the flags of the kind select. */
void gnuplot_put_marks(struct gnuplot_writer *w);

#endif
