/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contents of a plot of any kind: samples gathered into marks (the points of a line,
 * or the lanes of a bar, box or histogram), each with its summary, and the labels around
 * them. No I/O and no gnuplot: plot/gnuplot_script.h writes the script. A kind that shows
 * more than marks has its own struct, which begins with a struct figure. The kinds are in
 * plot/figure_kinds.c.
 */
#ifndef FIGURE_FIGURE_H
#define FIGURE_FIGURE_H

#include <math.h>

#include "figure/axis.h"
#include "record/metric.h"
#include "record/metric_filter.h"
#include "record/row_conditions.h"
#include "stats/growth.h"
#include "stats/inference.h"
#include "stats/quantile_interval.h"
#include "stats/stats.h"

struct figure;
struct figure_opts;
struct figure_form;
struct figure_kind;
struct slo;

/* Makes a figure from the rows of a stream. */
struct figure_source {
	/* The schema is that of the rows to come; opts must outlive the context. */
	void *(*open)(const struct figure_kind *kind, const struct schema *schema,
	    const struct figure_opts *opts);
	int (*row)(void *ctx, const struct row *row, struct fault *f); /* 0 or -1 */
	/* Takes note of a row that the filter of the options excludes; may be NULL. */
	void (*excluded)(void *ctx, const struct row *row);
	/* Returns the figure; called once. Returns NULL and the message if there is nothing
	 * to draw, or if a column or metric of the options does not exist. */
	struct figure *(*make)(void *ctx, struct fault *f);
	void (*close)(void *ctx);
};

/* A kind of plot: a row of figure_kinds[] and a template share/plots/NAME.gp. */
struct figure_kind {
	const char *name, *meaning;
	const struct figure_form *form; /* NULL: not a figure; drawn by flame_stream.h */
	const struct figure_source *source; /* NULL: read makes the figure */
	bool lanes; /* one lane for each mark, names on the left; else marks at a numeric x
	             */
	bool all_lanes;  /* by default each subject is a lane, without series */
	bool own_series; /* each subject is drawn separately: -g does not apply */
	bool all_series; /* by default each subject is a series, without x */
	bool from_zero;  /* the value axis begins at zero */
	bool around_one; /* the value axis includes 1 */
	bool interval;   /* the interval of the median is drawn */
	bool outliers;   /* the template gets $outliers */
	bool bins;       /* the template gets $bins, along the value axis */
	bool dots;       /* the template gets $dots: every value */
	bool steps;      /* the template gets $steps: fractions of the values, along x */
	bool quantiles;  /* the template gets $quantiles and $bands, along 1 / (1 - q) */
	bool grid;       /* two factors: one has lanes, the other columns */
	bool limits;     /* timeouts are drawn at their limits; the template gets $beyond */
	bool ratios;     /* values are ratios to the value at the least x of their series */
	bool tails; /* the value axis is logarithmic if its ends differ by a factor of 20 */
	const char *template; /* the kind whose template draws this one; NULL: its own */
	const char *x;        /* preferred columns of x if they vary, comma-separated */
	const char *metric;   /* preferred metrics, comma-separated */
	/* Reads the files, or standard input, instead of a source. Returns NULL and the
	 * message on failure. */
	struct figure *(*read)(const struct figure_kind *kind,
	    const struct figure_opts *opts, char *const *file, size_t count,
	    struct fault *f);
};

struct figure_opts {
	const char *x, *group;        /* columns, comma-separated; NULL: those that vary */
	struct metric_filter *filter; /* of rows; NULL: wall, or the only metric */
	struct row_conditions *conditions; /* of rows; NULL: none */
	const char *title;                 /* NULL: made from the metric and the columns */
	const struct metrics *metrics;     /* which way is better; may be NULL */
	struct inference_opts inference;
	const char
	    *order; /* for a trend: the order of commits, as in struct history_opts */
	const char *const *mark; /* for a trend: "name=COMMIT" or "name=TIME" */
	size_t marks;
	const struct slo *slo;    /* limits to draw; NULL: none */
	const char *const *color; /* names of series that get the first colors */
	size_t colors;
	size_t tests; /* of a trend: the p of changes are corrected for this number of
	                 series; 0: for those drawn */
	enum log_choice log_x;
	bool growth; /* fit a model of growth to each line */
	bool utf8;   /* whether labels may use characters other than ASCII */
};

struct mark {
	size_t series;
	double x;      /* a numeric x, or the number of the category */
	char *label;   /* of the category; NULL for a numeric x */
	char *note;    /* the text next to its lane; NULL: its median */
	double *value; /* sorted, n of them */
	size_t n, failed;
	double *limit; /* sorted; of values that are only known to exceed it */
	size_t limits;
	bool below; /* the values are instead only known to be less than their limits */
	/* of figures of quantiles: parallel to value and limit before they are sorted */
	struct sample_id *identity, *limit_identity;
	struct quantile_series *ordered; /* of figures of quantiles */
	struct summary s, above;         /* see stats/censored.h; above: also below */
};

