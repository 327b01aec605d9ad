/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run, process and sample that a value came from.
 */
#ifndef BASE_SAMPLE_ID_H
#define BASE_SAMPLE_ID_H

#include <stdint.h>

struct sample_id {
	/* the number of the text in the column run; each table without it has its own */
	uint32_t run;
	int64_t process, sample;
};

/* Compares by run, then process, then sample, as qsort(3) requires. */
static inline int sample_id_order(const struct sample_id *a, const struct sample_id *b)
{
	if (a->run != b->run)
		return a->run < b->run ? -1 : 1;
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return (a->sample > b->sample) - (a->sample < b->sample);
}

#endif
