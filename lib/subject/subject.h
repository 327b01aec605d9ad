/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is measured: commands, functions, kernels and models with their parameters filled
 * in. A template is one -c line, the operands, a function of -f, a list of -k or -M on a
 * device, or a line of a subjects table; times every combination of the sweeps it gives the
 * subjects. Workers are a sweep, too: so many copies of a command run at once.
 */
#ifndef SUBJECT_SUBJECT_H
#define SUBJECT_SUBJECT_H

#include "text/shell_words.h"

enum subject_kind { KIND_COMMAND, KIND_FUNCTION, KIND_KERNEL, KIND_MODEL, KINDS };
extern const char *const subject_kinds[KINDS]; /* as the column kind has them */

enum hook { HOOK_SETUP, HOOK_PREPARE, HOOK_CONCLUDE, HOOK_CLEANUP, HOOKS };

struct sweep {
	const char *name;
	char **value;
	size_t count;
	bool is_default;   /* gives way to one of all subjects with the same name */
	uint32_t *workers; /* the values as numbers of workers; NULL: it is another sweep */
	bool of_threads;   /* workers that are threads, not processes */
};

struct template
{
	enum subject_kind kind;
	char *bench;  /* its name */
	char **words; /* the command, {name} not yet filled in; or NULL with shell */
	char *line;   /* with shell: the line for sh -c */
	struct function *function; /* of that kind; see function.h */
	char *list;                /* of kernels and models: its name or path */
	struct compute *compute;   /* and the device that it is on; see compute.h */
	const char *hook[HOOKS];   /* command lines for the shell, or NULL */
	const char *stdin_path;    /* or NULL */
	struct sweep *sweep;       /* of its own, beside those of all */
	size_t sweeps;
	uint64_t runs; /* 0: as the options say */
	char *skipped; /* why it is not run, or NULL */
	bool absent;   /* it is skipped because it does not exist or is broken */
};

struct subject {
	const struct template *from;
	struct binding *factor; /* its place in the sweeps */
	size_t factors;
	char aa;          /* 'a' or 'b': one of two that are the same; or 0 */
	uint32_t workers; /* copies, or processes of a function, that run at once */
	uint32_t threads; /* of each process of a function */
	char **argv;
	char *path; /* what is executed; NULL when skipped */
	char *hook[HOOKS];
	char *stdin_path;
	struct work *work; /* of kernels and models; see compute.h */
	char *input_shape; /* likewise */
	char *devices;     /* likewise, where not all of the template's are used; or NULL */
	char *skipped;     /* why it is not run, or NULL */
	bool unsupported;  /* and that is because the device cannot */
	bool absent;       /* it is skipped because it does not exist or is broken */
};

struct templates {
	struct template *item;
	size_t count, cap;
};

/* A command line; with shell it is one for sh -c. 0 or -1. */
int template_add_line(
    struct templates *list, const char *line, bool shell, struct fault *f);
/* A command already in words; with shell, one word is a line and several are joined. */
void template_add_words(struct templates *list, char *const *words, bool shell);

/* "name=value" of --label; the name is allocated, and must not be a reserved column. */
int label_parse(const char *spec, struct binding *out, struct fault *f);
/* "name=list" of -P. The name must not be a reserved column. 0 or -1. */
int sweep_parse(const char *spec, struct sweep *out, struct fault *f);
/*
 * "1,2,4" of -J or -j as a sweep of workers of this name: distinct counts up to
 * WIRE_WORKERS_MAX. 1 comes first if the list lacks it: what the others are compared
 * with. 0 or -1.
 */
int sweep_workers(const char *list, const char *name, bool of_threads, struct sweep *out,
    struct fault *f);
void sweep_free(struct sweep *s);
/* A sweep of the template's own, behind those that it has; it becomes the template's. */
void template_add_sweep(struct template *t, struct sweep sweep);
/* One of a single value. */
void template_add_factor(
    struct template *t, const char *name, const char *value, bool is_default);
bool template_has_sweep(const struct template *t, const char *name);
/* The bench, the list, the sweeps and what is said of runs; not what a kind has. */
void template_copy(struct template *to, const struct template *from);
void template_free(struct template *t);
/* Marks a template as absent for this reason; its subjects become skipped rows. */
void template_set_absent(struct template *t, const struct fault *why);

struct subjects {
	struct subject *subject;
	size_t count, cap;
	bool twins; /* each is there twice, as a and b, to be measured beside itself */
};

/*
 * All combinations of a template with its own sweeps and the common ones, added to the
 * list. The template and the sweeps must outlive the subjects. Programs are looked up now;
 * a subject whose program is missing or cannot be started is absent. -1 and the message
 * when a parameter has a value that it cannot have.
 */
int subjects_add(struct subjects *list, const struct template *t,
    const struct sweep *common, size_t commons, struct fault *f);
/* Refuses two subjects that no column could tell apart. */
int subjects_check(const struct subjects *list, struct fault *f);
void subjects_free(struct subjects *list);
/* "sort n=1000": its bench and factors, for people; allocated. */
char *subject_label(const struct subject *s);
/* Marks a subject as absent for this reason. */
void subject_set_absent(struct subject *s, const struct fault *why);

#endif
