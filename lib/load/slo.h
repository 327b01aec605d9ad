/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Service levels (SLO): limits of the times of a request, and the share of the requests
 * that must keep all of them. Pure.
 */
#ifndef LOAD_SLO_H
#define LOAD_SLO_H

#include "load/requests.h"

enum slo_limit {
	SLO_LATENCY,
	SLO_WAIT,
	SLO_SERVICE,
	SLO_FIRST_TOKEN,
	SLO_PER_TOKEN,
	SLO_INTER_TOKEN, /* of each gap between two tokens */
	SLO_LIMITS
};

struct slo {
	double limit_ns[SLO_LIMITS]; /* INFINITY: none */
	double share;                /* of the requests that must keep the limits */
};

/* The service level of most benchmarks: 99% of the requests. */
#define SLO_SHARE 0.99

/*
 * Parses limits such as "latency=50ms,first_token=200ms,share=95%". Each limit has the name
 * of its metric or one of the short names e2e, ttft, tpot and itl. Returns 0, or -1 and the
 * message.
 */
int slo_parse(const char *text, struct slo *out, struct fault *f);
/*
 * Returns whether a request keeps all limits. One that failed or was not served does not,
 * and neither does one without a time that has a limit. One of a single token has no time
 * per token and no gaps, so it keeps their limits.
 */
bool slo_keeps(const struct slo *slo, const struct load_request *r);
/* Returns the limit of a metric in ns; INFINITY: none. */
double slo_limit_of(const struct slo *slo, struct text metric);
/* Returns whether a level has a limit of tokens. */
bool slo_limits_tokens(const struct slo *slo);

#endif
