/*
 * Running gnuplot, and putting what it drew where it belongs: a file that is whole or not
 * there, a page of HTML, a terminal.
 */
#ifndef DRAW_H
#define DRAW_H

#include "base/base.h"

/*
 * Run gnuplot, without the user's settings, with the script on its standard input; append
 * what it writes to out. 0, or -1 and gnuplot's complaint.
 */
int draw_run(struct text script, struct buf *out, struct fault *f);

/* Make an SVG an image with a name and a description, so that viewers show the title
 * instead of "Gnuplot" and screen readers read both, and escape the end of a CDATA section
 * in its texts, which is no XML and which gnuplot leaves. */
void draw_name(struct buf *svg, const char *title, const char *description);
/* Put an SVG into a page of HTML that needs no other file. */
void draw_page(struct buf *svg, const char *title, bool dark);
/* Remove form feeds and trailing blanks from a drawing made of text. */
void draw_tidy(struct buf *text);

/*
 * Write a file so that it is there as a whole or not at all: a temporary file beside it is
 * renamed. What is no regular file (a device, a pipe) is written to. 0 or -1.
 */
int draw_file(const char *path, struct text content, struct fault *f);

/* The size of the terminal in characters; 80 by 24 where there is none. */
void draw_terminal_size(int fd, unsigned *width, unsigned *height);

#endif
