/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The content of a site: series with their points and changes, the pages to which they
 * belong, and the places (commits, or runs without a commit) along which they are drawn.
 */
#ifndef SITE_SITE_MODEL_H
#define SITE_SITE_MODEL_H

#include "history/commit_order.h"
#include "history/series_change.h"
#include "record/factors.h"
#include "record/metric.h"
#include "site/site.h"
#include "site/site_cache.h"

enum { SITE_ID = 8 }; /* characters of an id */

/* A commit, or a run that has none, in the order of the visits. */
struct site_place {
	struct text commit, run, at; /* of the first run; one of commit and run is shown */
};

/* The runs of a series at a place. */
struct site_point {
	double value;   /* the median of the results of the runs */
	float lo, hi;   /* the interval, if there is one run; otherwise NAN */
	uint32_t n;     /* samples of all runs */
	uint32_t visit; /* the first */
	uint32_t place;
	uint32_t runs;
};

enum site_verdict {
	SITE_SHORT, /* too few points to find a change */
	SITE_SAME,
	SITE_BETTER,
	SITE_WORSE,
	SITE_DIFFERS, /* changed, in a metric without a better direction */
	SITE_VERDICTS
};
extern const char *const site_verdict_names[SITE_VERDICTS];

/* A change of a series, or its drift. */
struct site_change {
	struct change change;
	double ratio, lo, hi; /* of the levels, with an interval; or NAN */
	enum site_verdict verdict;
	bool drift;
};

struct site_series {
	struct text name[SITE_NAMES];
	char *label;   /* the benchmark with its kind, if others have its name; or NULL */
	size_t number; /* in the cache */
	char id[SITE_ID + 1];
	struct site_point *point;
	size_t points;
	size_t gaps; /* places without a value, by place, which follow the points */
	enum better better;
	bool decides, tested; /* see struct history_series */
	bool failed;          /* the newest run has no value */
	uint32_t failed_place;
	struct site_change *change; /* by place; a drift comes first */
	size_t changes;
	double floor;                     /* noise floor as a margin, or NAN */
	size_t base;                      /* the point of --since, or SIZE_MAX */
	const struct site_change *latest; /* the latest change after base, or NULL */
	enum site_verdict verdict;
	size_t page;
	double *sample; /* of the newest run, sorted; or NULL */
	size_t samples;
};

/* The series of a benchmark and metric, on all hosts and with all factors. */
struct site_page {
	char id[SITE_ID + 1];
	char *path;          /* in the directory, without ".html" */
	size_t part, parts;  /* of pages with many series; from 0 */
	size_t first, count; /* of the series */
};

/* The profiles of a subject on a host, whose results are series with a factor `stack`. */
struct site_profile {
	char id[SITE_ID + 1];
	struct site_series subject; /* only its names: no metric, no stack and no program */
	size_t number;              /* in profile_of */
	uint32_t newest, reference; /* visits; reference: of another commit, or SITE_NONE */
};
#define SITE_NONE UINT32_MAX

struct site_model {
	const struct site_opts *opts;
	struct anonymizer *names; /* NULL: names stay */
	const char *mark;         /* identifies the key of names; NULL: names stay */
	struct site_cache cache;
	struct commit_order *order; /* of --order, or NULL */
	size_t unordered;           /* visits of commits that are not in it */
	struct site_place *place;
	size_t places;
	uint32_t *place_of;         /* by visit */
	struct site_series *series; /* by page: kind, bench, metric, unit, factors, host */
	size_t count;
	size_t valueless;          /* series after these, all of whose runs failed */
	struct site_point *points; /* of all series */
	size_t total;              /* points after pooling */
	struct site_page *page;
	size_t pages;
	struct site_profile *profile; /* sorted like the series */
	size_t profiles, profile_cap;
	uint32_t *profile_of;   /* by series of the cache: 1 + its profile; NULL: none */
	struct intern subjects; /* of profiles */
	struct metrics *metrics;
	bool *since;     /* by place: whether --since names it; or NULL */
	double tests[2]; /* number of tested series, by whether they decide */
};

/* Orders the visits of the cache by their commits, as in the file of --order, and drops the
 * visits of other commits. Without --order they stay. Returns 0, or -1 and the message. */
int site_model_order(struct site_model *m, struct fault *f);
/* Builds the model from the cache. Returns 0, or -1 and the message. */
int site_model_build(struct site_model *m, struct fault *f);
/* Adds a series of the cache to the profile of its subject, if it has a stack. Returns
 * whether it has one. */
bool site_profile_take(
    struct site_model *m, size_t series, const struct text name[SITE_NAMES]);
/* Finds the newest run of each profile and the run to compare it with. */
void site_profile_finish(struct site_model *m);
/* Returns the profiles of the benchmark of a series, which are adjacent, and sets their
 * number; NULL: none. */
const struct site_profile *site_profile_find(
    const struct site_model *m, const struct site_series *s, size_t *count);
/* Adds the kind to the labels of benchmarks that have the name of one of another kind. */
void site_model_label(struct site_model *m);
/* Finds the changes, noise floors and verdicts of all series. */
void site_model_find(struct site_model *m);
void site_model_free(struct site_model *m);
/*
 * Marks the places that --since names. store: for tags. Returns 0, or -1 and the message.
 */
int site_model_since(struct site_model *m, struct store *store, struct fault *f);

/* Reads the samples of the newest run of each series, if they are enough for a
 * distribution. Returns 0, or -1 and the message. */
int site_model_samples(struct site_model *m, struct store *store, struct fault *f);

/* Fills an id: lowercase letters and digits, derived from a string. */
void site_id(char out[SITE_ID + 1], struct text t, uint64_t seed);
/* Orders series by benchmark, kind, metric, unit, factors and host, for qsort. */
int site_series_order(const void *a, const void *b);
/* Returns the last point of a series. Each series has one. */
const struct site_point *site_last(const struct site_series *s);
/* Returns the change since the base, as a ratio; NAN without one. */
double site_since_ratio(const struct site_series *s);
/* Calls `each` for the factors of a series. */
void site_factors(
    const struct site_series *s, void (*each)(void *, struct factor), void *ctx);

#endif
