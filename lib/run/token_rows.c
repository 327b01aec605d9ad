/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of tokens; see token_rows.h.
 */
#include "run/token_rows.h"

/* The tokens of one request, in the order of time. Times are in ns and have the origin of
 * the tokens. */
struct token_request {
	const struct helper_token *token;
	size_t count;
	int64_t from_ns;   /* when the request began */
	int64_t origin_ns; /* the offsets of rows are relative to this time */
	bool offset_all;   /* first_token and per_token also have an offset: the sample has
	                      several requests */
};

/* Adds a time of a single request. */
static void put(
    struct run_sample *s, enum run_metric m, int64_t value_ns, uint64_t parts, int64_t t_ns)
{
	struct sample_value *v = run_sample_add(s, m, (double)value_ns / (double)parts);

	v->iterations = 1;
	v->t_ns = t_ns;
}

/* Adds first_token, and with several tokens per_token and inter_token for each gap. */
static void put_request(struct run_sample *s, const struct token_request *r)
{
	const struct helper_token *token = r->token;
	const size_t last = r->count - 1;

	if (!r->count)
		return;
	put(s, METRIC_FIRST_TOKEN, token[0].at_ns - r->from_ns, 1,
	    r->offset_all ? token[0].at_ns - r->origin_ns : ROW_NONE);
	if (last)
		put(s, METRIC_PER_TOKEN, token[last].at_ns - token[0].at_ns, last,
		    r->offset_all ? token[last].at_ns - r->origin_ns : ROW_NONE);
	for (size_t i = 1; i <= last; i++)
		put(s, METRIC_INTER_TOKEN, token[i].at_ns - token[i - 1].at_ns, 1,
		    token[i].at_ns - r->origin_ns);
}

void token_rows_put_sample(
    struct run_sample *s, const struct helper_token *token, size_t count)
{
	struct token_request r = { .offset_all = count && token[count - 1].request > 0 };
	double gaps = 0, gaps_ns = 0;

	for (size_t i = 0; i < count; i += r.count) {
		r.token = &token[i];
		r.from_ns = token[i].start_ns;
		for (r.count = 1;
		     i + r.count < count && token[i + r.count].request == token[i].request;)
			r.count++;
		put_request(s, &r);
		gaps += (double)r.count - 1;
		gaps_ns += (double)(token[i + r.count - 1].at_ns - token[i].at_ns);
	}
	if (gaps > 0)
		run_sample_add(s, METRIC_USER_TOKEN_RATE, gaps / gaps_ns * 1e9);
}
