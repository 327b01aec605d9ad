/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order in which commits were measured, which is that of histories, and the order in
 * which they were made.
 */
#ifndef CONVERT_COMMIT_DATES_H
#define CONVERT_COMMIT_DATES_H

#include "convert/inputs_priv.h"

/* Appends a line if the inputs measured a commit before an older commit on the same host.
 */
void commit_dates_note(const struct inputs *inputs, struct buf *notes);

#endif
