/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns options into templates, and templates into subjects; see subject_options.h.
 */
#include <stdlib.h>
#include <string.h>

#include "subject/command_hints.h"
#include "subject/compute.h"
#include "subject/function.h"
#include "subject/group_subject.h"
#include "subject/machine_subject.h"
#include "subject/process_subject.h"
#include "subject/setup_check.h"
#include "subject/subject_file.h"
#include "subject/subject_options.h"
#include "subject/unused_params.h"
#include "text/plural.h"

static const char *const hook_names[HOOKS] = { "setup", "prepare", "conclude", "cleanup" };

/*
 * Returns the next of several names separated by commas; NULL and the message if it is
 * empty.
 */
static char *next_name(const char **rest, struct fault *f)
{
	size_t len = strcspn(*rest, ",");
	char *name = mem_text(*rest, len);

	if (!len) {
		fault_set(f, "'%s' contains an empty name", *rest);
		free(name);
		return NULL;
	}
	*rest = (*rest)[len] ? *rest + len + 1 : NULL;
	return name;
}

static int add_lists(struct templates *list, enum subject_kind kind,
    const struct opt_list *named, struct fault *f)
{
	for (size_t i = 0; i < named->count; i++)
		for (const char *rest = named->item[i]; rest;) {
			char *name = next_name(&rest, f);

			if (!name)
				return -1;
			computes_add(list, kind, name);
			free(name);
		}
	return 0;
}

/* Checks that no option names subjects, because there is a command after the options. Users
 * of other programs may expect another meaning of a letter, so the message has the names.
 * Returns 0, or -1 and the message. */
static int check_alone(const struct subject_opts *o, struct fault *f)
{
	const struct {
		const struct opt_list *list;
		const char *option;
	} lists[] = {
		{ o->lines, "-c (--command)" },
		{ o->functions, "-f (--function)" },
		{ o->kernels, "-k (--kernel)" },
		{ o->models, "-M (--model)" },
		{ o->tables, "-I (--subjects)" },
	};

	for (size_t i = 0; i < COUNT(lists); i++)
		if (lists[i].list->count)
			return fault_set(f,
			    "%s '%s' names what to measure, and cannot be combined with "
			    "the command '%s' after the options",
			    lists[i].option, lists[i].list->item[0], *o->operands);
	return 0;
}

/* An option that names what runs already, and is measured in windows of time. */
struct running_option {
	const char *option; /* and what it does */
	bool given;
	/* Adds its subjects. Returns 0, or -1 and the message. */
	int (*add)(struct templates *list, const struct subject_opts *o,
	    const struct window_length *length, struct fault *f);
};

static int add_processes(struct templates *list, const struct subject_opts *o,
    const struct window_length *length, struct fault *f)
{
	for (size_t i = 0; i < o->processes->count; i++)
		if (process_template_add(list, o->processes->item[i], length, f) < 0)
			return -1;
	return 0;
}

static int add_machine(struct templates *list, const struct subject_opts *o,
    const struct window_length *length, struct fault *f)
{
	return machine_template_add(list, &o->machine_opts, length, f);
}

static int add_groups(struct templates *list, const struct subject_opts *o,
    const struct window_length *length, struct fault *f)
{
	for (size_t i = 0; i < o->groups->count; i++)
		if (group_template_add(list, o->groups->item[i], length, f) < 0)
			return -1;
	return 0;
}

/* Returns the first subject of a list that is no command; NULL: there is none. */
static const struct template *find_other(const struct templates *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->item[i].kind != KIND_COMMAND)
			return &list->item[i];
	return NULL;
}

/* Replaces commands by what an option names, measured during each of them; without
 * commands, in windows of a fixed length. Returns 0, or -1 and the message. */
static int add_running(struct templates *list, const struct running_option *option,
    const struct subject_opts *o, struct fault *f)
{
	struct templates commands = *list;
	const struct template *other = find_other(list);
	int status = 0;

	if (other)
		return fault_set(f,
		    "%s, alone or while a command runs, and cannot be combined with '%s'",
		    option->option, other->bench);
	*list = (struct templates){ 0 };
	for (size_t i = 0; i < (commands.count ? commands.count : 1) && status == 0; i++)
		status = option->add(list, o,
		    &(struct window_length){
		        o->window_ns, commands.count ? &commands.item[i] : NULL },
		    f);
	for (size_t i = 0; i < commands.count; i++)
		template_free(&commands.item[i]);
	free(commands.item);
	return status;
}

