/*
 * A line on the terminal that says how far a measurement is. Nothing is shown unless
 * standard error is a terminal, and it goes away before anything else is printed.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "base.h"

struct progress;
struct progress *progress_open(bool wanted);
/* Whether it is time to redraw, so that nobody works out what is not shown. */
bool progress_due(const struct progress *p);
/* Redrawn at most ten times a second. left_ns: the time still needed. */
void progress_show(struct progress *p, double done, double left_ns, const char *what);
void progress_clear(struct progress *p);
void progress_close(struct progress *p);

#endif
