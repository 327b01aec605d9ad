/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes on parameters of -P that make no difference.
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

#endif