/* Adds what runs already. Returns 0, or -1 and the message. */
static int add_all_running(
    struct templates *list, const struct subject_opts *o, struct fault *f)
{
	const struct running_option options[] = {
		{ "--pid measures running processes", o->processes->count > 0,
		    add_processes },
		{ "-a measures the whole machine", o->machine, add_machine },
		{ "--cgroup measures control groups", o->groups->count > 0, add_groups },
	};

	if (o->machine_opts.per && !o->machine)
		return fault_set(f, "--per requires -a (--all-cpus)");
	for (size_t i = 0; i < COUNT(options); i++)
		if (options[i].given && add_running(list, &options[i], o, f) < 0)
			return -1;
	return 0;
}

static int read_templates(
    struct selection *s, const struct subject_opts *o, struct fault *f)
{
	struct templates *list = &s->templates;

	if (*o->operands && check_alone(o, f) < 0)
		return -1;
	for (size_t i = 0; i < o->lines->count; i++)
		if (template_add_line(list, o->lines->item[i], o->shell, f) < 0)
			return -1;
	for (size_t i = 0; i < o->functions->count; i++)
		functions_add(list, o->functions->item[i]);
	if (add_lists(list, KIND_KERNEL, o->kernels, f) < 0 ||
	    add_lists(list, KIND_MODEL, o->models, f) < 0)
		return -1;
	for (size_t i = 0; i < o->tables->count; i++)
		if (subject_file_read(o->tables->item[i], list, f) < 0)
			return -1;
	if (*o->operands)
		template_add_words(list, o->operands, o->shell);
	if (add_all_running(list, o, f) < 0)
		return -1;
	if (!list->count && o->tables->count)
		return fault_set(f,
		    "%s: the table has no subjects, so there is nothing to measure",
		    o->tables->item[0]);
	return list->count
	           ? 0
		   : fault_set(f, "nothing to measure: give a command, or use -c, -f, -k, "
	                          "-M, -I, --pid, -G or -a (see bench-run --help)");
}

/*
 * Gives names, hooks and standard input to the templates. Names apply in the order of
 * the templates; a hook given once applies to all.
 */
static int apply_to_templates(
    struct selection *s, const struct subject_opts *o, struct fault *f)
{
	size_t count = s->templates.count;

	if (o->names->count > count)
		return fault_set(f,
		    "-n is given %zu times, but there %s only %zu subject%s to name",
		    o->names->count, plural(count, "is", "are"), count, plural_s(count));
	for (int h = 0; h < HOOKS; h++)
		if (o->hooks[h]->count > 1 && o->hooks[h]->count != count)
			return fault_set(f,
			    "--%s is given %zu times for %zu commands: give it once, or "
			    "once for each",
			    hook_names[h], o->hooks[h]->count, count);
	for (size_t i = 0; i < count; i++) {
		struct template *t = &s->templates.item[i];

		if (i < o->names->count) {
			free(t->bench);
			t->bench = str_copy(o->names->item[i]);
		}
		for (int h = 0; h < HOOKS; h++)
			if (o->hooks[h]->count)
				t->hook[h] =
				    o->hooks[h]->item[o->hooks[h]->count > 1 ? i : 0];
		t->stdin_path = o->stdin_path;
		t->env = o->env->item;
		t->envs = o->env->count;
	}
	return 0;
}

/*
 * Returns whether there are kernels or models, whose factor `threads` belongs to their
 * device.
 */
static bool has_computes(const struct selection *s)
{
	for (size_t i = 0; i < s->templates.count; i++)
		if (s->templates.item[i].list)
			return true;
	return false;
}

/* Assigns devices to kernels and models. */
static int assign_devices(
    struct selection *s, const struct subject_opts *o, struct fault *f)
{
	char **backend = NULL;
	size_t backends = 0, cap = 0;
	int status = 0;

	for (size_t i = 0; i < o->backends->count && status == 0; i++)
		for (const char *rest = o->backends->item[i]; rest && status == 0;) {
			char *name = next_name(&rest, f);

			if (name)
				*VEC_ADD(backend, backends, cap) = name;
			else
				status = -1;
		}
	if (status == 0)
		status = computes_resolve(&s->templates,
		    &(struct compute_resolve_opts){ .backend = backend,
		        .backends = backends,
		        .sweep = s->sweep,
		        .sweeps = &s->sweeps,
		        .input = (char *const *)o->inputs->item,
		        .inputs = o->inputs->count,
		        .progress = o->progress,
		        .ctx = o->ctx },
		    &s->notes, f);
	for (size_t i = 0; i < backends; i++)
		free(backend[i]);
	free(backend);
	return status;
}

