/*
 * The processes of a command over time: a thread that looks at all descendants of the
 * helper in intervals while a run goes on.
 *
 * It takes care not to disturb: it keeps the files of a process open and reads them again;
 * the walk through the threads of processes with several, and pss, for which the kernel
 * walks page tables, are done only so often that they take 0.3 % of the time each, and all
 * of it together 1 %: beyond that the interval grows.
 */
#ifndef WATCH_H
#define WATCH_H

#include <sys/types.h>

#include "base.h"

enum {
	WATCH_RSS,
	WATCH_PSS,
	WATCH_CPU,
	WATCH_THREADS,
	WATCH_PROCESSES,
	WATCH_READ,
	WATCH_WRITE,
	WATCH_SWITCHES,
	WATCH_METRICS
};
extern const struct watch_metric {
	const char *name, *unit;
} watch_metrics[WATCH_METRICS];

struct watch_point {
	int64_t at_ns;               /* CLOCK_MONOTONIC */
	double value[WATCH_METRICS]; /* NAN: not known */
};

struct watch;
/* helper: the process whose descendants are looked at. NULL and the message. */
struct watch *watch_open(pid_t helper, double interval_ns, struct fault *f);
void watch_close(struct watch *w);
/* A run begins, and has ended. NULL is nobody who watches. */
void watch_start(struct watch *w);
void watch_stop(struct watch *w);
/* The points of the last run; they live until the next one. */
size_t watch_points(const struct watch *w, const struct watch_point **points);

#endif
