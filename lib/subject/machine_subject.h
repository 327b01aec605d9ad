/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine, or some of its processors, as a subject, which is measured in windows of
 * time, and the parts of the machine that also get values of their own.
 */
#ifndef SUBJECT_MACHINE_SUBJECT_H
#define SUBJECT_MACHINE_SUBJECT_H

#include "subject/window_length.h"

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
	double window_ns;                /* 0: as long as a command runs */
	const struct machine_parts *per; /* NULL: none get values of their own */
	bool *cpus; /* CPUS_MAX places: these processors only; NULL: all that are online */
};

/* The values of options. */
struct machine_opts {
	const char *per;  /* the name of a kind of parts, or NULL */
	const char *cpus; /* a list of processors, or NULL: all */
};

/*
 * Adds the machine as a subject. Returns 0, or -1 and the message if an option or the
 * window is invalid, or a processor of the list is not online.
 */
int machine_template_add(struct templates *list, const struct machine_opts *options,
    const struct window_length *length, struct fault *f);
void machine_subject_free(struct machine_subject *s);

#endif
