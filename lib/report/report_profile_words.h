/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sentences about a profile: its largest functions, or those that changed most. Pure.
 */
#ifndef REPORT_REPORT_PROFILE_WORDS_H
#define REPORT_REPORT_PROFILE_WORDS_H

#include "base/base.h"

/*
 * Appends the sentences as HTML. functions: the table of bench-plot flame --functions as
 * CSV, with one side or two. Appends nothing if it has no rows.
 */
void report_profile_words(struct buf *page, struct text functions, const char *bench);

#endif
