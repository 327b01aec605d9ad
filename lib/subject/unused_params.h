/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters of -P that make no difference.
 */
#ifndef SUBJECT_UNUSED_PARAMS_H
#define SUBJECT_UNUSED_PARAMS_H

#include "subject/subject.h"

/*
 * Appends a note for each parameter of -P that no command, hook or standard input uses, and
 * no function, kernel or model has. There is none if a subject is absent, because it is not
 * known what that would use.
 */
void unused_params_note(const struct templates *list, const struct sweep *sweep,
    size_t sweeps, struct buf *notes);
/*
 * Checks that no parameter with several values makes a difference to the --setup of a
 * command alone. All of these hooks run before the first sample, so each sample would
 * measure what the last one left. Returns 0, or -1 and the message.
 */
int setup_params_check(const struct templates *list, const struct sweep *sweep,
    size_t sweeps, struct fault *f);

#endif
