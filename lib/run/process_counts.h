/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In how many processes functions are measured by default.
 */
#ifndef RUN_PROCESS_COUNTS_H
#define RUN_PROCESS_COUNTS_H

#include "subject/subject.h"

enum { FUNCTION_PROCESSES = 6, COMPUTE_PROCESSES = 3 };

/*
 * Returns in how many processes each function is measured by default: the smallest number
 * of pairs, from FUNCTION_PROCESSES to 30, with which the best function can be told
 * apart from all others at this confidence. The least p of a rank test of n pairs is 2 / 2^n, and
 * Holm's correction multiplies it by the number of comparisons.
 */
uint64_t process_counts_default(const struct subjects *subjects, double confidence);

#endif
