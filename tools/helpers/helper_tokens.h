/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stamps the tokens that a model generates, and sends the stamps with the answer. The
 * stamps are in memory that all workers share.
 */
#ifndef TOOLS_HELPERS_HELPER_TOKENS_H
#define TOOLS_HELPERS_HELPER_TOKENS_H

#include "bench.h"
#include "protocol/helper_proto.h"

/* Makes room for stamps. Called before workers are started. */
void helper_tokens_open(void);
/* Sets the request of a load to which the next tokens of this thread belong. */
void helper_tokens_of(uint64_t request);
/* Stamps a token of an iteration (0, 1 ...) of the current sample. To be called when the
 * number of the token is in the memory of the application; the work on it began at
 * start_ns. Returns the time of the stamp in ns, like start_ns by CLOCK_MONOTONIC. Except
 * under load, only tokens of the first worker are stamped. */
int64_t helper_token(const struct bench *b, uint64_t iteration, int64_t start_ns);
/* Discards the stamps since the last answer. */
void helper_tokens_forget(void);
/* Returns the number of stamps since the last answer. */
uint32_t helper_tokens_count(void);
/* Sends the stamps, as times in ns since origin_ns (CLOCK_MONOTONIC), and discards them.
 * The stamps of a request are adjacent, in the order of time. */
void helper_tokens_send(int64_t origin_ns);

#endif
