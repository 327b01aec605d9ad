/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds a model in a list, and reads its name and symbols; see model_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "model/model_args.h"
#include "model/model_build.h"
#include "model/model_priv.h"

/* Returns whether a line begins a list. */
static bool begins_list(const struct model_line *l)
{
	return strcmp(l->word, "model") == 0 || strcmp(l->word, "kernel") == 0;
}

/* Stores the symbols of the model with their defaults. Returns 0, or -1 and the message. */
static int learn_symbols(struct model *m, struct fault *f)
{
	struct builder b = { 0 };
	int status = 0;

	for (size_t i = m->from; i < m->to && status == 0; i++) {
		const struct model_line *l = &m->list.line[i];
		double value;

		if (strcmp(l->word, "symbol") != 0)
			continue;
		b.line = l;
		if (l->outs != 1)
			build_fail(&b, "needs one name under out");
		else if (!model_line_arg(l, "value"))
			build_fail(&b, "needs the argument value=");
		else if (build_symbol(&b, l->out[0], &value) ||
		         strcmp(l->out[0], "step") == 0)
			build_fail(&b, "the symbol '%s' exists already", l->out[0]);
		else {
			value = arg_number(&b, "value", 0);
			build_push_symbol(&b, l->out[0], value);
			*VEC_ADD(m->symbol, m->symbols, m->symbol_cap) =
			    (struct model_symbol){ l->out[0], value, NULL };
			if (strcmp(l->out[0], "new_tokens") == 0)
				m->generates = true;
		}
		if (b.failed)
			status = model_line_fault(l, f, b.fault.text);
	}
	build_free(&b);
	return status;
}

int model_learn(struct model *m, const char *first_word, const char *name, struct fault *f)
{
	const struct model_list *l = &m->list;
	size_t i = m->blocks;

	if (i < l->count && !begins_list(&l->line[i]))
		return model_line_fault(
		    &l->line[i], f, "a list must begin with model or kernel");
	while (i < l->count &&
	       !(strcmp(l->line[i].word, first_word) == 0 && l->line[i].outs == 1 &&
	           (!name || strcmp(l->line[i].out[0], name) == 0)))
		i++;
	if (i == l->count)
		return fault_set(f, "%s: the file has no %s%s%s", m->path[1], first_word,
		    name ? " " : "", name ? name : "");
	m->from = i + 1;
	m->name = l->line[i].out[0];
	m->summary = l->line[i].note;
	const struct model_arg *arch = model_line_arg(&l->line[i], "arch");
	m->arch = arch ? arch->text : "";
	for (m->to = m->from; m->to < l->count && !begins_list(&l->line[m->to]);)
		m->to++;
	return learn_symbols(m, f);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **model_list_names(const struct model_list *l, const char *first_word)
{
	char **name = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->line[i].word, first_word) == 0 && l->line[i].outs == 1)
			*VEC_ADD(name, count, cap) = str_copy(l->line[i].out[0]);
	if (count)
		qsort(name, count, sizeof(*name), by_name);
	*VEC_ADD(name, count, cap) = NULL;
	return name;
}
