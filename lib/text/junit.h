/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes test results in the XML format of JUnit, which CI services such as GitLab and
 * Jenkins read. Pure.
 */
#ifndef TEXT_JUNIT_H
#define TEXT_JUNIT_H

#include "base/base.h"

enum junit_outcome {
	JUNIT_PASSED,
	JUNIT_FAILURE,
	JUNIT_ERROR, /* the test could not be carried out */
	JUNIT_SKIPPED,
	JUNIT_OUTCOMES,
};

/* A suite of test cases. Zero it to begin. */
struct junit {
	struct buf cases;
	size_t count[JUNIT_OUTCOMES];
};

/* Appends a test case. The message is not used for a test that passed. Characters that XML
 * does not allow become visible escapes. */
void junit_case(struct junit *j, struct text class_name, struct text name,
    enum junit_outcome outcome, struct text message);
/* Appends the document, with one suite of this name, and frees the cases. */
void junit_finish(struct junit *j, const char *suite, struct buf *out);

#endif
