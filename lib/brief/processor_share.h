/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a command's wall time that is processor time. It distinguishes a command that
 * waits from one that computes. Pure.
 */
#ifndef BRIEF_PROCESSOR_SHARE_H
#define BRIEF_PROCESSOR_SHARE_H

#include "brief/brief_subjects.h"
#include "record/collect.h"

/*
 * Appends that part in percent, as in ", 1.2% of wall", if the subject is a command and the
 * part is less than a tenth. Appends nothing if samples timed out, because the mean of wall
 * is not known then.
 */
void processor_share_put(struct buf *line, const struct brief_subjects *all,
    const struct brief_subject *subject, struct collect *collect);

#endif
