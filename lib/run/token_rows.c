/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of tokens; see token_rows.h.
 */
#include <math.h>

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

/* Returns the number of tokens of the first request. */
static size_t tokens_of_first(const struct helper_token *token, size_t count)
{
	size_t n = 1;

	while (n < count && token[n].request == token[0].request)
		n++;
	return n;
}

void token_rows_put_sample(
    struct run_sample *s, const struct helper_token *token, size_t count)
{
	struct token_request r = { .offset_all = count && token[count - 1].request > 0 };
	double gaps = 0, gaps_ns = 0;

	for (size_t i = 0; i < count; i += r.count) {
		r.token = &token[i];
		r.from_ns = token[i].start_ns;
		r.count = tokens_of_first(&token[i], count - i);
		put_request(s, &r);
		gaps += (double)r.count - 1;
		gaps_ns += (double)(token[i + r.count - 1].at_ns - token[i].at_ns);
	}
	if (gaps > 0)
		run_sample_add(s, METRIC_USER_TOKEN_RATE, gaps / gaps_ns * 1e9);
}

void token_rows_put_request(struct run_sample *s, const struct helper_token *token,
    size_t count, int64_t arrival_ns)
{
	const struct token_request r = { .token = token,
		.count = count,
		.from_ns = arrival_ns,
		.origin_ns = arrival_ns };

	put_request(s, &r);
}

void token_rows_describe(
    struct load_request *r, const struct helper_token *token, size_t count)
{
	r->tokens = count;
	r->first_token_ns = r->per_token_ns = r->inter_token_ns = NAN;
	if (count)
		r->first_token_ns = (double)(token[0].at_ns - r->arrival_ns);
	if (count > 1)
		r->per_token_ns =
		    (double)(token[count - 1].at_ns - token[0].at_ns) / (double)(count - 1);
	for (size_t i = 1; i < count; i++)
		r->inter_token_ns =
		    fmax(r->inter_token_ns, (double)(token[i].at_ns - token[i - 1].at_ns));
}

void token_rows_put_period(struct run_sample *s, const struct load_request *request,
    size_t count, double inputs, double length_ns)
{
	double tokens = 0, users = 0, sum_ns = 0;

	for (size_t i = 0; i < count; i++) {
		const struct load_request *r = &request[i];

		if (r->result != REQUEST_DONE)
			continue;
		tokens += (double)r->tokens;
		users += r->tokens > 1;
		sum_ns += r->tokens > 1 ? r->per_token_ns : 0;
	}
	if (tokens > 0)
		run_sample_add(s, METRIC_TOKEN_RATE, tokens * inputs / length_ns * 1e9);
	if (users > 0)
		run_sample_add(s, METRIC_USER_TOKEN_RATE, users / sum_ns * 1e9);
}

void token_rows_count(struct token_level *l, const struct slo *slo,
    const struct helper_token *token, size_t count, double wall_ns)
{
	for (size_t i = 0, n; i < count; i += n) {
		n = tokens_of_first(&token[i], count - i);
		struct load_request r = { .arrival_ns = token[i].start_ns,
			.start_ns = token[i].start_ns,
			.end_ns = token[i + n - 1].at_ns };

		token_rows_describe(&r, &token[i], n);

		l->iterations++;
		l->kept += slo_keeps(slo, &r);
	}
	l->wall_ns += wall_ns;
}

void token_rows_put_level(struct run_sample *s, const struct token_level *l)
{
	if (!l->iterations)
		return;
	run_sample_add(s, METRIC_GOODPUT, (double)l->kept / l->wall_ns * 1e9);
	run_sample_add(s, METRIC_SLO_SHARE, (double)l->kept / (double)l->iterations);
}