/* Returns the number of values of a mark, those above limits included. */
static inline size_t mark_count(const struct mark *m)
{
	return m->n + m->limits;
}

/* Returns the median of a mark, or the bound of a median that is beyond a limit. */
static inline double mark_median(const struct mark *m)
{
	return m->limits && isnan(m->s.median) ? m->above.median : m->s.median;
}

/* Frees the members of a mark. */
void mark_free(struct mark *m);
/* Makes the median of a mark a lower bound: the largest of its values becomes a limit. */
void mark_bound(struct mark *m, double bound);

/* Returns the value of the model of a series at x, or NAN if there is none. */
double figure_growth_at(const struct figure *fig, size_t series, double x);

/* The meaning of the color of a series: its name; its rank among the values of a numeric
 * factor; or the verdict that is its name. */
enum figure_colors { COLORS_OF_NAMES, COLORS_OF_RANKS, COLORS_OF_VERDICTS };

/* A list of allocated strings. */
struct lines {
	char **text;
	size_t count, cap;
};

/* The kind of x: a number, seconds since 1970, or an index into a list of names. */
enum figure_x { X_NUMBER, X_TIME, X_NAMES };

struct figure {
	const struct figure_kind *kind;
	char *metric, *unit, *title;
	char *x_name;      /* the column along x */
	struct mark *mark; /* by category or x, then series; of lines by series, then x */
	size_t marks;
	char **series; /* names; one empty name if there are no different series; NULL: no
	                  mark of the series has a value */
	size_t series_count;
	bool thinned;        /* marks that do not change the plot were left out */
	bool geometric_x;    /* if thinned: whether x was spaced by factors before */
	struct lines what;   /* the statistic, n and failures */
	struct lines held;   /* columns that are constant or pooled */
	struct lines origin; /* host, env and commit that are constant */
	size_t failed;
	size_t censored; /* values that are drawn at their limits */
	bool same_n;     /* all marks have the same n, which is in a line of what */
	enum figure_x x_form;
	struct lines x_text; /* of X_NAMES */
	double x_lo, x_hi;   /* of X_TIME: values that x also includes, or NAN */
	enum figure_colors colors;
	unsigned *slot;        /* of each series; NULL: their indices */
	double confidence;     /* of figures of quantiles */
	double ideal;          /* the value of the ideal line at x = 1; 0: no such line */
	struct growth *growth; /* of each series; NULL: none is drawn */
	double limit;          /* a value that the value axis includes; NAN: none */
};

/* Approximate maximum of marks along x. */
enum { FIGURE_COLUMNS = 800 };
enum { FIGURE_LANES_MAX = 400, FIGURE_SERIES_MAX = 48 };
/* Maximum width of the name of a unit, in columns. */
enum { FIGURE_UNIT_WIDTH = 16 };

/* Returns a zeroed figure of this kind, in a struct of the size that its form needs. The
 * caller frees it with figure_free(). */
struct figure *figure_open(const struct figure_kind *kind);
/* Returns a name as it is drawn, allocated; see display_text_label(). */
char *figure_label(struct text name, bool utf8);
/* Sets the title to that of the options or, if they have none, to an allocated string. The
 * figure owns the string. */
void figure_set_title(struct figure *fig, const struct figure_opts *opts, char *otherwise);
/* Appends an allocated string, which the list then owns. */
void lines_add(struct lines *l, char *text);
/* Adds a line about what is drawn, formatted as by printf(). */
void figure_say(struct figure *fig, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Says how many samples failed, if any did. */
void figure_say_failed(struct figure *fig);
/* Says that points are left out, if any are. */
void figure_say_thinned(struct figure *fig);
/* Says how many duplicate rows were left out, if any were. */
void figure_say_duplicates(struct figure *fig, size_t repeated);
void lines_free(struct lines *l);
/*
 * Gives the series with the first of these names the first color, and so on, whether or not
 * the figure has such a series; the other series get the colors that follow. A name is that
 * of a series, or its value in the only column that distinguishes series.
 */
void figure_color(struct figure *fig, const char *const *name, size_t count);
/* Adds a mark without values at x, before the marks of its series that have a greater x,
 * unless there is a mark at x. */
void figure_add_gap(struct figure *fig, size_t series, double x, size_t *cap);
/* Appends a description of a figure for readers who cannot see it. */
void figure_describe(const struct figure *fig, struct buf *b);
void figure_free(struct figure *fig);

#endif
