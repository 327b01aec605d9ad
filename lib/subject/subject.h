/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subjects of a measurement: commands, functions, kernels and models with values of
 * their parameters. A template becomes one subject for each combination of the values of
 * its sweeps.
 */
#ifndef SUBJECT_SUBJECT_H
#define SUBJECT_SUBJECT_H

#include "subject/template.h"

struct subject {
	const struct template *from;
	struct binding *factor; /* its values of the sweeps */
	size_t factors;
	char aa;          /* 'a' or 'b' with --aa; otherwise 0 */
	uint32_t workers; /* concurrent copies of a command, or processes of a function */
	uint32_t threads; /* in each process of a function */
	double rate;      /* requests per second; 0: no load, or its arrivals have none */
	char **argv;
	char *path; /* the program; NULL if skipped */
	char *hook[HOOKS];
	char *stdin_path;
	char **env; /* each NAME=VALUE, if a variable may depend on the factors; or NULL */
	struct work *work; /* for kernels and models; see compute.h */
	char *input_shape; /* likewise */
	char *devices;    /* for kernels and models that use only some of the template's; or
	                     NULL */
	char *skipped;    /* why it is not run, or NULL */
	bool unsupported; /* the reason is that the device cannot do it */
	bool absent;      /* it is skipped because it does not exist or is broken */
};

struct subjects {
	struct subject *subject;
	size_t count, cap;
	bool twins; /* each subject exists twice, as a and b (--aa) */
};

/*
 * Adds all combinations of a template with its own sweeps and the common ones. The
 * template and the sweeps must outlive the subjects. Programs are looked up now, except
 * those that a hook may still create; a subject whose program is missing or cannot be
 * started is absent. Returns 0, or -1 and the message if a parameter has an invalid value.
 */
int subjects_add(struct subjects *list, const struct template *t,
    const struct sweep *common, size_t commons, struct fault *f);
/* Returns whether a subject executes a command: its own, or one during which something else
 * is measured. */
bool subject_has_command(const struct subject *s);
/* Checks that the columns distinguish all subjects. Returns 0, or -1 and the message. */
int subjects_check(const struct subjects *list, struct fault *f);
void subjects_free(struct subjects *list);
/*
 * Returns the bench and factors as a string to be shown, such as "sort n=1000", or
 * "gzip -9" if the bench is "gzip -{level}"; allocated.
 */
char *subject_label(const struct subject *s);
/* Returns such strings for all subjects, without the factors that have the same value in
 * all of them; allocated, as is each. */
char **subject_labels(const struct subjects *list);

#endif
