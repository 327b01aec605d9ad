/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress of a measurement on the terminal: a line and, on request, a summary of
 * each subject below it. Nothing is shown unless standard error is a terminal, and the
 * display is removed before anything else is printed.
 */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include "run/live_view.h"

enum progress_what { PROGRESS_NONE, PROGRESS_LINE, PROGRESS_LIVE };

struct progress;
struct progress *progress_open(enum progress_what wanted);
/*
 * Returns whether it is time to redraw, so that callers compute only values that are
 * shown.
 */
bool progress_due(const struct progress *p);
/* Draws the line, at most ten times per second. left_ns is the estimated time left;
 * NAN if it is unknown. */
void progress_show(struct progress *p, double done, double left_ns, const char *what);
/* Returns whether progress_show_live draws more than progress_show. */
bool progress_is_live(const struct progress *p);
/* Draws the line with the subjects below it; `now` is the subject being measured. */
void progress_show_live(struct progress *p, double done, double left_ns,
    const struct live_subject *subject, size_t count, size_t now, double confidence);
void progress_clear(struct progress *p);
void progress_close(struct progress *p);

#endif
