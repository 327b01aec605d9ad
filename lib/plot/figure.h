/*
 * What a picture shows: samples gathered into marks (the points of a line, or the lanes of
 * a bar, box or histogram), each with its summary, and the words around them. No I/O and
 * nothing of gnuplot: gnuplot_script.h writes it down. The kinds of pictures are in figure_kinds.c.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include "plot/axis.h"
#include "record/collect.h"
#include "plot/decimate.h"
#include "record/metric.h"
#include "stats/stats.h"

struct figure;
struct figure_asked;
struct figure_kind;

/* How the rows of a stream become a figure. */
struct figure_source {
	/* The schema is that of the rows to come; what is asked must outlive it. */
	void *(*open)(const struct figure_kind *kind, const struct schema *schema,
	    const struct figure_asked *asked);
	int (*row)(void *ctx, const struct row *row, struct fault *f); /* 0 or -1 */
	struct figure *(*make)(void *ctx, struct fault *f); /* once; NULL: the message */
	void (*close)(void *ctx);
};

/* A kind of picture: a row of figure_kinds[] and a template share/plots/NAME.gp. */
struct figure_kind {
	const char *name, *meaning;
	const struct figure_source *source;
	bool lanes;     /* one lane a mark, names on the left; else marks at a numeric x */
	bool all_lanes; /* by default every subject has a lane of its own, without series */
	bool all_series; /* by default every subject is a series; there is no x */
	bool from_zero;  /* the value axis begins at zero */
	bool interval;   /* the interval of the median is drawn */
	bool outliers;   /* the template gets $outliers */
	bool bins;       /* the template gets $bins, along the value axis */
	bool dots;       /* the template gets $dots: every value */
	bool steps;      /* the template gets $steps: shares of the values, along x */
	bool grid;     /* lanes and, for each series, a column; the template gets $cells */
	bool history;  /* the template gets $changes and $levels */
	bool panels;   /* curves in panels: the template gets $curves */
	bool roofs;    /* points with names below roofs; the template gets $roofs */
	bool forest;   /*marks are ratios; the template gets the place of 1 */
	bool ratios;   /* values are times the one at the least x of their series */
	bool flame;    /* no figure at all: flame_stream.h draws it */
	const char *x; /* columns that lie along x when they vary, comma-separated */
	const char *metric; /* that is drawn when it is there, before all others */
	/* Instead of a source: from the files, or standard input. NULL and the message. */
	struct figure *(*read)(const struct figure_kind *kind,
	    const struct figure_asked *asked, char *const *file, size_t count,
	    struct fault *f);
};

extern const struct figure_kind figure_kinds[];
extern const size_t figure_kinds_count;
const struct figure_kind *figure_kind_find(const char *name); /* or NULL */

struct figure_asked {
	const char *x, *group; /* columns, comma-separated; NULL: what varies */
	const char *metric;    /* NULL: wall, or the only one */
	const char *title;     /* NULL: made from the metric and what it is drawn against */
	const struct metrics *metrics; /* which way is better; may be NULL */
	double confidence;
	const char *const *mark; /* of a trend: "name=COMMIT" or "name=TIME" */
	size_t marks;
	enum log_choice log_x;
	bool utf8; /* whether labels may leave ASCII */
};

struct mark {
	size_t series;
	double x;      /* along a numeric x; else the number of its category */
	char *label;   /* of its category; NULL along a numeric x */
	char *note;    /* what stands beside its lane; NULL: its median */
	double *value; /* sorted, n of them */
	size_t n, failed;
	struct summary s;
};

/* A list of allocated texts. */
struct lines {
	char **text;
	size_t count, cap;
};

/* Of a history: where the level of a series changed, levels between such places, marks. */
struct figure_change {
	size_t series;
	double x, before, after;
	bool worse;
};

struct figure_level {
	size_t series;
	double from, to, value;
};

struct figure_flag {
	double x;
	char *text;
};

/* Of a timeline: a metric with an axis of its own, and curves in it, x in ns. */
struct figure_panel {
	char *name, *shown, *unit; /* name: as it is; shown: fit for a picture */
};

struct figure_curve {
	size_t series, panel, count;
	struct point *point;
};

/* The most that the device of a series was seen to reach; 0: not known. */
struct figure_roof {
	double flop_rate, bandwidth;
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
	bool thinned;      /* not every x has a mark: those left out would look the same */
	bool geometric_x;  /* where they are thinned: whether x is spaced by factors */
	struct lines what; /* what is drawn: the statistic, n, what failed */
	struct lines held; /* what was held constant */
	size_t failed;
	bool same_n; /* all marks have the same n, and it stands in what */
	enum figure_x x_form;
	struct lines x_text; /* of X_NAMES */
	struct figure_change *change;
	struct figure_level *level;
	struct figure_flag *flag;
	struct figure_panel *panel;
	struct figure_curve *curve;
	struct figure_roof *roof; /* of each series of a roofline, or NULL */
	size_t changes, levels, flags, panels, curves;
	double ideal; /* the value of the ideal line at x = 1; 0: no such line */
};

/* Of a figure of marks along x: about so many lie side by side. */
enum { FIGURE_COLUMNS = 800 };
enum { FIGURE_LANES_MAX = 400, FIGURE_SERIES_MAX = 48 };

/*
 * Samples of one metric: collected by subject, host, env, commit and the columns asked for.
 * Fails when there is nothing to draw or what was asked for does not exist.
 */
extern const struct figure_source figure_samples;

extern const struct figure_source figure_trend;    /* see figure_trend.c */
extern const struct figure_source figure_roofline; /* see figure_roofline.c */
extern const struct figure_source figure_timeline; /* see figure_timeline.c */

/* What samples were gathered into. */
struct figure_input {
	const struct groups *groups;
	struct collect *collect; /* NULL: there are points */
	struct points *points;   /* of the groups, along a column that they lack */
	size_t x;                /* that column */
};
/* What bench-compare writes, or samples of two sides, as ratios with their verdicts. */
struct figure *figure_forest(const struct figure_kind *kind,
    const struct figure_asked *asked, char *const *file, size_t count, struct fault *f);
/* Append an allocated text. */
void lines_add(struct lines *l, char *text);
struct figure *figure_make(const struct figure_kind *kind, const struct figure_asked *asked,
    const struct figure_input *input, struct fault *f);
/* Append what a figure shows, in words: for those who do not see it. */
void figure_describe(const struct figure *fig, struct buf *b);
void figure_free(struct figure *fig);

#endif
