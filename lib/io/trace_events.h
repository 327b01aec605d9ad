/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a timeline in the Trace Event Format, which Perfetto, chrome://tracing and other
 * viewers read. Pure.
 *
 * Source: "Trace Event Format" (Google; docs.google.com/document/d/
 * 1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU). The document is its "JSON Object Format":
 * one object with the array traceEvents. A span is a complete event (ph X), whose ts and
 * dur are in microseconds with three decimals. Metadata events (ph M) name the processes
 * and tracks, and give the order in which they are shown.
 *
 * All times given to these functions are in nanoseconds of one clock. A track shows spans
 * that do not overlap, unless one contains the other.
 */
#ifndef IO_TRACE_EVENTS_H
#define IO_TRACE_EVENTS_H

#include "base/base.h"

/* Processes are numbered from 1, and the tracks of each process from 1 to this number. */
enum { TRACE_TRACKS_MAX = 999 };

/* A document. */
struct trace_events {
	/* The text that the caller has not taken yet; set its len to 0 to continue. */
	struct buf bytes;
	int64_t zero_ns; /* the time that the document shows as 0 */
	bool any;        /* whether there is an event */
};

/* A name and its value: a string, or a number if the string is NULL. */
struct trace_arg {
	const char *name, *text;
	double number;
};

/* A span of a track. */
struct trace_span {
	uint32_t process, track;
	const char *name, *category;
	int64_t start_ns;
	double duration_ns; /* its fraction of a nanosecond is not written */
	const struct trace_arg *arg;
	size_t args;
};

/* Begins a document with facts about all of it. */
void trace_events_begin(
    struct trace_events *t, int64_t zero_ns, const struct trace_arg *about, size_t abouts);
/* Names a process. Processes are shown in the order of their numbers. */
void trace_events_process(struct trace_events *t, uint32_t process, const char *name);
/* Names a track of a process. Tracks are shown in the order of their numbers. */
void trace_events_track(
    struct trace_events *t, uint32_t process, uint32_t track, const char *name);
/* Appends a span. */
void trace_events_span(struct trace_events *t, const struct trace_span *s);
/* Ends the document. */
void trace_events_end(struct trace_events *t);

#endif
