/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The length of the windows in which running processes and the machine are measured.
 */
#ifndef SUBJECT_WINDOW_LENGTH_H
#define SUBJECT_WINDOW_LENGTH_H

#include "subject/template.h"

#define WINDOW_COLUMN "window" /* the factor with the length of a window */

/*
 * Adds the length of the window as a factor of the template, so that windows of different
 * lengths are never compared. Returns 0, or -1 and the message if it is out of range.
 */
int window_length_add(struct template *t, double window_ns, struct fault *f);

#endif
