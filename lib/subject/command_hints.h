/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes on commands that may not do what was meant. Pure.
 */
#ifndef SUBJECT_COMMAND_HINTS_H
#define SUBJECT_COMMAND_HINTS_H

#include "subject/subject.h"

/* Appends a note, and returns true, if a line of -c has a character that only a shell would
 * interpret. */
bool command_hint_shell(const char *line, struct buf *notes);
/* Returns what to add to the message that a program does not exist: how to run a command
 * line if the program's name looks like one; otherwise "". */
const char *command_hint_line(char *const *words);
/* Returns what to add to the message about a program of bench-prof that does not exist, if
 * its name is a verb of perf(1); else "". */
const char *command_hint_perf(const char *name);

#endif
