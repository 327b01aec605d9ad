/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of subjects that are measured in windows, and what they share.
 *
 * A window of a fixed length is never shorter than its nominal length, and longer by the
 * time that this program waits for a processor. The values are those of a window of exactly
 * the nominal length: what was read, times the nominal length, divided by the time between
 * the two readings. Clocks, counters and files are read one after the other, and this
 * program may lose its processor in between, so each of them has its own time. The values
 * of a window during a command are what was read: all that happened while it ran. The
 * counters are read last before it starts, and first after it ends.
 */
#ifndef WINDOW_WINDOW_PRIV_H
#define WINDOW_WINDOW_PRIV_H

#include <poll.h>

#include "counters/cpu_counters.h"
#include "sys/machine_reading.h"
#include "window/window.h"

/* Shorter windows, or processes with less processor time, have too few clock ticks for
 * values that count ticks: with ten, the standard error of a part is up to 16%. */
enum { TICKS_LEAST = 10 };

/* The two ends of a window. */
enum window_side { WINDOW_FROM, WINDOW_TO, WINDOW_SIDES };

/* A window of any kind. */
struct time_window {
	const struct window_kind *kind;
	const struct subject *subject;
	size_t number; /* of the subject */
	struct window_means *means;
	double window_ns;            /* 0: as long as a command runs */
	void *state;                 /* of its kind */
	uint64_t taken;              /* windows with a sample */
	int64_t begin_ns;            /* CLOCK_REALTIME */
	int64_t at_ns[WINDOW_SIDES]; /* CLOCK_MONOTONIC, of the first values */
	struct fault ended; /* why no further window can be taken, once that is so */
	struct wire_count *count[WINDOW_SIDES]; /* by event: of the whole subject */
	int64_t counted_at_ns[WINDOW_SIDES];    /* CLOCK_MONOTONIC, when they were read */
};

/* The functions of a kind of subjects. All except try_events get an open window. */
struct window_kind {
	/* Tries the events of the set on the subjects of this kind. */
	void (*try_events)(struct window_means *means, const struct subjects *subjects);
	/* Sets state and window_ns, and opens the counters if there are events, or shares
	 * those of the twin. Returns 0, or -1 and the message; even then, close is called.
	 */
	int (*open)(struct time_window *w, const struct time_window *twin, struct fault *f);
	void (*close)(struct time_window *w);
	/* Reads one end, and sets its times and counts. Returns false if the subject has
	 * ended. */
	bool (*read)(struct time_window *w, enum window_side side);
	/* Returns descriptors that become readable when the subject ends; optional. */
	size_t (*ends)(struct time_window *w, struct pollfd **end);
	double (*cpu_ns)(const struct time_window *w);
	/* Adds the values of the last window to the sample. */
	void (*put)(struct time_window *w, struct run_sample *s);
	void (*explain)(const struct time_window *w, const char *name, struct buf *lines);
};

extern const struct window_kind process_window, machine_window, group_window;

/* Lists the processors of a reading of the machine. */
void cpu_numbers_of(struct cpu_numbers *out, const struct machine_reading *r);
/* Returns whether an event of the set can be counted. */
bool window_has_events(const struct time_window *w);
/* Returns the factor that scales a difference to the nominal length; 1 without one. */
double window_scale(const struct time_window *w, int64_t from_ns, int64_t to_ns);
/* Returns the nominal length; without one, how long the last window took. */
double window_length_of(const struct time_window *w);
/* Adds a value unless a counter measures it. Returns whether it is known; without a value,
 * its status is skipped. */
bool window_put_value(
    struct time_window *w, struct run_sample *s, enum run_metric m, double value);
/*
 * Adds the differences of counts, by event, and the metrics derived from them and usage.
 * Those of a subject that ran all the time, as processors do, have no value if they did not
 * count.
 */
void window_put_counts(struct time_window *w, struct run_sample *s,
    const struct wire_count *from, const struct wire_count *to, bool always,
    const double usage[USAGES]);
/* Appends how many windows lack values, if any do. */
void window_put_lack(const struct time_window *w, struct buf *lines, const char *name,
    const char *what, uint64_t windows, const char *why);

#endif
