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

void expand_call(
    struct expansion *e, const struct model_line *l, const struct model_line *def)
{
	struct builder *b = &e->b;
	size_t at = (size_t)(def - e->m->list.line), path = b->path.len;
	size_t frame = b->frame, globals = b->globals, symbols = b->symbols;
	size_t name_frame = e->frame, names = e->names;

	for (int i = 0; i < e->calls; i++)
		if (e->call[i] == at)
			build_fail(b, "the definition calls itself");
	if (e->calls == DEPTH_MAX)
		build_fail(b, "definitions are nested too deeply");
	if (l->ins != def->ins || l->outs > def->outs)
		build_fail(b, "takes %zu values and makes %zu, not %zu and %zu", def->ins,
		    def->outs, l->ins, l->outs);
	for (size_t i = 0; i < l->args; i++)
		if (!model_line_arg(def, l->arg[i].key) &&
		    strcmp(l->arg[i].key, "name") != 0 &&
		    strcmp(l->arg[i].key, "when") != 0)
			build_fail(b, "has no argument '%s'", l->arg[i].key);
	if (b->failed)
		return;
	e->call[e->calls++] = at;
	if (model_line_arg(l, "name")) {
		char *name = build_text(b, arg_text(b, "name"));

		expand_push_path(b, name);
		free(name);
	}
	for (size_t i = 0; i < l->ins; i++) {
		uint32_t value = expand_operand(e, l, i);

		expand_add_name(e, def->in[i], value);
	}
	e->frame = names;
	push_params(e, l, def, symbols);
	expand_lines(e, at + 1, def->end);
	if (b->failed && e->calls == 1) {
		size_t len = strlen(b->fault.text);

		(void)snprintf(b->fault.text + len, sizeof(b->fault.text) - len,
		    " (in %s of %s:%" PRIu64 ")", l->word, l->file, l->number);
	}
	b->line = l;
	uint32_t made[BACKEND_INS];
	for (size_t i = 0; i < l->outs && i < COUNT(made); i++) {
		struct value_name *name =
		    b->failed ? NULL : expand_find_name(e, def->out[i]);

		made[i] = name ? name->value : (uint32_t)GRAPH_NONE;
		if (!name)
			build_fail(b, "the definition does not make '%s'", def->out[i]);
	}
	expand_drop_names(e, names);
	e->frame = name_frame;
	b->symbols = symbols;
	b->frame = frame;
	b->globals = globals;
	expand_pop_path(b, path);
	e->calls--;
	expand_bind_outs(e, l, made, COUNT(made));
}
