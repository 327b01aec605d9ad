/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions and texts that contain paths; see page_text.h.
 */
#include <fnmatch.h>
#include <stdlib.h>

#include "convert/page_text.h"

int page_condition_parse(
    struct page_condition *c, const char *text, struct arena *memory, struct fault *f)
{
	size_t len = strcspn(text, "=");
	const char *path = text;

	*c = (struct page_condition){ .text = arena_text(memory, text_of(text)) };
	if (text[len]) {
		const char *value = text + len + 1;

		c->negated = len && text[len - 1] == '!';
		c->compares = *value == '=';
		if (c->compares && page_path_parse(&c->other, value + 1, memory, f) < 0)
			return -1;
		c->glob = c->compares ? NULL : arena_text(memory, text_of(value));
		path = arena_text(memory, (struct text){ text, len - c->negated });
	} else if (*text == '!') {
		c->negated = true;
		path++;
	}
	return page_path_parse(&c->path, path, memory, f);
}

static int on_any_member(
    void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	(void)ctx;
	(void)name;
	(void)v;
	(void)f;
	return -1;
}

/* Returns whether a value is neither null, false, 0 nor empty. */
static bool value_is_set(const struct json_t *v, struct fault *f)
{
	struct text t;
	double x;

	if (doc_text(v, &t))
		return t.len > 0;
	if (doc_number(v, &x))
		return x != 0;
	return doc_true(v) || doc_length(v) > 0 || doc_each(v, on_any_member, NULL, f) < 0;
}

/* A search for a value that fulfills a condition. */
struct condition_search {
	const struct page_condition *condition;
	const struct page_node *at;
	bool exists; /* also values that are not set */
};

/* Returns 1 if the value fulfills the condition. */
static int on_condition(void *ctx, const struct page_node *node, struct fault *f)
{
	const struct condition_search *s = ctx;
	struct page_path here = { .wants_key = s->condition->path.wants_key };
	struct arena memory = { 0 };
	struct text t, other;
	bool matches;

	if (!s->condition->glob && !s->condition->compares)
		return s->exists || here.wants_key || value_is_set(node->v, f);
	matches = page_path_text(&here, node, &memory, &t);
	if (s->condition->compares)
		matches = matches &&
		          page_path_text(&s->condition->other, s->at, &memory, &other) &&
		          text_equal(t, other);
	else
		matches =
		    matches && fnmatch(s->condition->glob, arena_text(&memory, t), 0) == 0;
	arena_free(&memory);
	return matches;
}

static bool has_value(
    const struct page_condition *c, const struct page_node *at, bool exists)
{
	struct condition_search s = { .condition = c, .at = at, .exists = exists };
	struct fault ignored;

	return (page_path_each(&c->path, at, on_condition, &s, &ignored) == 1) !=
	       c->negated;
}

bool page_condition_holds(const struct page_condition *c, const struct page_node *at)
{
	return has_value(c, at, false);
}

bool page_condition_exists(const struct page_condition *c, const struct page_node *at)
{
	return has_value(c, at, true);
}

/* Adds a piece of a text: a literal, or a path. */
static int add_piece(struct page_text *t, struct text piece, bool is_path,
    struct arena *memory, struct fault *f)
{
	struct page_piece *p = VEC_ADD(t->piece, t->pieces, t->cap);
	const char *text = arena_text(memory, piece);

	*p = (struct page_piece){ .literal = is_path ? NULL : text };
	return is_path ? page_path_parse(&p->path, text, memory, f) : 0;
}

int page_text_parse(
    struct page_text *t, const char *text, struct arena *memory, struct fault *f)
{
	*t = (struct page_text){ .piece = NULL };
	for (const char *rest = text; *rest;) {
		bool is_path = *rest == '{';
		size_t len = strcspn(rest + is_path, is_path ? "}" : "{");

		rest += is_path;
		if (is_path && !rest[len])
			return fault_set(f, "'%s' has a brace that is not closed", text);
		if (add_piece(t, (struct text){ rest, len }, is_path, memory, f) < 0)
			return -1;
		rest += len + is_path;
	}
	return 0;
}

struct text page_text_fill(
    const struct page_text *t, const struct page_node *at, struct arena *memory)
{
	struct buf b = { 0 };
	struct text part = TEXT(""), all;
	bool complete = true;

	for (size_t i = 0; i < t->pieces && complete; i++) {
		const struct page_piece *p = &t->piece[i];

		if (p->literal)
			part = text_of(p->literal);
		else
			complete = page_path_text(&p->path, at, memory, &part);
		if (complete && t->pieces == 1)
			return part;
		buf_text(&b, part);
	}
	all = complete && b.len ? text_of(arena_text(memory, text_in(&b)))
	                        : TEXT("");
	buf_free(&b);
	return all;
}

void page_text_free(struct page_text *t)
{
	free(t->piece);
}
