/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gathers the times of generated tokens by request: the rows of first_token and inter_token
 * of bench-csv(5). A sample has one request for each of its rows of first_token. Pure.
 */
#ifndef FIGURE_TOKEN_REQUESTS_H
#define FIGURE_TOKEN_REQUESTS_H

#include "record/group.h"

struct token_times {
	size_t subject;          /* a group of token_requests.subjects */
	int64_t process, sample; /* ROW_NONE: no such number */
	size_t iteration;        /* of the sample, from 0 */
	/* The time to the first token, then each time from a token to the next one. */
	double *step_ns;
	size_t tokens, cap;
};

struct token_requests {
	struct groups *subjects; /* without metric */
	struct groups *samples;
	struct token_sample *sample; /* by group of samples */
	size_t known, sample_cap;
	/* after token_requests_finish(): */
	struct token_times *request; /* in input order */
	size_t count, cap;
	size_t failed;   /* samples, of subjects that have tokens */
	size_t timeouts; /* those of them that timed out */
	size_t unplaced; /* times between tokens without the time to the first one */
};

/* Returns an empty collection of rows of this schema, which must outlive it. */
struct token_requests *token_requests_open(const struct schema *schema);
/* Adds a row, if it is a time of a token or the failure of a request. Returns 0, or -1 and
 * the message if its unit is not ns. */
int token_requests_row(struct token_requests *r, const struct row *row, struct fault *f);
/* Makes the requests of the rows. */
void token_requests_finish(struct token_requests *r);
void token_requests_close(struct token_requests *r);

#endif
