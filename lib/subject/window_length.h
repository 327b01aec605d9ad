/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the windows are in which running processes, control groups and the machine are
 * measured: a fixed time, or as long as a command runs.
 */
#ifndef SUBJECT_WINDOW_LENGTH_H
#define SUBJECT_WINDOW_LENGTH_H

#include "subject/template.h"

#define WINDOW_COLUMN "window" /* the factor with the length of a window ... */
#define DURING_COLUMN "during" /* ... or the command during which it is */

struct window_length {
	double ns;                      /* without a command */
	const struct template *command; /* the windows last as long as it runs; or NULL */
};

/*
 * Adds the length of the windows as a factor of the template, so that windows of different
 * lengths are never compared; with a command, also what it runs. Returns 0, or -1 and the
 * message if the length is out of range.
 */
int window_length_add(
    struct template *t, const struct window_length *length, struct fault *f);
/* Returns the fixed length of the windows; 0: they last as long as the command runs. */
double window_length_ns(const struct window_length *length);

#endif
