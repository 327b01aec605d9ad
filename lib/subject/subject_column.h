/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns that distinguish subjects. Pure. */
#ifndef SUBJECT_SUBJECT_COLUMN_H
#define SUBJECT_SUBJECT_COLUMN_H

#include "subject/subject.h"

/* Returns the value of a subject in the column bench, aa or a factor; empty if none. */
const char *subject_column(const struct subject *s, const char *column);
/* Returns the name of a subject in messages: of the command during which something else is
 * measured, or the bench. */
const char *subject_title(const struct subject *s);
/*
 * Returns whether two subjects of one kind are equal in all columns but this one and those
 * that follow from it, such as the name of the device from the backend.
 */
bool subject_differs_only_in(
    const struct subject *a, const struct subject *b, const char *column);

#endif
