/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches near a guess, in steps that double, and then by bisection (J. L. Bentley, A. C.
 * Yao, "An almost optimal algorithm for unbounded searching", Information Processing
 * Letters 5 (1976)). Pure.
 */
#ifndef STATS_GALLOP_H
#define STATS_GALLOP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns for how many of the positions 0 to count - 1 a condition holds, which must hold
 * for all positions before one and for none from there on. Evaluates few positions if the
 * result is near `guess`.
 */
size_t gallop_count(
    size_t count, size_t guess, bool (*holds)(void *ctx, size_t at), void *ctx);

#endif
