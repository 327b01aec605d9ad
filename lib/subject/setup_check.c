/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See setup_check.h.
 */
#include <stdlib.h>

#include "base/intern.h"
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

/* Stores everything that distinguishes the executions of a subject from those of others. */
static void make_key(struct buf *b, const struct subject *s)
{
	b->len = 0;
	put_strings(b, s->argv);
	put_strings(b, s->env);
	put_string(b, s->stdin_path);
	put_string(b, s->hook[HOOK_PREPARE]);
	put_string(b, s->hook[HOOK_CONCLUDE]);
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

/* Sets the message about two subjects. Returns -1. */
static int report(const struct subject *a, const struct subject *b, struct fault *f)
{
	const char *name = find_parameter(a, b);

	if (name)
		return fault_set(f,
		    "-P %s: only --setup has {%s}, but each --setup runs before the first "
		    "sample, so that all samples would be of the last value: use {%s} in "
		    "the command too, such as ./prog-{%s}, or in --prepare",
		    name, name, name, name);
	return fault_set(f,
	    "'%s' and '%s' are the same command with different --setup, but each --setup "
	    "runs before the first sample, so that both would measure what the last one "
	    "leaves: let each create its own program, such as ./prog-a and ./prog-b, or "
	    "use --prepare",
	    a->from->bench, b->from->bench);
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

		if (!setup || !subject_has_command(s))
			continue;
		make_key(&key, s);
		size_t number = intern_add(&seen, text_in(&key));
		if (!first[number])
			first[number] = s;
		else if (strcmp(first[number]->hook[HOOK_SETUP], setup) != 0)
			status = report(first[number], s, f);
	}
	free(first);
	intern_free(&seen);
	buf_free(&key);
	return status;
}
