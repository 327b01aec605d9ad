/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subjects of a measurement: commands, functions, kernels and models with values of
 * their parameters. A template is one -c line, the operands, a function of -f, a list
 * of -k or -M on a device, or a line of a subjects table. A template becomes one
 * subject for each combination of the values of its sweeps. The number of workers is
 * also a sweep.
 */
#ifndef SUBJECT_SUBJECT_H
#define SUBJECT_SUBJECT_H

#include "text/shell_words.h"

enum subject_kind { KIND_COMMAND, KIND_FUNCTION, KIND_KERNEL, KIND_MODEL, KINDS };
extern const char *const subject_kinds[KINDS]; /* the names in the column kind */

enum hook { HOOK_SETUP, HOOK_PREPARE, HOOK_CONCLUDE, HOOK_CLEANUP, HOOKS };

struct sweep {
	const char *name;
	char **value;
	size_t count;
	bool is_default;   /* is replaced by a common sweep of the same name */
	uint32_t *workers; /* the values as numbers of workers; NULL for other sweeps */
	double *rate;      /* the values as requests per second; NULL for other sweeps */
	bool of_threads;   /* workers that are threads, not processes */
	bool of_engine;    /* an option of engines, which run whole models */
};

struct template
{
	enum subject_kind kind;
	char *bench;
	char **words; /* the command before {name} is replaced; NULL with shell */
	char *line;   /* the line for sh -c, with shell */
	struct function *function; /* for functions; see function.h */
	char *list;                /* for kernels and models: name or path of the list */
	struct compute *compute;   /* for kernels and models: the device; see compute.h */
	const char *hook[HOOKS];   /* shell commands, or NULL */
	const char *stdin_path;    /* or NULL */
	struct sweep *sweep;       /* its own sweeps, in addition to the common ones */
	size_t sweeps;
	uint64_t runs; /* 0: from the options */
	char *skipped; /* why it is not run, or NULL */
	bool absent;   /* it is skipped because it does not exist or is broken */
};

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
	struct work *work; /* for kernels and models; see compute.h */
	char *input_shape; /* likewise */
	char *devices;    /* for kernels and models that use only some of the template's; or
	                     NULL */
	char *skipped;    /* why it is not run, or NULL */
	bool unsupported; /* the reason is that the device cannot do it */
	bool absent;      /* it is skipped because it does not exist or is broken */
};

struct templates {
	struct template *item;
	size_t count, cap;
};

/*
 * Adds a command line; with shell it is run by sh -c. Returns 0, or -1 and the message.
 */
int template_add_line(
    struct templates *list, const char *line, bool shell, struct fault *f);
/*
 * Adds a command that is split into words; with shell, a single word is the line, and
 * several words are joined.
 */
void template_add_words(struct templates *list, char *const *words, bool shell);

/*
 * Parses "name=value" of --label. The name is allocated and must not be a reserved
 * column. Returns 0, or -1 and the message.
 */
int label_parse(const char *spec, struct binding *out, struct fault *f);
/*
 * Parses "name=list" of -P. The name must not be a reserved column. Returns 0, or -1
 * and the message.
 */
int sweep_parse(const char *spec, struct sweep *out, struct fault *f);
/* Appends a note if a value, such as 1-2 or a..c, looks like a range but is one value. */
void sweep_note(const struct sweep *s, struct buf *notes);
/*
 * Parses "1,2,4" of -J or -j into a sweep of workers with this name: distinct counts up
 * to WIRE_WORKERS_MAX. If the list lacks 1 and with_one is true, it is added as the first
 * value, because the others are compared with it. Returns 0, or -1 and the message.
 */
int sweep_workers(const char *list, const char *name, bool of_threads, bool with_one,
    struct sweep *out, struct fault *f);
/*
 * Parses "50/s,100/s" of --rate into a sweep with the name "rate", whose values are in
 * requests per second. Returns 0, or -1 and the message.
 */
int sweep_rates(const char *list, struct sweep *out, struct fault *f);
/* Parses "name=value" of --engine-option into a sweep with one value. Returns 0, or -1 and
 * the message. */
int sweep_engine_option(const char *spec, struct sweep *out, struct fault *f);
void sweep_free(struct sweep *s);
/* Appends a sweep to the template, which becomes its owner. */
void template_add_sweep(struct template *t, struct sweep sweep);
/* Appends a sweep with a single value. */
void template_add_factor(
    struct template *t, const char *name, const char *value, bool is_default);
bool template_has_sweep(const struct template *t, const char *name);
/*
 * Copies the bench, list, sweeps, hooks and number of samples, but no parts that belong
 * to a kind.
 */
void template_copy(struct template *to, const struct template *from);
void template_free(struct template *t);
/* Marks a template as absent for this reason; its subjects become skipped rows. */
void template_set_absent(struct template *t, const struct fault *why);

struct subjects {
	struct subject *subject;
	size_t count, cap;
	bool twins; /* each subject exists twice, as a and b (--aa) */
};

/*
 * Adds all combinations of a template with its own sweeps and the common ones. The
 * template and the sweeps must outlive the subjects. Programs are looked up now; a
 * subject whose program is missing or cannot be started is absent. Returns 0, or -1 and
 * the message if a parameter has an invalid value.
 */
int subjects_add(struct subjects *list, const struct template *t,
    const struct sweep *common, size_t commons, struct fault *f);
/* Checks that the columns distinguish all subjects. Returns 0, or -1 and the message. */
int subjects_check(const struct subjects *list, struct fault *f);
void subjects_free(struct subjects *list);
/*
 * Returns the bench and factors as a text to be shown, such as "sort n=1000";
 * allocated.
 */
char *subject_label(const struct subject *s);
/* Marks a subject as absent for this reason. */
void subject_set_absent(struct subject *s, const struct fault *why);

#endif
