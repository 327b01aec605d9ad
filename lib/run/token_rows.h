/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of generated tokens: the time to the first token, the times between tokens, and the
 * time for each output token.
 */
#ifndef RUN_TOKEN_ROWS_H
#define RUN_TOKEN_ROWS_H

#include "load/slo.h"
#include "protocol/helper_proto.h"
#include "sample/run_sample.h"

/* Adds the rows of a sample that was not under load: those of each of its iterations, and
 * user_token_rate. Without tokens, adds nothing. */
void token_rows_put_sample(
    struct run_sample *s, const struct helper_token *token, size_t count);

/* Adds the rows of a request of a load, with offsets from its arrival. */
void token_rows_put_request(struct run_sample *s, const struct helper_token *token,
    size_t count, int64_t arrival_ns);
/* Sets the times of the tokens of a request whose arrival is set. */
void token_rows_describe(
    struct load_request *r, const struct helper_token *token, size_t count);
/* Adds the rates of all users and of one in a period. A request has `inputs` inputs. */
void token_rows_put_period(struct run_sample *s, const struct load_request *request,
    size_t count, double inputs, double length_ns);

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
