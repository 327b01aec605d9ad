/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that --setup cannot make equal commands measure the same thing.
 */
#ifndef SUBJECT_SETUP_CHECK_H
#define SUBJECT_SETUP_CHECK_H

#include "subject/subject.h"

/*
 * Checks that commands with different --setup differ themselves, in their arguments, input,
 * environment, --prepare or --conclude. All of these hooks run before the first sample, so
 * equal commands would measure what the last hook left. Returns 0, or -1 and the message.
 */
int setup_check(const struct subjects *list, struct fault *f);

#endif
