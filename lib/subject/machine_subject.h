/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole machine as a subject, which is measured in windows of time, and the parts of
 * the machine that also get values of their own.
 */
#ifndef SUBJECT_MACHINE_SUBJECT_H
#define SUBJECT_MACHINE_SUBJECT_H

#include "subject/template.h"

/* A kind of parts of the machine. */
struct machine_parts {
	const char
	    *name; /* the value of --per, and the column with the number of the part */
	const char *file; /* with the number of the part of a processor, below its directory
	                     in /sys; NULL: each processor is a part */
};

extern const struct machine_parts machine_parts[];
extern const size_t machine_parts_count;

struct machine_subject {
	double window_ns;
	const struct machine_parts *per; /* NULL: none get values of their own */
};

/*
 * Adds the machine as a subject; per is the name of a kind of parts, or NULL. Returns 0, or
 * -1 and the message if the kind or the window is invalid.
 */
int machine_template_add(
    struct templates *list, const char *per, double window_ns, struct fault *f);
void machine_subject_free(struct machine_subject *s);

#endif
