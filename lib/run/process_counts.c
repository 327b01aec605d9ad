/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses in how many processes functions are measured; see process_counts.h.
 */
#include "run/process_counts.h"
#include "stats/infer.h"

enum { PROCESSES_MOST = 30 };

uint64_t process_counts_default(const struct subjects *subjects, double confidence)
{
	uint64_t functions = 0, count = FUNCTION_PROCESSES;

	for (size_t i = 0; i < subjects->count; i++)
		functions +=
		    subjects->subject[i].from->function && !subjects->subject[i].skipped;
	while (functions > 1 && count < PROCESSES_MOST &&
	       infer_tests[0].least_p(true, (double)count, (double)count) *
	               (double)(functions - 1) >=
	           1 - confidence)
		count++;
	return count;
}
