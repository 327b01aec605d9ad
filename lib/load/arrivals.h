/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The times at which the requests of a load arrive. They are chosen before a period begins,
 * so nothing that happens during the period moves them: the load is an open loop. Only in a
 * closed loop does a request begin when the previous one of its server has ended. Pure.
 */
#ifndef LOAD_ARRIVALS_H
#define LOAD_ARRIVALS_H

#include "base/base.h"

enum {
	ARRIVALS_MAX = 1 << 22,      /* requests in a period */
	ARRIVALS_MAX_S = 100000000,  /* expected seconds in a period */
	ARRIVALS_FILE_MAX = 1 << 28, /* bytes of a file */
	RATE_MAX = 1000000           /* requests per second */
};

enum arrivals_kind {
	ARRIVALS_POISSON, /* independent exponential gaps */
	ARRIVALS_UNIFORM, /* equal gaps, the first request at 0 */
	ARRIVALS_BURST,   /* all at 0 */
	ARRIVALS_CLOSED,  /* no times: a closed loop */
	ARRIVALS_FILE
};

/* The names of all kinds but ARRIVALS_FILE, by kind. */
extern const char *const arrivals_names[];
extern const size_t arrivals_names_count;

/* How requests arrive. */
struct arrivals {
	enum arrivals_kind kind;
	int64_t *at_ns; /* of a file: since the beginning of the period, not decreasing */
	size_t count;
};

/* How many requests arrive, and how fast. */
struct arrivals_size {
	double rate; /* requests per second; for poisson and uniform only */
	/* their number, for a file at most; 0: as many as arrive in period_ns */
	uint64_t requests;
	double period_ns;
};

/* Finds a kind by its name. Returns false if there is none. */
bool arrivals_find(const char *name, enum arrivals_kind *out);
/* Returns whether a kind needs a rate. */
bool arrivals_need_rate(enum arrivals_kind kind);
/*
 * Parses the contents of a file: times in seconds that do not decrease, one on each line.
 * Empty lines and lines that begin with # are skipped. Returns 0, or -1 and a message that
 * begins with `name`. End with arrivals_free().
 */
int arrivals_parse(
    struct text contents, const char *name, struct arrivals *out, struct fault *f);
void arrivals_free(struct arrivals *a);

/*
 * Parses a rate such as "50/s", "50" or "1.5k" into requests per second. Returns 0, or -1
 * and the message if it is not above 0 and at most RATE_MAX.
 */
int rate_parse(const char *text, double *out, struct fault *f);

/*
 * Returns the planned length of a period in ns: the time in which its requests arrive. It
 * is 0 for a burst and for a closed loop with a number of requests.
 */
double arrivals_period_ns(const struct arrivals *a, const struct arrivals_size *size);
/*
 * Checks that a period has at least one expected request and at most ARRIVALS_MAX, and
 * that it takes at most ARRIVALS_MAX_S. Returns 0, or -1 and the message.
 */
int arrivals_check(
    const struct arrivals *a, const struct arrivals_size *size, struct fault *f);
/*
 * Draws the arrivals of a period, in ns from its beginning, not decreasing: at least one.
 * Returns their array, which the caller frees, and their number; NULL and 0 for a closed
 * loop. The same seed and rate give the same times, and at another rate the gaps of
 * ARRIVALS_POISSON are the same multiples of their mean.
 */
int64_t *arrivals_make(const struct arrivals *a, const struct arrivals_size *size,
    uint64_t seed, size_t *count);
/* Returns the seed of a period, from the seed of a run. */
uint64_t arrivals_seed(uint64_t seed, uint64_t period);

#endif
