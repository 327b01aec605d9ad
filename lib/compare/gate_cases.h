/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision of gate.h as JUnit test cases. Pure.
 */
#ifndef COMPARE_GATE_CASES_H
#define COMPARE_GATE_CASES_H

#include "compare/gate.h"
#include "text/junit.h"

/*
 * Appends a test case for each row that decides, and for each subject with a finding. A
 * finding is a failure if its exit status is STATUS_NO, an error if it is STATUS_TROUBLE,
 * and skipped if the options allow it. A row without an old value is skipped.
 */
void gate_put_cases(struct junit *j, const struct compare *c, const struct gate *g);

#endif
