/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bench-run measures, as its options say it: command lines, operands, functions,
 * kernels, models and subjects tables, dressed with names and hooks, times the sweeps.
 */
#ifndef SUBJECT_SUBJECT_OPTIONS_H
#define SUBJECT_SUBJECT_OPTIONS_H

#include "io/opt.h"
#include "subject/subject.h"

struct subject_opts {
	const struct opt_list *lines, *functions, *kernels, *models, *backends, *tables,
	    *names, *sweeps, *labels, *hooks[HOOKS];
	char *const *operands; /* a command in words, NULL-ended; may be empty */
	const char *stdin_path;
	bool shell;
	bool twins;                    /* every subject twice, as a and b */
	const char *workers, *threads; /* the lists of -J and -j, or NULL */
};

struct selection {
	char *notes; /* lines for people; or NULL */
	struct subjects subjects;
	struct binding *label; /* the same for all subjects */
	size_t labels;
	struct templates templates;
	struct sweep *sweep;
	size_t sweeps;
};

/*
 * Fills a zeroed selection; programs are looked up. 0; or -1 and the message when nothing
 * is left to measure, a text is malformed, or two subjects or two
 * columns would be called the same. To be freed in either case.
 */
int selection_read(
    struct selection *s, const struct subject_opts *options, struct fault *f);
void selection_free(struct selection *s);

#endif
