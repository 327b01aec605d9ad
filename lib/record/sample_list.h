/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of the samples that values came from. Consecutive samples of a process take no
 * memory of their own, as in nearly all input. Pure.
 */
#ifndef RECORD_SAMPLE_LIST_H
#define RECORD_SAMPLE_LIST_H

#include "base/base.h"
#include "base/sample_id.h"

/* Zero it to begin. */
struct sample_list {
	struct sample_stretch {
		uint32_t run, count;
		int64_t process, first; /* first: ROW_NONE for all if there is no number */
	} stretch;                      /* the first one; nearly all lists have no other */
	struct sample_stretch *more;
	size_t mores;
};

void sample_list_add(struct sample_list *l, const struct sample_id *id);
/* Returns the number of samples. */
size_t sample_list_count(const struct sample_list *l);
/* Returns all samples in their order, or NULL if there are none. The caller frees them. */
struct sample_id *sample_list_expand(const struct sample_list *l);
/* Sets is_run[run] for the run of each sample. */
void sample_list_mark_runs(const struct sample_list *l, bool *is_run);
/* Returns whether is_run[run] is true for the run of a sample. */
bool sample_list_has_run(const struct sample_list *l, const bool *is_run);
/* Gives each run another number: number[run]. */
void sample_list_renumber(struct sample_list *l, const uint32_t *number);
/*
 * Returns whether the list has a sample twice. named[run] is false for runs whose samples
 * are not compared. Samples without a number are not compared either.
 */
bool sample_list_repeats(const struct sample_list *l, const bool *named);
void sample_list_free(struct sample_list *l);

#endif
