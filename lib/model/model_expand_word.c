/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expands a line with a word of operations: finds its operands, names what it makes, and
 * checks the result; see model_expand_priv.h.
 */
#include <stdlib.h>
#include <string.h>

#include "graph/graph_check.h"
#include "graph/graph_count.h"
#include "model/model_args.h"
#include "model/model_expand_priv.h"
#include "text/plural.h"

/* Returns whether a list, separated by spaces, contains a word. */
static bool list_contains(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; (p = strstr(p, word)); p += len)
		if ((p == list || p[-1] == ' ') && (p[len] == ' ' || !p[len]))
			return true;
	return false;
}

void expand_check_args(struct expansion *e, const struct model_line *l, const char *allowed)
{
	for (size_t i = 0; i < l->args; i++)
		if (!list_contains(allowed, l->arg[i].key) &&
		    !list_contains("name when once", l->arg[i].key))
			build_fail(&e->b, "has no argument '%s'", l->arg[i].key);
}

/* Names the line: the path, such as "decoder.3.", and name= or the first name under out. If
 * that reassigns a name, the word is used instead. */
static void name_line(struct expansion *e, const struct model_line *l)
{
	struct builder *b = &e->b;
	const char *given = arg_text(b, "name");
	char *own = build_text(b, given ? given : l->outs ? l->out[0] : l->word);

	if (!given && (strcmp(own, "-") == 0 || (l->ins && expand_find_name(e, own)))) {
		free(own);
		own = str_copy(l->word);
	}
	free(b->name);
	b->name = str_format("%s%s", b->path.ptr ? b->path.ptr : "", own);
	free(own);
}

/* Keeps the results of a line with once=1 as states, and marks its operations to be removed
 * from a step. */
static void keep_once(struct builder *b, size_t first_node)
{
	for (size_t i = first_node; i < b->g->nodes; i++)
		b->once[i] = true;
	for (size_t i = 0; i < COUNT(b->out); i++) {
		if (b->out[i] == GRAPH_NONE)
			continue;
		struct graph_value *base = build_value(b, build_value(b, b->out[i])->of);
		if (base->role != BACKEND_ACTIVATION)
			build_fail(b, "once=: the line makes no new value");
		else if (strcmp(base->name, b->name) != 0)
			build_fail(b,
			    "once=: the name '%s' exists already; give one of the "
			    "lines another name=",
			    b->name);
		base->role = BACKEND_STATE;
	}
}

/* Checks the new operations and counts their work. */
static void check_nodes(struct builder *b, size_t first_node)
{
	for (size_t i = first_node; i < b->g->nodes && !b->failed; i++) {
		struct graph_node *n = &b->g->node[i];
		struct fault why;
		int64_t keys = 0;

		if (graph_check_node(b->g, n, &why) < 0) {
			build_fail(b, "%s", why.text);
			return;
		}
		if (n->op.kind == BACKEND_ATTENTION && n->op.p.attention.cached &&
		    !b->stepping)
			keys = b->g->value[n->in[0]].size[1];
		graph_count_node(b->g, n, keys);
	}
}

void expand_word(
    struct expansion *e, const struct model_line *l, const struct model_word *word)
{
	struct builder *b = &e->b;
	size_t first_node = b->g->nodes;

	expand_check_args(e, l, word->args);
	if (word->least_ins == word->most_ins && l->ins != word->most_ins)
		build_fail(b, "takes %u value%s, not %zu", (unsigned)word->most_ins,
		    plural_s(word->most_ins), l->ins);
	else if (l->ins < word->least_ins || l->ins > word->most_ins)
		build_fail(b, "takes %u to %u values, not %zu", (unsigned)word->least_ins,
		    (unsigned)word->most_ins, l->ins);
	if (l->outs > word->most_outs)
		build_fail(b, "makes at most %u value%s, not %zu",
		    (unsigned)word->most_outs, plural_s(word->most_outs), l->outs);
	for (b->ins = 0; b->ins < l->ins && b->ins < BACKEND_INS; b->ins++) {
		b->in[b->ins] = expand_operand(e, l, b->ins);
		if (b->in[b->ins] == GRAPH_NONE && b->ins < word->least_ins)
			build_fail(b, "operand %zu is required", b->ins + 1);
	}
	b->out[0] = b->out[1] = GRAPH_NONE;
	name_line(e, l);
	if (b->failed)
		return;
	b->word = word->name;
	word->build(b, word);
	check_nodes(b, first_node);
	if (b->generating && arg_flag(b, "once", false) && !b->failed)
		keep_once(b, first_node);
	expand_bind_outs(e, l, b->out, COUNT(b->out));
}
