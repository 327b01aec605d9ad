/*
 * What a picture shows: samples gathered into marks (the points of a line, or the lanes of
 * a bar, box or histogram), each with its summary, and the words around them. No I/O and
 * nothing of gnuplot: script.h writes it down.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include "collect.h"
#include "stats.h"

/*
 * A kind of picture. A new one is a row of this table in figure.c and a template
 * share/plots/NAME.gp.
 */
struct figure_kind {
	const char *name;
	bool lanes;     /* one lane a mark, names on the left; else marks at a numeric x */
	bool all_lanes; /* by default every subject has a lane of its own, without series */
	bool from_zero; /* the value axis begins at zero */
	bool interval;  /* the interval of the median is drawn */
	bool outliers;  /* the template gets $outliers */
	bool bins;      /* the template gets $bins, along the value axis */
};

extern const struct figure_kind figure_kinds[];
extern const size_t figure_kinds_count;
const struct figure_kind *figure_kind_find(const char *name); /* or NULL */

struct figure_asked {
	const char *x, *group; /* columns, comma-separated; NULL: what varies */
	const char *metric;    /* NULL: wall, or the only one */
	const char *title;     /* NULL: made from the metric and what it is drawn against */
	double confidence;
	bool utf8; /* whether labels may leave ASCII */
};

struct mark {
	size_t series;
	double x;      /* along a numeric x; else the number of its category */
	char *label;   /* of its category; NULL along a numeric x */
	double *value; /* sorted, n of them */
	size_t n, failed;
	struct summary s;
};

/* A list of allocated texts. */
struct lines {
	char **text;
	size_t count, cap;
};

struct figure {
	const struct figure_kind *kind;
	char *metric, *unit, *title;
	char *x_name;      /* the column along x */
	struct mark *mark; /* by category or x, then series; of lines by series, then x */
	size_t marks;
	char **series; /* names; one empty name when there is nothing to tell apart; NULL:
	                  none of its marks had a value */
	size_t series_count;
	struct lines what; /* what is drawn: the statistic, n, what failed */
	struct lines held; /* what was held constant */
	size_t failed;
	bool same_n; /* all marks have the same n, and it stands in what */
};

enum { FIGURE_LANES_MAX = 400, FIGURE_SERIES_MAX = 48 };

/*
 * The columns that -x and -g name, for struct group_by's `also`. *names is allocated and
 * points into *text, which is too. Returns how many.
 */
size_t figure_columns(const struct figure_asked *asked, char **text, const char ***names);

/*
 * Make a figure of what was collected, finished and grouped by sort with provenance. The
 * groups' values are copied. NULL and the message when there is nothing to draw or what was
 * asked for does not exist.
 */
struct figure *figure_make(const struct figure_kind *kind, const struct figure_asked *asked,
    const struct groups *groups, struct collect *collect, struct fault *f);
void figure_free(struct figure *fig);

#endif
