/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subjects of bench-run from its options: command lines, operands, functions,
 * kernels, models, running processes, the machine and subjects tables, with their names,
 * hooks and sweeps.
 */
#ifndef SUBJECT_SUBJECT_OPTIONS_H
#define SUBJECT_SUBJECT_OPTIONS_H

#include "io/opt.h"
#include "subject/machine_subject.h"
#include "subject/subject.h"

struct subject_opts {
	const struct opt_list *lines, *functions, *kernels, *models, *processes, *groups,
	    *backends, *tables, *names, *sweeps, *engine_options, *labels, *hooks[HOOKS];
	char *const *operands; /* a command in words, NULL-terminated; may be empty */
	const char *stdin_path;
	const struct opt_list *env; /* NAME=VALUE, of --env */
	bool shell;
	bool machine; /* measure the machine */
	struct machine_opts machine_opts;
	double window_ns;              /* of processes and the machine */
	bool twins;                    /* each subject twice, as a and b */
	const char *workers, *threads; /* the lists of -J and -j, or NULL */
	const char *rates;             /* the list of --rate, or NULL */
	bool load; /* workers are servers; none is compared with a single one */
	const struct opt_list *inputs; /* of --input */
	/* Reports the progress of the trial of auto, with the fraction that is done; may be
	 * NULL. */
	void (*progress)(void *ctx, const char *what, double done);
	void *ctx;
};

struct selection {
	struct buf notes; /* notes, a line each */
	struct subjects subjects;
	struct binding *label; /* equal for all subjects */
	size_t labels;
	struct templates templates;
	struct sweep *sweep;
	size_t sweeps;
};

/*
 * Fills a zeroed selection and looks up programs. Returns 0, or -1 and the message if
 * there is nothing to measure, a string is malformed, or two subjects or two columns have
 * the same name. The caller frees the selection in either case.
 */
int selection_read(
    struct selection *s, const struct subject_opts *options, struct fault *f);
void selection_free(struct selection *s);

#endif
