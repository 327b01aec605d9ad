/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Templates of subjects: one -c line, the operands, a function of -f, a list of -k or -M on
 * a device, the processes of a --pid, the machine, or a line of a subjects table.
 */
#ifndef SUBJECT_TEMPLATE_H
#define SUBJECT_TEMPLATE_H

#include "subject/sweep.h"

enum subject_kind {
	KIND_COMMAND,
	KIND_FUNCTION,
	KIND_KERNEL,
	KIND_MODEL,
	KIND_PROCESS,
	KIND_MACHINE,
	KIND_GROUP,
	KINDS
};
extern const char *const subject_kinds[KINDS]; /* the names in the column kind */

enum hook { HOOK_SETUP, HOOK_PREPARE, HOOK_CONCLUDE, HOOK_CLEANUP, HOOKS };

struct template
{
	enum subject_kind kind;
	char *bench;
	char **words; /* the command before {name} is replaced; NULL with shell */
	char *line;   /* the line for sh -c, with shell */
	struct function *function; /* for functions; see function.h */
	char *list;                /* for kernels and models: name or path of the list */
	struct compute *compute;   /* for kernels and models: the device; see compute.h */
	struct process_subject *processes; /* for processes; see process_subject.h */
	struct machine_subject *machine;   /* for the machine; see machine_subject.h */
	struct group_subject *group;       /* for control groups; see group_subject.h */
	const char *hook[HOOKS];           /* shell commands, or NULL */
	const char *stdin_path;    /* or NULL */
	const char *const *env;    /* each NAME=VALUE, before {name} is replaced */
	size_t envs;
	struct sweep *sweep;       /* its own sweeps, in addition to the common ones */
	size_t sweeps;
	uint64_t runs; /* 0: from the options */
	char *skipped; /* why it is not run, or NULL */
	bool absent;   /* it is skipped because it does not exist or is broken */
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

/* Gives a template what another one runs: its command, sweeps and number of samples. */
void template_add_command(struct template *t, const struct template *from);

/* Appends a sweep to the template, which becomes its owner. */
void template_add_sweep(struct template *t, struct sweep sweep);
/* Appends a sweep with a single value. */
void template_add_factor(
    struct template *t, const char *name, const char *value, bool is_default);
bool template_has_sweep(const struct template *t, const char *name);
/*
 * Copies the bench, list, sweeps, hooks, environment and number of samples, but no parts
 * that belong to a kind.
 */
void template_copy(struct template *to, const struct template *from);
void template_free(struct template *t);
/* Marks a template as absent for this reason; its subjects become skipped rows. */
void template_set_absent(struct template *t, const struct fault *why);

#endif
