/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expands a line that calls a definition: the lines of the definition with the values and
 * parameters of the call; see model_expand_priv.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_args.h"
#include "model/model_expand_priv.h"
#include "text/plural.h"

/* Returns the definition of this name among some lines, or NULL. */
static const struct model_line *definition_in(
    const struct model_list *l, size_t from, size_t to, const char *name)
{
	for (size_t i = from; i < to; i++)
		if (strcmp(l->line[i].word, "def") == 0) {
			const struct model_arg *a = model_line_arg(&l->line[i], "name");

			if (a && strcmp(a->text, name) == 0)
				return &l->line[i];
		}
	return NULL;
}

const struct model_line *expand_find_definition(const struct expansion *e, const char *name)
{
	const struct model *m = e->m;
	const struct model_line *own = definition_in(&m->list, m->from, m->to, name);

	return own ? own : definition_in(&m->list, 0, m->blocks, name);
}

/* Adds the parameters of the definition, with the values of the line or their defaults. A
 * default may use the parameters before it. */
static void push_params(struct expansion *e, const struct model_line *l,
    const struct model_line *def, size_t frame)
{
	struct builder *b = &e->b;
	struct model_symbol_value *given = mem_zero(def->args + 1, sizeof(*given));

	for (size_t i = 0; i < def->args; i++) {
		given[i].name = def->arg[i].key;
		if (!model_line_arg(l, given[i].name))
			continue;
		if (def->arg[i].parts)
			given[i].value = arg_number(b, given[i].name, 0);
		else
			given[i].text = arg_text(b, given[i].name);
	}
	b->globals = e->calls == 1 ? b->symbols : b->globals;
	b->frame = frame;
	b->line = def;
	for (size_t i = 0; i < def->args; i++) {
		bool is_given = model_line_arg(l, given[i].name);

		if (strcmp(given[i].name, "name") == 0)
			continue;
		if (def->arg[i].parts)
			build_push_symbol(b, given[i].name,
			    is_given ? given[i].value : arg_number(b, given[i].name, 0));
		else
			build_push_text(
			    b, given[i].name, is_given ? given[i].text : def->arg[i].text);
	}
	b->line = l;
	free(given);
}

/* The state of a builder and its names outside of a call. */
struct outer_block {
	size_t path, frame, globals, symbols; /* of the builder */
	size_t name_frame, names;             /* of the expansion */
};

static struct outer_block leave_block(const struct expansion *e)
{
	const struct builder *b = &e->b;

	return (struct outer_block){ .path = b->path.len,
		.frame = b->frame,
		.globals = b->globals,
		.symbols = b->symbols,
		.name_frame = e->frame,
		.names = e->names };
}

static void return_to_block(struct expansion *e, const struct outer_block *outer)
{
	struct builder *b = &e->b;

	expand_drop_names(e, outer->names);
	e->frame = outer->name_frame;
	b->symbols = outer->symbols;
	b->frame = outer->frame;
	b->globals = outer->globals;
	expand_pop_path(b, outer->path);
}

/* Fails if a line cannot call the definition, which begins at line `at`. */
static void check_call(struct expansion *e, const struct model_line *l,
    const struct model_line *def, size_t at)
{
	struct builder *b = &e->b;

	for (int i = 0; i < e->calls; i++)
		if (e->call[i] == at)
			build_fail(b, "the definition calls itself");
	if (e->calls == DEPTH_MAX)
		build_fail(b, "definitions are nested too deeply");
	if (l->ins != def->ins || l->outs > def->outs)
		build_fail(b, "takes %zu value%s and makes %zu, not %zu and %zu", def->ins,
		    plural_s(def->ins), def->outs, l->ins, l->outs);
	for (size_t i = 0; i < l->args; i++)
		if (!model_line_arg(def, l->arg[i].key) &&
		    strcmp(l->arg[i].key, "name") != 0 &&
		    strcmp(l->arg[i].key, "when") != 0)
			build_fail(b, "has no argument '%s'", l->arg[i].key);
}

/* Adds the name of a call to the path, and its operands under their names in the
 * definition. */
static void push_operands(
    struct expansion *e, const struct model_line *l, const struct model_line *def)
{
	struct builder *b = &e->b;
	const size_t first = e->names;

	if (model_line_arg(l, "name")) {
		char *name = build_text(b, arg_text(b, "name"));

		expand_push_path(b, name);
		free(name);
	}
	for (size_t i = 0; i < l->ins; i++) {
		uint32_t value = expand_operand(e, l, i);

		expand_add_name(e, def->in[i], value);
	}
	e->frame = first;
}

/* Adds the line of the outermost call to the message about a failure. */
static void note_caller(struct builder *b, const struct model_line *l)
{
	size_t len = strlen(b->fault.text);

	(void)snprintf(b->fault.text + len, sizeof(b->fault.text) - len,
	    " (in %s of %s:%" PRIu64 ")", l->word, l->file, l->number);
}

/* Finds the values that a definition has made for a line. Fails if one is missing. */
static void find_results(struct expansion *e, const struct model_line *l,
    const struct model_line *def, uint32_t made[BACKEND_INS])
{
	for (size_t i = 0; i < l->outs && i < BACKEND_INS; i++) {
		struct value_name *name =
		    e->b.failed ? NULL : expand_find_name(e, def->out[i]);

		made[i] = name ? name->value : (uint32_t)GRAPH_NONE;
		if (!name)
			build_fail(&e->b, "the definition does not make '%s'", def->out[i]);
	}
}

void expand_call(
    struct expansion *e, const struct model_line *l, const struct model_line *def)
{
	const struct outer_block outer = leave_block(e);
	const size_t at = (size_t)(def - e->m->list.line);
	struct builder *b = &e->b;
	uint32_t made[BACKEND_INS];

	check_call(e, l, def, at);
	if (b->failed)
		return;
	e->call[e->calls++] = at;
	push_operands(e, l, def);
	push_params(e, l, def, outer.symbols);
	expand_lines(e, at + 1, def->end);
	if (b->failed && e->calls == 1)
		note_caller(b, l);
	b->line = l;
	find_results(e, l, def, made);
	return_to_block(e, &outer);
	e->calls--;
	expand_bind_outs(e, l, made, BACKEND_INS);
}
