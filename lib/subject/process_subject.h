/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Subjects that are running already: one or more processes, whose use of the machine is
 * measured in windows of time.
 */
#ifndef SUBJECT_PROCESS_SUBJECT_H
#define SUBJECT_PROCESS_SUBJECT_H

#include "subject/window_length.h"
#include "sys/running_process.h"

/* The processes of a subject. */
struct process_subject {
	struct running_process **process;
	size_t count;
	double window_ns; /* 0: as long as a command runs */
};

/*
 * Adds a subject for a list of process numbers, such as "812,813". Its name is that of the
 * commands. A process that cannot be measured makes the subject absent. Returns 0, or -1
 * and the message if the list or the window is invalid.
 */
int process_template_add(struct templates *list, const char *pids,
    const struct window_length *length, struct fault *f);
void process_subject_free(struct process_subject *s);

#endif
