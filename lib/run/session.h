/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan on its way: the helpers that run commands and hooks, where the samples go, and
 * what became of it.
 */
#ifndef RUN_SESSION_H
#define RUN_SESSION_H

#include "run/measure.h"

struct session_opts {
	bool commands, hooks; /* there are some: each kind has a helper of its own */
	struct sample_writer_opts emit; /* commit NULL: ask git */
};

struct session {
	struct plan *plan;
	bool commands;
	struct spawn_client *spawn, *hooks; /* NULL: not needed */
	struct sample_writer *emit;
	struct outcome outcome;
};

/*
 * Starts the helpers and opens the output. Appends lines for people to notes, also when it
 * fails: events that cannot be counted, and why there is no commit. The plan must outlive
 * the session. 0, or -1 and the message.
 */
int session_open(struct session *s, struct plan *plan, const struct session_opts *o,
    struct buf *notes, struct fault *f);
/* Measures, showing this progress, then ends the helpers; see measure.h. */
int session_run(struct session *s, enum progress_what what, struct fault *f);
/* Ends the output: 0, or -1 with the message and errno; EPIPE is nobody who reads it. */
int session_close(struct session *s, struct fault *f);
/* Appends what failed, then, unless quiet, what else is to be told. */
void session_report(const struct session *s, bool quiet, struct buf *lines);

#endif
