/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a figure and its layout are written into a script: what the forms of figures use to
 * write their own data. No text that comes from outside is written into the commands.
 */
#ifndef PLOT_GNUPLOT_WRITER_PRIV_H
#define PLOT_GNUPLOT_WRITER_PRIV_H

#include "plot/gnuplot_script.h"

struct gnuplot_writer {
	struct buf commands, said; /* said: the lines of the block of texts */
	size_t texts;
	const struct figure *fig;
	const struct layout *l;
	const struct gnuplot_look *look;
	double swarm; /* the width of a strip's cells */
};

/* Appends a number, NaN included. */
void gnuplot_put_number(struct gnuplot_writer *w, double x);
/* Appends a line of numbers. */
void gnuplot_put_numbers(struct gnuplot_writer *w, const double *x, size_t n);
/* Append "name = NUMBER", or the same for a text, which is written into the block. */
void gnuplot_set_number(struct gnuplot_writer *w, const char *name, double x);
void gnuplot_set_text(struct gnuplot_writer *w, const char *name, const char *text);
/* Appends an array and NAME_count. An array cannot be empty, so there is room for one. */
void gnuplot_set_array(struct gnuplot_writer *w, const char *name, size_t count);
/* Append an array with its elements. */
void gnuplot_set_texts(
    struct gnuplot_writer *w, const char *name, char *const *text, size_t count);
void gnuplot_set_numbers(
    struct gnuplot_writer *w, const char *name, const double *x, size_t count);
/* Appends a block of data with one index a series; put writes the lines of one mark. */
void gnuplot_put_block(struct gnuplot_writer *w, const char *name, const char *columns,
    void (*put)(struct gnuplot_writer *w, size_t mark));
/* Appends the blocks that the flags of the kind name. */
void gnuplot_put_marks(struct gnuplot_writer *w);

#endif
