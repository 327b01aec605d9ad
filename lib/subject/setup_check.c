/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks --setup for equal subjects; see setup_check.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "subject/compute.h"
#include "subject/function.h"
#include "subject/setup_check.h"

/* Appends a string, or another sign for NULL. */
static void put_string(struct buf *b, const char *s)
{
	buf_byte(b, s ? '+' : '-');
	if (s)
		buf_put(b, s, strlen(s) + 1);
}

static void put_strings(struct buf *b, char *const *list)
{
	for (size_t i = 0; list && list[i]; i++)
		put_string(b, list[i]);
	put_string(b, NULL);
}

/* Appends the values of the parameters on which a function, kernel or model depends. */
static void put_factors(struct buf *b, const struct subject *s)
{
	for (size_t i = 0; i < s->factors; i++)
		if (s->from->compute || function_takes(s->from, s->factor[i].name)) {
			put_string(b, s->factor[i].name);
			put_string(b, s->factor[i].value);
		}
}

/* Stores everything that distinguishes the executions of a subject from those of others.
 * Returns false if nothing is started for it. */
static bool make_key(struct buf *b, const struct subject *s)
{
	const struct function *function = s->from->function;
	const struct compute *compute = s->from->compute;

	b->len = 0;
	put_strings(b, s->argv);
	put_strings(b, s->env);
	put_string(b, s->stdin_path);
	put_string(b, s->hook[HOOK_PREPARE]);
	put_string(b, s->hook[HOOK_CONCLUDE]);
	put_string(b, function ? function->object : NULL);
	put_string(b, function ? function->symbol : NULL);
	put_string(b, compute ? compute->list : NULL);
	put_string(b, compute ? compute->backend : NULL);
	if (compute)
		buf_put(b, compute->device, compute->devices * sizeof(*compute->device));
	put_factors(b, s);
	return subject_has_command(s) || function || compute;
}

/* Returns a parameter that has different values in two subjects and is used by the --setup
 * of their template; NULL: there is none. */
static const char *find_parameter(const struct subject *a, const struct subject *b)
{
	for (size_t i = 0; a->from == b->from && i < a->factors; i++) {
		char *parameter = str_format("{%s}", a->factor[i].name);
		bool found = strcmp(a->factor[i].value, b->factor[i].value) != 0 &&
		             strstr(a->from->hook[HOOK_SETUP], parameter);

		free(parameter);
		if (found)
			return a->factor[i].name;
	}
	return NULL;
}

/* Appends what can be done about subjects that only a parameter of --setup distinguishes.
 */
static void put_use(struct buf *b, const struct subject *s, const char *name)
{
	if (subject_has_command(s))
		buf_printf(b,
		    "use {%s} in the command too, such as ./prog-{%s}, or in --prepare",
		    name, name);
	else
		buf_printf(b,
		    "use {%s} in --env too, or measure each value in a run of its own",
		    name);
}

static const char *noun_of(const struct subject *s)
{
	return s->from->function   ? "function"
	       : !s->from->compute ? "command"
	                           : subject_kinds[s->from->kind];
}

/* Returns what can be done about equal subjects with different --setup. */
static const char *remedy_for(const struct subject *s)
{
	if (s->from->function)
		return "let each create its own object, such as ./a.so and ./b.so, or "
		       "measure "
		       "them in two runs";
	return s->from->compute ? "measure them in two runs"
	                        : "let each create its own program, such as ./prog-a and "
	                          "./prog-b, or use --prepare";
}

/* Sets the message about two subjects. Returns -1. */
static int blame_setups(const struct subject *a, const struct subject *b, struct fault *f)
{
	const char *name = find_parameter(a, b);
	struct buf use = { 0 };

	if (!name)
		return fault_set(f,
		    "'%s' and '%s' are the same %s with different --setup, but each "
		    "--setup runs before the first sample, so that both would measure what "
		    "the last one leaves: %s",
		    a->from->bench, b->from->bench, noun_of(a), remedy_for(a));
	put_use(&use, a, name);
	fault_set(f,
	    "-P %s: only --setup has {%s}, but each --setup runs before the first sample, "
	    "so that all samples would be of the last value: %s",
	    name, name, use.ptr);
	buf_free(&use);
	return -1;
}

int setup_check(const struct subjects *list, struct fault *f)
{
	struct intern seen = { 0 };
	struct buf key = { 0 };
	const struct subject **first = mem_zero(list->count, sizeof(*first));
	int status = 0;

	for (size_t i = 0; i < list->count && status == 0; i++) {
		const struct subject *s = &list->subject[i];
		const char *setup = s->hook[HOOK_SETUP];

		if (!setup || !make_key(&key, s))
			continue;
		size_t number = intern_add(&seen, text_in(&key));
		if (!first[number])
			first[number] = s;
		else if (strcmp(first[number]->hook[HOOK_SETUP], setup) != 0)
			status = blame_setups(first[number], s, f);
	}
	free(first);
	intern_free(&seen);
	buf_free(&key);
	return status;
}
