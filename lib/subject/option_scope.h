/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options that are for some kinds of subjects only: on others they would be silently
 * without effect, and so are refused.
 */
#ifndef SUBJECT_OPTION_SCOPE_H
#define SUBJECT_OPTION_SCOPE_H

#include "subject/subject.h"

enum {
	OF_COMMANDS = 1 << KIND_COMMAND,
	OF_FUNCTIONS = 1 << KIND_FUNCTION,
	OF_LISTS = 1 << KIND_KERNEL | 1 << KIND_MODEL
};

struct kind_option {
	const char *name;
	bool given;
	unsigned kinds; /* that it is for */
};

/* -1 and the message when one that is given is not for all of the subjects. */
int option_scope_check(const struct kind_option *option, size_t count,
    const struct subjects *subjects, struct fault *f);

#endif
