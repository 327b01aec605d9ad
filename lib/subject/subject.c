/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Combines templates with sweeps; see subject.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "subject/command_hints.h"
#include "subject/compute.h"
#include "subject/function.h"
#include "subject/subject.h"
#include "subject/unmeasurable.h"
#include "sys/program_format.h"
#include "sys/program_path.h"
#include "text/near_name.h"

static char **fill_words(const struct template *t, const struct binding *b, size_t n)
{
	static char *const shell[] = { "/bin/sh", "-c" };
	size_t count = 0;
	char **argv;

	if (t->line) {
		argv = mem_zero(4, sizeof(*argv));
		argv[0] = str_copy(shell[0]);
		argv[1] = str_copy(shell[1]);
		argv[2] = shell_words_fill(t->line, b, n);
		return argv;
	}
	while (t->words[count])
		count++;
	argv = mem_zero(count + 1, sizeof(*argv));
	for (size_t i = 0; i < count; i++)
		argv[i] = shell_words_fill(t->words[i], b, n);
	return argv;
}

/* Returns the variable NAME=VALUE with its value filled in. */
static char *fill_variable(const char *variable, const struct binding *b, size_t n)
{
	const size_t head = strcspn(variable, "=");
	char *value = shell_words_fill(variable + head, b, n),
	     *filled = str_format("%.*s%s", (int)head, variable, value);

	free(value);
	return filled;
}

/*
 * Fills the environment. All variables are set if one may depend on the factors, since the
 * last one of a name counts, and the next subject may have other factors.
 */
static char **fill_env(const struct template *t, const struct binding *b, size_t n)
{
	bool varies = false;
	char **env;

	for (size_t i = 0; i < t->envs; i++)
		varies = varies || strchr(t->env[i] + strcspn(t->env[i], "="), '{');
	if (!varies)
		return NULL;
	env = mem_zero(t->envs + 1, sizeof(*env));
	for (size_t i = 0; i < t->envs; i++)
		env[i] = fill_variable(t->env[i], b, n);
	return env;
}

/*
 * Returns whether --setup or --prepare may still create a missing program: one that a path
 * names.
 */
static bool may_be_created(const struct subject *s)
{
	return (s->from->hook[HOOK_SETUP] || s->from->hook[HOOK_PREPARE]) &&
	       strchr(s->argv[0], '/') && access(s->argv[0], F_OK) < 0 && errno == ENOENT;
}

static void find_program(struct subject *s)
{
	struct fault f, why, message;

	s->argv = fill_words(s->from, s->factor, s->factors);
	if (may_be_created(s)) {
		s->path = str_copy(s->argv[0]);
		return;
	}
	s->path = program_path(s->argv[0], &f);
	if (s->path && program_check_format(s->path, &why) == 0)
		return;
	if (s->path)
		fault_set(&message, "%s: %s", s->path, why.text);
	else
		fault_set(&message, "%s%s", f.text, command_hint_line(s->from->words));
	subject_set_absent(s, &message);
}

bool subject_has_command(const struct subject *s)
{
	return s->from->words || s->from->line;
}

static int add_one(struct subjects *list, const struct template *t, struct binding *b,
    size_t n, const struct subject *counts, struct fault *f)
{
	struct subject *s = VEC_ADD(list->subject, list->count, list->cap);

	*s = (struct subject){ .from = t,
		.factor = b,
		.factors = n,
		.threads = counts->threads,
		.workers = counts->workers,
		.rate = counts->rate,
		.skipped = t->skipped ? str_copy(t->skipped) : NULL,
		.absent = t->absent };
	if (!s->skipped && t->compute && compute_finish(s, f) < 0)
		return -1;
	if (!s->skipped && t->kind == KIND_FUNCTION)
		function_check(s);
	if (!s->skipped && subject_has_command(s))
		find_program(s);
	if (s->skipped)
		return 0;
	if (t->stdin_path)
		s->stdin_path = shell_words_fill(t->stdin_path, b, n);
	s->env = fill_env(t, b, n);
	for (int h = 0; h < HOOKS; h++)
		if (t->hook[h])
			s->hook[h] = shell_words_fill(t->hook[h], b, n);
	return 0;
}

/*
 * Collects the sweeps of a template's subjects: the common ones and its own. Returns
 * their number.
 */
static size_t sweeps_of(const struct template *t, const struct sweep *common,
    size_t commons, const struct sweep **out)
{
	size_t n = 0;

	for (size_t i = 0; i < commons; i++)
		if (t->compute ? compute_takes(t->compute, &common[i])
		               : !(t->list && t->absent))
			out[n++] = &common[i];
	for (size_t i = 0; i < t->sweeps; i++) {
		bool given = false;

		for (size_t j = 0; j < commons; j++)
			given = given || strcmp(common[j].name, t->sweep[i].name) == 0;
		if (!given || !t->sweep[i].is_default)
			out[n++] = &t->sweep[i];
	}
	return n;
}

