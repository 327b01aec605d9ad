/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The execution of a plan: the helpers that run commands and hooks, the output, and the
 * outcome.
 */
#ifndef RUN_SESSION_H
#define RUN_SESSION_H

#include "run/machine_state.h"
#include "run/measure.h"
#include "sys/other_load.h"

struct session_opts {
	bool commands, hooks; /* whether there are any; each kind has its own helper */
	struct sample_writer_opts writer; /* commit NULL: from git */
	const char *timeline;             /* the file of the timeline, or NULL */
};

struct session {
	struct plan *plan;
	bool commands;
	struct spawn_client *spawn, *hooks; /* NULL if not needed */
	struct sample_writer *writer;
	struct outcome outcome;
	struct machine_state before; /* the first sample */
	bool people; /* the output is for people, who read how busy the machine was */
	struct other_load load;
	double others; /* the processors that other processes kept busy; NAN: unknown */
	struct buf machine; /* lines about events of the machine during the run */
	struct buf kept;    /* lines about files that could not be completed */
};

/*
 * Starts the helpers and opens the output. Appends notes, even on failure: events that
 * cannot be counted, and the reason if there is no commit. The plan must outlive the
 * session. Returns 0, or -1 and the message.
 */
int session_open(struct session *s, struct plan *plan, const struct session_opts *o,
    struct buf *notes, struct fault *f);
/* Measures and shows this kind of progress, then ends the helpers. Returns as measure(). */
int session_run(struct session *s, enum progress_what what, struct fault *f);
/*
 * Ends the output, and sets kept, which the caller frees. Returns 0, or -1 and the message;
 * errno is EPIPE if the reader has gone away.
 */
int session_close(struct session *s, struct fault *f);
/* Appends one line for each problem and, unless quiet, for each note. */
void session_report(const struct session *s, bool quiet, struct buf *lines);

#endif
