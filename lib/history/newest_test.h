/*
 * The newest of a series beside what came before: is it still the same? Pure.
 *
 * Each old run is one value, and so is each new one, mostly the only one; so what makes
 * runs differ is in the spread of the old ones. The difference of the medians is held
 * against it by Student's t, as in an interval for a value to come (G. J. Hahn, W. Q.
 * Meeker, "Statistical Intervals", 1991, chapter 4), of logarithms where all values are
 * positive.
 */
#ifndef LATEST_H
#define LATEST_H

#include "base/base.h"
#include "record/metric.h"
#include "stats/inference.h"

struct latest_opts {
	enum better better;
	struct inference_opts inference; /* confidence alone */
	double threshold; /* the margin: ratios from 1 / (1 + this) to 1 + this */
};

/* NAN is a number that does not exist. */
struct latest {
	size_t n_old, n_new;
	double old, new; /* medians */
	double ratio, ratio_lo, ratio_hi;
	double p, p_adj;
	double effect; /* Cliff's delta */
	bool equal;    /* all values are, those of both sides */
	enum latest_verdict {
		LATEST_UNSURE,
		LATEST_SAME,
		LATEST_BETTER,
		LATEST_WORSE,
		LATEST_DIFFERS
	} verdict;
	double runs_needed; /* how many more new runs; only when unsure */
};

/*
 * Everything but p_adj and what follows from it. Old values are in order of time, since
 * what they keep of the one before makes them count for fewer (prewhiten.h). p, interval: NAN
 * below two old values.
 */
void latest_measure(const double *old, size_t olds, const double *new, size_t news,
    const struct latest_opts *opts, struct latest *out);
/* The verdict and runs_needed, p_adj given. */
void latest_judge(struct latest *l, const struct latest_opts *opts);

extern const char *const latest_verdicts[];

#endif
