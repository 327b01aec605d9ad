/*
 * What is to be told of a history beside its rows: lines for people, fit for a terminal.
 */
#ifndef HISTORY_NOTES_H
#define HISTORY_NOTES_H

#include "history.h"

/* Before the rows: what was left out, and how many series are too short for a change,
 * unless least is 0. A line each. */
void history_note_input(const struct history *h, size_t least, struct buf *lines);
/* After them: changes in the range asked for at which env changed, too. */
void history_note_machines(const struct history *h, struct buf *lines);

#endif
