/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that --setup cannot make equal subjects measure the same thing.
 */
#ifndef SUBJECT_SETUP_CHECK_H
#define SUBJECT_SETUP_CHECK_H

#include "subject/subject.h"

/*
 * Checks that subjects with different --setup differ themselves: commands in their
 * arguments, input, environment, --prepare or --conclude, functions in their object,
 * symbol, environment or a parameter that they take, and kernels and models in what they
 * compute and where. All of these hooks run before the first sample, so equal subjects
 * would measure what the last hook left. Returns 0, or -1 and the message.
 */
int setup_check(const struct subjects *list, struct fault *f);

#endif
