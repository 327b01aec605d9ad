/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests of a load, and what a period of them says about the servers and the
 * generator. Pure.
 *
 * The servers take requests from one queue, in the order of their arrival. The latency of
 * a request begins at its arrival, not at its start, so a slow request also counts in the
 * latencies of those that wait for it.
 */
#ifndef LOAD_REQUESTS_H
#define LOAD_REQUESTS_H

#include "base/base.h"

enum request_result {
	REQUEST_DONE,
	REQUEST_FAILED,
	REQUEST_LEFT /* not started before the period was ended */
};

struct load_request {
	/* since the beginning of the period; of one that was left, the start and the end
	 * are the end of the period */
	int64_t arrival_ns, start_ns, end_ns;
	int64_t window_ns; /* the time that its server waited for the rest of its batch */
	uint32_t server;   /* from 0; equal starts on a server are one batch */
	enum request_result result;
	/* of generated tokens; NAN: none */
	double first_token_ns; /* from the arrival to the first token */
	double per_token_ns;   /* mean gap between two tokens */
	double inter_token_ns; /* longest gap between two tokens */
	uint64_t tokens;
};

struct slo;

/* The requests of a period, in the order of their arrival. */
struct period {
	const struct load_request *request;
	size_t count;
	uint32_t servers;
	double planned_ns;     /* the time in which they arrive; 0: none */
	double rate;           /* at which they arrive, per second; 0: none */
	bool closed;           /* a closed loop: nothing waits */
	const struct slo *slo; /* NULL: none */
};

/* NAN: there is no such value. */
struct period_summary {
	uint64_t requests, done, failed, left;
	double length_ns; /* until the last end; the planned time if that is later and the
	                     loop is not closed */
	double offered_rate; /* arrivals per second */
	double throughput;   /* requests that succeeded, per second */
	double utilization;  /* mean share of the time in which a server was busy */
	double lag_ns;       /* 99% quantile of the lags of requests that found a free
	                        server: from their arrival to their start */
	double goodput;      /* requests that kept the service level, per second */
	double slo_share;    /* part of the requests that kept it */
	double latency_ns;   /* median of the requests that succeeded */
	/* mean, of each request that ended, of the time for which it occupied its server:
	 * its service and the lag before; a batch divides its time among its requests */
	double occupied_ns;
};

void requests_summarize(const struct period *p, struct period_summary *out);

/* The mean of the periods that have a value. */
struct period_mean {
	double sum;
	uint64_t count;
};

/* The periods of a subject. Zero it to begin. */
struct load_total {
	uint64_t periods, ended, left;
	uint32_t servers;
	struct period_mean rate;      /* offered, per second */
	struct period_mean completed; /* requests that ended, per second */
	struct period_mean occupied_ns;
	double lag_ns;     /* the largest of the periods, or NAN */
	double latency_ns; /* the least of their medians, or NAN */
};

/* Adds a period with its summary. */
void load_total_add(
    struct load_total *t, const struct period *p, const struct period_summary *s);
/*
 * Returns whether the servers cannot keep up: requests were left, or the offered load, the
 * rate times the mean occupied time over the number of servers, is at least 1. A queue with
 * an offered load of 1 or more has no steady state (F. Baccelli, P. Bremaud, "Elements of
 * Queueing Theory", 2nd ed., section 2.2).
 */
bool load_total_saturated(const struct load_total *t);
/*
 * Appends a line if the servers could not keep up, and one if the generator was late by
 * more than a tenth of the median latency. name is that of the subject, without its rate.
 */
void load_total_explain(const struct load_total *t, const char *name, struct buf *lines);

#endif
