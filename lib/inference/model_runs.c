/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of a model; see model_runs.h. Runs are sorted by their starts: of those that began
 * until a time, the one that ends last contains it if any does.
 */
#include <stdlib.h>

#include "inference/model_runs.h"

/* The start of a run and its time are rounded down, so that it can seem to end this much
 * too early. */
static const double late_us = 2;

/* A run in the order of the starts, of one thread or of all. */
struct run_start {
	double start_us, last_end_us;
	size_t thread;
	size_t run, last_run; /* which ends at last_end_us */
};

static int compare_starts(const void *a, const void *b)
{
	const struct run_start *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->start_us < y->start_us || x->start_us > y->start_us)
		return x->start_us < y->start_us ? -1 : 1;
	return (x->run > y->run) - (x->run < y->run);
}

static struct run_start *sort_starts(const struct model_runs *runs, bool by_thread)
{
	struct run_start *start = mem_zero(runs->count, sizeof(*start));

	for (size_t i = 0; i < runs->count; i++)
		start[i] = (struct run_start){ .start_us = runs->run[i].start_us,
			.last_end_us = runs->run[i].end_us,
			.thread = by_thread ? runs->run[i].thread : 0,
			.run = i,
			.last_run = i };
	if (runs->count)
		qsort(start, runs->count, sizeof(*start), compare_starts);
	for (size_t i = 1; i < runs->count; i++) {
		const struct run_start *before = &start[i - 1];

		if (before->thread == start[i].thread &&
		    before->last_end_us > start[i].last_end_us) {
			start[i].last_end_us = before->last_end_us;
			start[i].last_run = before->last_run;
		}
	}
	return start;
}

void model_runs_sort(struct model_runs *runs)
{
	runs->of_thread = sort_starts(runs, true);
	runs->of_all = sort_starts(runs, false);
	for (size_t i = 1; i < runs->count; i++) {
		struct run_start *at = &runs->of_all[i], *before = at - 1;

		if (at->start_us < before->last_end_us)
			runs->run[at->run].overlaps = runs->run[before->last_run].overlaps =
			    true;
	}
}

/* Returns the last of the runs of a thread that began until a time, or NULL. */
static const struct run_start *find_start(
    const struct run_start *start, size_t count, size_t thread, double us)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (start[middle].thread < thread ||
		    (start[middle].thread == thread && start[middle].start_us <= us))
			low = middle + 1;
		else
			high = middle;
	}
	return low && start[low - 1].thread == thread ? &start[low - 1] : NULL;
}

int64_t model_runs_of_thread(const struct model_runs *runs, size_t thread, double us)
{
	const struct run_start *at = find_start(runs->of_thread, runs->count, thread, us);

	return at && us < at->last_end_us + late_us ? (int64_t)at->last_run : RUN_NONE;
}

int64_t model_runs_of_all(const struct model_runs *runs, double us)
{
	const struct run_start *at = find_start(runs->of_all, runs->count, 0, us);

	if (!at || us >= at->last_end_us + late_us)
		return RUN_NONE;
	return runs->run[at->last_run].overlaps ? RUN_AMBIGUOUS : (int64_t)at->last_run;
}

void model_runs_free(struct model_runs *runs)
{
	free(runs->run);
	free(runs->of_thread);
	free(runs->of_all);
}
