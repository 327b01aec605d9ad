/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line on the terminal that says how far a measurement is, and below it, when asked for,
 * what it has come to. Nothing is shown unless standard error is a terminal, and it goes
 * away before anything else is printed.
 */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include "run/live_view.h"

enum progress_what { PROGRESS_NONE, PROGRESS_LINE, PROGRESS_LIVE };

struct progress;
struct progress *progress_open(enum progress_what wanted);
/* Whether it is time to redraw, so that nobody works out what is not shown. */
bool progress_due(const struct progress *p);
/* Redrawn at most ten times a second. left_ns: the time still needed. */
void progress_show(struct progress *p, double done, double left_ns, const char *what);
/* Whether progress_show_live draws more than progress_show. */
bool progress_is_live(const struct progress *p);
/* The same with the subjects below it; `now` is the one that runs. */
void progress_show_live(struct progress *p, double done, double left_ns,
    const struct live_subject *subject, size_t count, size_t now, double confidence);
void progress_clear(struct progress *p);
void progress_close(struct progress *p);

#endif
