/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options that apply to some kinds of subjects only. For other kinds they would have no
 * effect, so they are rejected.
 */
#ifndef SUBJECT_OPTION_SCOPE_H
#define SUBJECT_OPTION_SCOPE_H

#include "subject/subject.h"

enum {
	OF_COMMANDS = 1 << KIND_COMMAND,
	OF_FUNCTIONS = 1 << KIND_FUNCTION,
	OF_LISTS = 1 << KIND_KERNEL | 1 << KIND_MODEL,
	/* what runs already, in windows of a fixed length, or during a command */
	OF_WINDOWS = 1 << KIND_PROCESS | 1 << KIND_MACHINE | 1 << KIND_GROUP,
	OF_DURING = OF_WINDOWS << KINDS,
	OF_MACHINE = 1 << KIND_MACHINE | 1 << KIND_MACHINE << KINDS,
	/* kinds that bench-run starts itself */
	OF_STARTED = OF_COMMANDS | OF_FUNCTIONS | OF_LISTS,
	/* all that execute something */
	OF_EXECUTED = OF_STARTED | OF_DURING
};

struct kind_option {
	const char *name;
	bool given;
	unsigned kinds; /* the kinds that it applies to, by these bits */
};

/*
 * Returns 0, or -1 and the message if an option is given that does not apply to all
 * subjects.
 */
int option_scope_check(const struct kind_option *option, size_t count,
    const struct subjects *subjects, struct fault *f);

#endif