/* Adds one combination of the sweeps, and its twin. */
static int add_combination(struct subjects *list, const struct template *t,
    const struct sweep *const *sweep, const size_t *at, size_t n, struct fault *f)
{
	static const char aa[] = { 'a', 'b' };

	for (size_t twin = 0; twin < (list->twins ? COUNT(aa) : 1); twin++) {
		struct binding *b = mem_zero(n, sizeof(*b));
		struct subject counts = { .workers = 1, .threads = 1 };

		for (size_t i = 0; i < n; i++) {
			b[i] = (struct binding){ sweep[i]->name, sweep[i]->value[at[i]] };
			if (sweep[i]->of_threads)
				counts.threads = sweep[i]->workers[at[i]];
			else if (sweep[i]->workers)
				counts.workers = sweep[i]->workers[at[i]];
			else if (sweep[i]->rate)
				counts.rate = sweep[i]->rate[at[i]];
		}
		if (add_one(list, t, b, n, &counts, f) < 0)
			return -1;
		if (list->twins)
			list->subject[list->count - 1].aa = aa[twin];
	}
	return 0;
}

int subjects_add(struct subjects *list, const struct template *t,
    const struct sweep *common, size_t commons, struct fault *f)
{
	const struct sweep **sweep = mem_zero(commons + t->sweeps, sizeof(*sweep));
	size_t n = sweeps_of(t, common, commons, sweep), *at = mem_zero(n, sizeof(*at)), i;
	int status = 0;

	do {
		status = add_combination(list, t, sweep, at, n, f);
		/* Go to the next combination; the last parameter changes fastest. */
		for (i = n; i > 0; i--) {
			if (++at[i - 1] < sweep[i - 1]->count)
				break;
			at[i - 1] = 0;
		}
	} while (status == 0 && i > 0);
	free(sweep);
	free(at);
	return status;
}

/* Returns whether all subjects have the same value of a factor of the first one. */
static bool factor_is_shared(const struct subjects *list, const struct binding *factor)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct subject *s = &list->subject[i];
		bool has = false;

		for (size_t k = 0; k < s->factors && !has; k++)
			has = strcmp(s->factor[k].name, factor->name) == 0 &&
			      strcmp(s->factor[k].value, factor->value) == 0;
		if (!has)
			return false;
	}
	return true;
}

/* Returns whether a bench, such as a command line, contains {name}. */
static bool names_factor(const char *bench, const char *name)
{
	char *place = str_format("{%s}", name);
	bool found = strstr(bench, place) != NULL;

	free(place);
	return found;
}

/* Returns the bench, with the values of the factors that it names, and the other factors
 * that are not shared; allocated. */
static char *label_without(const struct subject *s, const struct known_names *shared)
{
	const char *bench = s->from->bench;
	char *filled = shell_words_fill(bench, s->factor, s->factors);
	struct buf b = { 0 };

	buf_str(&b, filled);
	free(filled);
	for (size_t i = 0; i < s->factors; i++)
		if (!known_names_have(shared, text_of(s->factor[i].name)) &&
		    !names_factor(bench, s->factor[i].name))
			buf_printf(&b, " %s=%s", s->factor[i].name, s->factor[i].value);
	return b.ptr;
}

char *subject_label(const struct subject *s)
{
	return label_without(s, &(struct known_names){ 0 });
}

char **subject_labels(const struct subjects *list)
{
	const struct subject *first = list->subject;
	char **label = mem_zero(list->count + 1, sizeof(*label));
	struct known_names shared = { 0 };

	for (size_t i = 0; list->count && i < first->factors; i++)
		if (factor_is_shared(list, &first->factor[i]))
			known_names_add(&shared, text_of(first->factor[i].name));
	for (size_t i = 0; i < list->count; i++)
		label[i] = label_without(&list->subject[i], &shared);
	known_names_free(&shared);
	return label;
}

void subjects_free(struct subjects *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct subject *s = &list->subject[i];

		free(s->factor);
		shell_words_free(s->argv);
		free(s->path);
		free(s->stdin_path);
		shell_words_free(s->env);
		free(s->work);
		free(s->input_shape);
		free(s->devices);
		free(s->skipped);
		for (int h = 0; h < HOOKS; h++)
			free(s->hook[h]);
	}
	free(list->subject);
}
