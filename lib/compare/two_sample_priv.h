/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values that are compared, from the samples of two sides; see two_sample.h. Pure.
 */
#ifndef COMPARE_TWO_SAMPLE_PRIV_H
#define COMPARE_TWO_SAMPLE_PRIV_H

#include "compare/two_sample.h"
#include "stats/censored.h"

/* A sample; above: its value is a limit, which the true value exceeds. */
struct sample {
	struct sample_id id;
	double value;
	bool above;
};

/* One side: its samples by identity, the samples that count, and the values compared. */
struct sample_side {
	struct sample *sample;
	size_t samples;
	bool unique; /* all identities are different */
	struct sample_id *identity;
	double *value;
	bool *above;
	size_t n;
	size_t units;
	double *unit;           /* values of the units, or limits */
	bool *unit_above;       /* the value is a limit */
	struct censored sorted; /* the units, after two_sample_sort() */
};

/* Fills a side from its samples; NULL: none. */
void two_sample_side_init(struct sample_side *s, const struct collected *from);
void two_sample_side_free(struct sample_side *s);
/* Chooses the samples that count and forms the units of both sides, in pairs if the basis
 * is one of pairs. Sets the basis, and which pairs are incomplete or reduced. */
void two_sample_take(struct sample_side *old, struct sample_side *new,
    const struct two_sample_opts *opts, struct two_sample *out);
/* Returns the test of a result with a basis: the chosen one, but that of ranks for censored
 * values. */
const struct infer_test *two_sample_test(
    const struct two_sample *c, const struct two_sample_opts *opts);
/* Sorts the units of a side, the values apart from the limits. */
void two_sample_sort(struct sample_side *s);

#endif
