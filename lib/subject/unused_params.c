/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds parameters without any effect; see unused_params.h.
 */
#include <stdlib.h>
#include <string.h>

#include "subject/compute.h"
#include "subject/function.h"
#include "subject/unused_params.h"
#include "text/near_name.h"

static bool uses(const char *text, const char *parameter)
{
	return text && strstr(text, parameter);
}

/* Returns whether the values of a sweep make a difference to the subjects of a template. */
static bool template_uses(const struct template *t, const struct sweep *sweep)
{
	char *parameter = str_format("{%s}", sweep->name);
	bool found = t->absent || uses(t->line, parameter) ||
	             uses(t->stdin_path, parameter) || function_takes(t, sweep->name) ||
	             (t->compute && compute_takes(t->compute, sweep));

	for (size_t i = 0; t->words && t->words[i]; i++)
		found = found || uses(t->words[i], parameter);
	for (int h = 0; h < HOOKS; h++)
		found = found || uses(t->hook[h], parameter);
	for (size_t i = 0; i < t->envs; i++)
		found = found || uses(strchr(t->env[i], '='), parameter);
	free(parameter);
	return found;
}

/* Adds the parameters in a formula; NULL: none. */
static void add_formula(struct known_names *known, const struct formula *formula)
{
	for (size_t i = 0; formula && i < formula_names(formula); i++)
		known_names_add_once(known, text_of(formula_name(formula, i)));
}

/* Adds the parameters of the functions. */
static void add_functions(struct known_names *known, const struct templates *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct template *t = &list->item[i];

		if (!t->function)
			continue;
		for (size_t k = 0; k < t->sweeps; k++)
			if (t->sweep[k].is_default)
				known_names_add_once(known, text_of(t->sweep[k].name));
		add_formula(known, t->function->items);
		add_formula(known, t->function->bytes);
	}
}

static size_t count_kind(const struct templates *list, enum subject_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += list->item[i].kind == kind;
	return count;
}

/* Returns whether nothing is executed. */
static bool runs_already(const struct templates *list)
{
	const struct template *t = &list->item[0];

	return (t->kind == KIND_PROCESS || t->kind == KIND_MACHINE ||
	           t->kind == KIND_GROUP) &&
	       !t->words && !t->line;
}

/* Appends how to set a variable of the environment, if a parameter has the name of one. */
static void put_variable(struct buf *notes, const char *name)
{
	size_t len = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	if (len > 1 && !name[len])
		buf_printf(notes, "; to set the environment variable, add --env %s={%s}",
		    name, name);
	buf_byte(notes, '\n');
}

/* Appends the note about a parameter that nothing uses. */
static void note_unused(const struct templates *list, const char *name, struct buf *notes)
{
	struct known_names known = { 0 };
	struct fault f;

	if (!count_kind(list, KIND_FUNCTION)) {
		buf_printf(notes,
		    "-P %s: no command has {%s}, so its values change nothing", name, name);
		put_variable(notes, name);
		return;
	}
	add_functions(&known, list);
	unknown_name(&f,
	    count_kind(list, KIND_COMMAND) ? "-P: no command or function has a parameter"
	                                   : "-P: no function declares a parameter",
	    text_of(name), &known);
	buf_str(notes, f.text);
	put_variable(notes, name);
}

void unused_params_note(const struct templates *list, const struct sweep *sweep,
    size_t sweeps, struct buf *notes)
{
	if (runs_already(list))
		return; /* these options are errors */
	for (size_t i = 0; i < sweeps; i++) {
		bool used = sweep[i].workers || sweep[i].rate || sweep[i].of_engine;

		for (size_t k = 0; k < list->count && !used; k++)
			used = template_uses(&list->item[k], &sweep[i]);
		if (!used)
			note_unused(list, sweep[i].name, notes);
	}
}
