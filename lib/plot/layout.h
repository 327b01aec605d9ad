/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lays out a figure on a canvas: axes, lanes, margins, labels shortened to their room, and
 * the key. Units are pixels from the top left corner, or characters on a terminal. Pure.
 */
#ifndef PLOT_LAYOUT_H
#define PLOT_LAYOUT_H

#include "figure/axis.h"
#include "figure/figure.h"
#include "svg/palette.h"

struct canvas {
	bool text;              /* characters, not pixels */
	unsigned width, height; /* 0: as the figure needs; for text: the terminal's size */
	bool fixed;             /* the user set the height */
	double font;            /* size of the text in pixels; 0: LAYOUT_FONT */
	bool utf8;
	enum log_choice log_x, log_y;
};

/* The look of a series. */
struct layout_hue {
	struct palette_color color;
	unsigned dash, point; /* numbers of its dashes and of its symbol, from 0 */
	unsigned copy;        /* number of earlier series with which it coincides */
};

struct placed {
	char *text;
	double x, y;                /* lanes and notes: y along the lane axis */
	struct palette_color color; /* of a remark */
	/* A line from a point to its name, if led: both ends, as they are drawn. */
	bool led;
	double from_x, from_y, to_x, to_y;
};

struct placed_list {
	struct placed *item;
	size_t count, cap;
};

struct layout {
	double width, height, column, row; /* column, row: the size of a character */
	double font;                       /* size of the text in pixels */
	double left, right, top, bottom;   /* of the axes */
	char *title, *value_label, *x_label;
	char *first_words; /* begin the subtitle; NULL: none */
	struct lines subtitle, footer;
	double first_line;         /* y of the title; the next lines follow row by row */
	double value_label_y;      /* y of a line's value label on a terminal */
	struct axis_unit unit;     /* values are divided by its size */
	struct axis value, x;      /* x: of a line */
	double lane_from, lane_to; /* the lane axis, downward */
	double lane_pitch;         /* pixels or rows from one lane to the next */
	double *at;                /* of each mark: along the lane axis, or x */
	struct placed_list lane, note, key;
	struct placed_list remark; /* next to changes: x and y as they are drawn */
	struct placed_list name;   /* of panels and points: x and y as they are drawn */
	size_t *series;            /* the figure's series that are drawn */
	struct layout_hue *hue;    /* of each of them */
	size_t *same; /* of each of them: the first one with which it coincides */
	size_t series_count;
	bool dense;       /* marks lie so close that only their lines are drawn */
	bool key_lines;   /* the key shows lines, because no symbols are drawn */
	struct bins bins; /* in values, not divided by the unit */
	size_t peak;      /* the largest count of a bin */
	bool crowded;     /* not everything has room */
	size_t unnamed;   /* points of a roofline whose names do not fit */
	/* Panels below each other, along the same x: of the metrics of a timeline, or of
	 * the series of a line. The value axis counts them from the bottom. */
	struct layout_panels {
		size_t count;
		double share; /* of a panel's height that its curves have, below its name */
		struct axis *axis; /* of each panel's values, in its unit */
		struct axis_unit *unit;
		double x_size; /* ns in the unit of x of a timeline */
	} panels;
	double *shade;       /* of each mark of a grid, 0 to 1 */
	double cell_columns; /* width of a cell of a grid, in characters */
};

enum {
	LAYOUT_FONT = 13,       /* pixels; the smallest labels have 12/13 of it */
	LAYOUT_TEXT_MAX = 1024, /* characters; above it, gnuplot falls back to 79 by 24 */
};

/* Lays out a figure on a canvas. Returns 0, or -1 and the message if it does not fit; the
 * layout must be freed in both cases. */
int layout_make(struct layout *l, const struct figure *fig, const struct canvas *canvas,
    struct fault *f);
void layout_free(struct layout *l);

/* Returns the position of a value of a series on the value axis: the value in the unit of
 * the axis or, if each series has a panel, its place in the panel. */
double layout_value(const struct layout *l, size_t series, double value);
/* Returns where the canvas has a value of the x axis, in the layout's units. */
double layout_canvas_x(const struct layout *l, double x);
/* Returns where the canvas has a position on the vertical value axis (layout_value()). */
double layout_canvas_y(const struct layout *l, double position);

/* The whiskers of a box: the outermost values within 1.5 IQR of the quartiles (J. W. Tukey,
 * "Exploratory data analysis", 1977). NAN if values are below their limits. */
struct whiskers {
	double q1, q3, lo, hi;
	size_t first, last; /* values before first, and from last on, are outliers */
};
struct whiskers whiskers_of(const struct mark *m);

/* Returns the counts of a mark's values by bin; allocated. */
size_t *bins_count(const struct bins *b, const struct mark *m);

#endif
