/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows of what is measured while the commands of a plan run: the machine, running
 * processes or control groups. For a plan of commands alone there are none: the windows are
 * NULL, and every function accepts NULL.
 */
#ifndef RUN_COMMAND_WINDOWS_H
#define RUN_COMMAND_WINDOWS_H

#include "run/plan.h"
#include "sample/run_sample.h"

struct command_windows;

/* Opens a window for each subject, unless the commands themselves are measured: then *out
 * is NULL. Returns 0, or -1 and the message. */
int command_windows_open(
    const struct plan *plan, struct command_windows **out, struct fault *f);
void command_windows_close(struct command_windows *c);
/* Begins the window of a subject immediately before its command starts. */
void command_windows_start(struct command_windows *c, size_t subject);
/* Ends the window immediately after the command has ended. Returns NULL, or why the window
 * cannot be used: what was measured has ended. */
const char *command_windows_stop(struct command_windows *c, size_t subject);
/* Adds the values of the last window to a sample, whose status and number are set. */
void command_windows_put(struct command_windows *c, size_t subject, struct run_sample *s);
/* Appends a line for each problem of the values. */
void command_windows_explain(const struct command_windows *c, struct buf *lines);

#endif
