/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control groups as subjects, which are measured in windows of time.
 */
#ifndef SUBJECT_GROUP_SUBJECT_H
#define SUBJECT_GROUP_SUBJECT_H

#include "subject/window_length.h"
#include "sys/kernel_files.h"

struct group_subject {
	struct kernel_files files; /* whose root is the directory of the group */
	bool open;
	double window_ns; /* 0: as long as a command runs */
};

/*
 * Adds a control group by its name or path; one that does not exist is absent. Returns 0,
 * or -1 and the message if the name is empty or the window is invalid.
 */
int group_template_add(struct templates *list, const char *group,
    const struct window_length *length, struct fault *f);
void group_subject_free(struct group_subject *s);

#endif
