/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the changes and the drift of a series; see series_change.h. */
#include <math.h>
#include <stdlib.h>

#include "history/series_change.h"

enum { PERMUTATIONS = 999 };

uint64_t series_change_seed(uint64_t seed, struct text column, struct text cell)
{
	return cell.len ? seed + text_hash(cell, text_hash(column, 0)) : seed;
}

/*
 * Replaces steps that only approximate a drift. A drift within the margin is ignored; steps
 * within the margin that remain in addition to a drift are removed.
 */
static void find_drift(const double *x, size_t n, const struct series_change_opts *opts,
    struct series_changes *out)
{
	const struct drift_series series = {
		.x = x, .n = n, .least = opts->least, .confidence = opts->confidence
	};
	struct change *step = mem_zero(out->count + 1, sizeof(*step));
	double margin = log1p(opts->threshold), moved;
	size_t kept = 0;

	memcpy(step, out->change, out->count * sizeof(*step));
	if (!drift_find(&series, step, out->count, &out->drift)) {
		free(step);
		return;
	}
	moved = fabs(log(change_ratio(out->drift.first, out->drift.last)));
	out->drifts = isnan(moved) || moved > margin;
	for (size_t i = 0; out->drifts && i < out->drift.steps; i++) {
		moved = fabs(log(change_ratio(step[i].before, step[i].after)));
		if (isnan(moved) || moved > margin)
			out->change[kept++] = step[i];
	}
	if (out->drifts) {
		out->count = kept;
		out->whole = (struct change){ .at = n - 1,
			.p = out->drift.p,
			.before = out->drift.first,
			.after = out->drift.last };
	}
	free(step);
}

void series_changes_find(const double *x, size_t n, const struct series_change_opts *opts,
    struct series_changes *out)
{
	struct change_opts search = {
		.alpha = (1 - opts->confidence) / opts->tests,
		.threshold = opts->threshold,
		.least = opts->least,
		.window = opts->window,
		.permutations = PERMUTATIONS,
		.seed = opts->seed,
	};

	*out = (struct series_changes){ .count = 0 };
	out->change = mem_zero(n / opts->least + 1, sizeof(*out->change));
	out->count = change_find(x, n, &search, out->change);
	find_drift(x, n, opts, out);
	for (size_t i = 0; i < out->count; i++)
		out->change[i].p = fmin(1, out->change[i].p * opts->tests);
	out->whole.p = fmin(1, out->whole.p * opts->tests);
}
