/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short forms of commits, times and UUIDs, as git abbreviates commits: strings that differ
 * have short forms that differ. Pure.
 */
#ifndef TEXT_SHORT_FORM_H
#define TEXT_SHORT_FORM_H

#include "base/intern.h"

/*
 * Replaces strings by allocated short forms. A commit of 40 or 64 digits keeps its first
 * 10, and a UUID its first 8, or as many as distinguish it from the others; what follows
 * the digits of a commit, such as "-dirty", is kept. A time becomes "2026-11-23 13:27Z",
 * with seconds if times would become equal, and is unchanged if they still would. All other
 * strings are NULL in the result, which has an element for each string.
 */
char **short_forms(const struct intern *texts);

#endif