static int read_factors(struct selection *s, const struct subject_opts *o, struct fault *f)
{
	s->sweep =
	    mem_zero(o->sweeps->count + o->engine_options->count + 3, sizeof(*s->sweep));
	for (; s->sweeps < o->sweeps->count; s->sweeps++) {
		struct sweep *sweep = &s->sweep[s->sweeps];

		if (sweep_parse(o->sweeps->item[s->sweeps], sweep, f) < 0)
			return fault_prefix(f, "-P");
		sweep_note(sweep, &s->notes);
	}
	for (size_t i = 0; i < o->engine_options->count; i++)
		if (sweep_engine_option(
		        o->engine_options->item[i], &s->sweep[s->sweeps++], f) < 0)
			return fault_prefix(f, "--engine-option");
	if (o->workers) {
		if (sweep_workers(o->workers, "workers", false, !o->load,
		        &s->sweep[s->sweeps], f) < 0)
			return fault_prefix(f, "-J");
		s->sweeps++;
	}
	if (o->threads) {
		if (sweep_workers(o->threads, has_computes(s) ? "workers" : "threads", true,
		        !o->load, &s->sweep[s->sweeps], f) < 0)
			return fault_prefix(f, "-j");
		s->sweeps++;
	}
	if (o->rates) {
		if (sweep_rates(o->rates, &s->sweep[s->sweeps], f) < 0)
			return fault_prefix(f, "--rate");
		s->sweeps++;
	}
	s->label = mem_zero(o->labels->count, sizeof(*s->label));
	for (; s->labels < o->labels->count; s->labels++)
		if (label_parse(o->labels->item[s->labels], &s->label[s->labels], f) < 0)
			return fault_prefix(f, "--label");
	return 0;
}

/* Returns the name of the i-th column that labels and the subject's factors need. */
static const char *column_name(
    const struct selection *s, const struct subject *subject, size_t i)
{
	return i < s->labels ? s->label[i].name : subject->factor[i - s->labels].name;
}

/* Returns a name that two columns of a subject have; NULL if there is none. */
static const char *repeated_column(const struct selection *s, const struct subject *subject)
{
	for (size_t i = 1; i < s->labels + subject->factors; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(column_name(s, subject, i),
			        column_name(s, subject, j)) == 0)
				return column_name(s, subject, i);
	return NULL;
}

static int check_columns(const struct selection *s, struct fault *f)
{
	for (size_t i = 0; i < s->subjects.count; i++) {
		const char *name = repeated_column(s, &s->subjects.subject[i]);

		if (name)
			return fault_set(
			    f, "two labels or parameters are named '%s'", name);
	}
	return 0;
}

/* Notes commands and parameters that may not do what was meant. */
static void note_doubts(struct selection *s, const struct subject_opts *o)
{
	bool noted = o->shell;

	for (size_t i = 0; i < o->lines->count && !noted; i++)
		noted = command_hint_shell(o->lines->item[i], &s->notes);
	unused_params_note(&s->templates, s->sweep, s->sweeps, &s->notes);
}

int selection_read(struct selection *s, const struct subject_opts *options, struct fault *f)
{
	s->subjects.twins = options->twins;
	if (read_templates(s, options, f) < 0 || apply_to_templates(s, options, f) < 0 ||
	    read_factors(s, options, f) < 0 || assign_devices(s, options, f) < 0)
		return -1;
	note_doubts(s, options);
	for (size_t i = 0; i < s->templates.count; i++)
		if (subjects_add(
		        &s->subjects, &s->templates.item[i], s->sweep, s->sweeps, f) < 0)
			return -1;
	return check_columns(s, f) < 0 || subjects_check(&s->subjects, f) < 0 ||
	               setup_check(&s->subjects, f) < 0
	           ? -1
		   : 0;
}

void selection_free(struct selection *s)
{
	subjects_free(&s->subjects);
	for (size_t i = 0; i < s->templates.count; i++)
		template_free(&s->templates.item[i]);
	free(s->templates.item);
	for (size_t i = 0; i < s->sweeps; i++)
		sweep_free(&s->sweep[i]);
	free(s->sweep);
	for (size_t i = 0; i < s->labels; i++)
		free((char *)s->label[i].name);
	free(s->label);
	buf_free(&s->notes);
}
