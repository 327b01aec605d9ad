/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a picture shows, whatever its kind: samples gathered into marks (the points of a
 * line, or the lanes of a bar, box or histogram), each with its summary, and the words
 * around them. No I/O and nothing of gnuplot: gnuplot_script.h writes it down. A kind that
 * shows more than marks has a struct that begins with a struct figure, in a header of its
 * own. The kinds are in figure_kinds.c.
 */
#ifndef PLOT_FIGURE_H
#define PLOT_FIGURE_H

#include "plot/axis.h"
#include "record/metric.h"
#include "record/record.h"
#include "stats/inference.h"
#include "stats/stats.h"

struct figure;
struct figure_opts;
struct figure_form;
struct figure_kind;

/* How the rows of a stream become a figure. */
struct figure_source {
	/* The schema is that of the rows to come; asked must outlive the context. */
	void *(*open)(const struct figure_kind *kind, const struct schema *schema,
	    const struct figure_opts *opts);
	int (*row)(void *ctx, const struct row *row, struct fault *f); /* 0 or -1 */
	/* Returns the figure, once; NULL and the message when there is nothing to draw or a
	 * column or metric that was asked for does not exist. */
	struct figure *(*make)(void *ctx, struct fault *f);
	void (*close)(void *ctx);
};

/* A kind of picture: a row of figure_kinds[] and a template share/plots/NAME.gp. */
struct figure_kind {
	const char *name, *meaning;
	const struct figure_form
	    *form; /* NULL: no figure at all, flame_stream.h draws it */
	const struct figure_source *source; /* NULL: read makes the figure */
	bool lanes;     /* one lane a mark, names on the left; else marks at a numeric x */
	bool all_lanes; /* by default every subject has a lane of its own, without series */
	bool all_series; /* by default every subject is a series; there is no x */
	bool from_zero;  /* the value axis begins at zero */
	bool around_one; /* the value axis includes 1 */
	bool interval;   /* the interval of the median is drawn */
	bool outliers;   /* the template gets $outliers */
	bool bins;       /* the template gets $bins, along the value axis */
	bool dots;       /* the template gets $dots: every value */
	bool steps;      /* the template gets $steps: shares of the values, along x */
	bool grid;       /* two factors: one has lanes, the other columns */
	bool ratios;     /* values are times the one at the least x of their series */
	const char *x;   /* columns that lie along x when they vary, comma-separated */
	const char
	    *metric; /* is drawn before all others when rows have it; comma-separated */
	/* Reads the files, or standard input, instead of a source. NULL and the message. */
	struct figure *(*read)(const struct figure_kind *kind,
	    const struct figure_opts *opts, char *const *file, size_t count,
	    struct fault *f);
};

struct figure_opts {
	const char *x, *group; /* columns, comma-separated; NULL: what varies */
	const char *metric;    /* NULL: wall, or the only one */
	const char *title;     /* NULL: made from the metric and what it is drawn against */
	const struct metrics *metrics; /* which way is better; may be NULL */
	struct inference_opts inference;
	const char *const *mark; /* of a trend: "name=COMMIT" or "name=TIME" */
	size_t marks;
	enum log_choice log_x;
	bool utf8; /* whether labels may leave ASCII */
};

struct mark {
	size_t series;
	double x;      /* along a numeric x; else the number of its category */
	char *label;   /* of its category; NULL along a numeric x */
	char *note;    /* the text beside its lane; NULL: its median */
	double *value; /* sorted, n of them */
	size_t n, failed;
	struct summary s;
};

/* A list of allocated texts. */
struct lines {
	char **text;
	size_t count, cap;
};

/* What x counts: a number, seconds since 1970, or the place in a list of names. */
enum figure_x { X_NUMBER, X_TIME, X_NAMES };

struct figure {
	const struct figure_kind *kind;
	char *metric, *unit, *title;
	char *x_name;      /* the column along x */
	struct mark *mark; /* by category or x, then series; of lines by series, then x */
	size_t marks;
	char **series; /* names; one empty name when there is nothing to tell apart; NULL:
	                  none of its marks had a value */
	size_t series_count;
	bool thinned;      /* marks that would not change the picture were left out */
	bool geometric_x;  /* if thinned: x was spaced by factors before that */
	struct lines what; /* what is drawn: the statistic, n, what failed */
	struct lines held; /* what was held constant */
	size_t failed;
	bool same_n; /* all marks have the same n, which a line of what gives */
	enum figure_x x_form;
	struct lines x_text; /* of X_NAMES */
	double x_lo, x_hi; /* of X_TIME: places that x includes beside the marks; or NAN */
	double ideal;      /* the value of the ideal line at x = 1; 0: no such line */
};

/* How many marks side by side a figure along x has, about. */
enum { FIGURE_COLUMNS = 800 };
enum { FIGURE_LANES_MAX = 400, FIGURE_SERIES_MAX = 48 };
/* How wide the name of a unit may be, in columns. */
enum { FIGURE_UNIT_WIDTH = 16 };

/* Returns a figure of this kind, zeroed, in a struct of its form's size. */
struct figure *figure_open(const struct figure_kind *kind);
/* Appends an allocated text. */
void lines_add(struct lines *l, char *text);
/* Appends what a figure shows, in words: for those who do not see it. */
void figure_describe(const struct figure *fig, struct buf *b);
void figure_free(struct figure *fig);

#endif
