/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of generated tokens: the time to the first token, the times between tokens, and the
 * time for each output token.
 */
#ifndef RUN_TOKEN_ROWS_H
#define RUN_TOKEN_ROWS_H

#include "load/slo.h"
#include "protocol/helper_proto.h"
#include "run/run_sample.h"

/* Adds the rows of a sample that was not under load: those of each of its iterations, and
 * user_token_rate. Without tokens, adds nothing. */
void token_rows_put_sample(
    struct run_sample *s, const struct helper_token *token, size_t count);

/* The iterations of samples, and how many of them kept a service level. */
struct token_level {
	uint64_t iterations, kept;
	double wall_ns; /* of the samples */
};

/* Adds the iterations of a sample that took this time. */
void token_rows_count(struct token_level *l, const struct slo *slo,
    const struct helper_token *token, size_t count, double wall_ns);
/* Adds goodput and slo_share if there were iterations. */
void token_rows_put_level(struct run_sample *s, const struct token_level *l);

#endif
