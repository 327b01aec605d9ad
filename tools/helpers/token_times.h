/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums the times of generated tokens over the iterations of a sample.
 */
#ifndef TOOLS_HELPERS_TOKEN_TIMES_H
#define TOOLS_HELPERS_TOKEN_TIMES_H

#include <stdint.h>

struct token_times {
	double first_ns, later_ns; /* of the first token, and of all later ones */
	uint64_t iterations;
};

/* Adds an iteration that began, produced its first token and ended at these times. */
void token_times_add(
    struct token_times *t, int64_t start_ns, int64_t first_ns, int64_t end_ns);
/* Adds the mean times to the next answer, and begins the next sample. `tokens` is the
 * number of tokens of an iteration. */
void token_times_tell(struct token_times *t, uint64_t tokens);

#endif
