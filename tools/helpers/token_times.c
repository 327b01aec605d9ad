/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports the times of tokens; see token_times.h.
 */
#include "helper_io.h"
#include "helper_worker.h"
#include "token_times.h"

void token_times_add(
    struct token_times *t, int64_t start_ns, int64_t first_ns, int64_t end_ns)
{
	t->first_ns += (double)(first_ns - start_ns);
	t->later_ns += (double)(end_ns - first_ns);
	t->iterations++;
}

void token_times_tell(struct token_times *t, uint64_t tokens)
{
	double iterations = (double)t->iterations, later = (double)tokens - 1;

	if (t->iterations)
		helper_tell(METRIC_FIRST_TOKEN, NULL, t->first_ns / iterations);
	if (t->iterations && later > 0)
		helper_tell(METRIC_PER_TOKEN, NULL, t->later_ns / iterations / later);
	*t = (struct token_times){ 0 };
}
