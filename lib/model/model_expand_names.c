/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Maps names to values while a list is expanded; see model_expand_priv.h.
 */
#include <stdlib.h>
#include <string.h>

#include "model/model_args.h"
#include "model/model_expand_priv.h"

struct value_name *expand_find_name(struct expansion *e, const char *text)
{
	for (size_t i = e->names; i-- > e->frame;)
		if (strcmp(e->name[i].text, text) == 0)
			return &e->name[i];
	return NULL;
}

void expand_add_name(struct expansion *e, const char *text, uint32_t value)
{
	*VEC_ADD(e->name, e->names, e->name_cap) =
	    (struct value_name){ str_copy(text), value };
}

/* Assigns a value to a name of the current block. */
static void bind_name(struct expansion *e, const char *text, uint32_t value)
{
	struct value_name *have = expand_find_name(e, text);

	if (have)
		have->value = value;
	else
		expand_add_name(e, text, value);
}

void expand_drop_names(struct expansion *e, size_t keep)
{
	while (e->names > keep)
		free(e->name[--e->names].text);
}

void expand_bind_outs(
    struct expansion *e, const struct model_line *l, const uint32_t *value, size_t count)
{
	for (size_t i = 0; i < l->outs && i < count && !e->b.failed; i++) {
		char *text = build_text(&e->b, l->out[i]);

		if (strcmp(text, "-") != 0)
			bind_name(e, text, value[i]);
		free(text);
	}
}

uint32_t expand_operand(struct expansion *e, const struct model_line *l, size_t i)
{
	char *text = build_text(&e->b, l->in[i]);
	struct value_name *name = expand_find_name(e, text);

	if (!name && strcmp(text, "-") != 0)
		build_fail(&e->b, "there is no value '%s'", text);
	free(text);
	return name ? name->value : (uint32_t)GRAPH_NONE;
}

void expand_push_path(struct builder *b, const char *name)
{
	buf_str(&b->path, name);
	buf_byte(&b->path, '.');
}

void expand_pop_path(struct builder *b, size_t len)
{
	b->path.len = len;
	if (b->path.ptr)
		b->path.ptr[len] = '\0';
}
