/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks up paths; see page_path.h. The nodes on the way to a value are in the frames of the
 * recursion, so that a callback can go up from the value.
 */
#include "convert/page_path.h"
#include "text/units.h"

enum { PARTS_MAX = 16 };

/* Returns the length of a text before this byte. A backslash makes the byte after it part
 * of a name. */
static size_t name_length(const char *t, char end)
{
	size_t len = 0;

	while (t[len] && t[len] != end)
		len += t[len] == '\\' && t[len + 1] ? 2 : 1;
	return len;
}

/* Returns a name without the backslashes that make bytes part of it. */
static const char *plain_name(struct text t, struct arena *memory)
{
	char *name = arena_zero(memory, t.len + 1, 1), *to = name;

	for (size_t i = 0; i < t.len; i++) {
		i += t.ptr[i] == '\\' && i + 1 < t.len;
		*to++ = t.ptr[i];
	}
	return name;
}

/* Parses a part of a path: "*", "..", or names with bars between them. */
static void parse_part(struct page_part *part, struct text t, struct arena *memory)
{
	size_t names = 1;
	const char *name = arena_text(memory, t);

	part->kind = text_is(t, "*") ? PART_STAR : text_is(t, "..") ? PART_UP : PART_NAMES;
	for (size_t i = 0; i < t.len; i++)
		names += t.ptr[i] == '|';
	part->name = arena_zero(memory, names + 1, sizeof(*part->name));
	for (size_t i = 0;; i++) {
		size_t len = name_length(name, '|');

		part->name[i] = plain_name((struct text){ name, len }, memory);
		if (!name[len])
			return;
		name += len + 1;
	}
}

int page_path_parse(
    struct page_path *p, const char *text, struct arena *memory, struct fault *f)
{
	const char *rest = text;

	*p = (struct page_path){ .from_root = *text == '/' };
	p->part = arena_zero(memory, PARTS_MAX, sizeof(*p->part));
	rest += p->from_root;
	if (p->from_root && !*rest)
		return 0;
	for (;;) {
		struct text part = { rest, name_length(rest, '/') };

		if (!part.len)
			return fault_set(f, "the path '%s' has an empty name", text);
		p->wants_key = text_is(part, "@") && !rest[part.len];
		if (!p->wants_key && !text_is(part, ".")) {
			if (p->parts == PARTS_MAX)
				return fault_set(f, "the path '%s' has more than %d names",
				    text, PARTS_MAX);
			parse_part(&p->part[p->parts++], part, memory);
		}
		if (!rest[part.len])
			return 0;
		rest += part.len + 1;
	}
}

bool page_path_starred(const struct page_path *p)
{
	for (size_t i = 0; i < p->parts; i++)
		if (p->part[i].kind == PART_STAR)
			return true;
	return false;
}

/* A lookup in progress. */
struct path_walk {
	const struct page_path *path;
	page_path_fn *each;
	void *ctx;
};

static int walk_path(
    const struct path_walk *w, size_t part, const struct page_node *at, struct fault *f);

/* The members of an object, which "*" matches. */
struct path_star {
	const struct path_walk *walk;
	size_t part;
	const struct page_node *up;
	int status;
};

static int on_starred(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	struct path_star *star = ctx;
	struct page_node node = {
		.v = v, .up = star->up, .key = name.ptr, .starred = true
	};

	star->status = walk_path(star->walk, star->part + 1, &node, f);
	return star->status ? -1 : 0;
}

static int walk_star(
    const struct path_walk *w, size_t part, const struct page_node *at, struct fault *f)
{
	struct path_star star = { .walk = w, .part = part, .up = at };

	for (size_t i = 0; i < doc_length(at->v) && !star.status; i++) {
		struct page_node node = {
			.v = doc_item(at->v, i), .up = at, .index = i, .starred = true
		};

		star.status = walk_path(w, part + 1, &node, f);
	}
	if (!doc_is_array(at->v))
		doc_each(at->v, on_starred, &star, f);
	return star.status;
}

/* Sets the node to the member of this name, or to the item at this position. Returns
 * whether there is one. */
static bool find_named(struct page_node *node, const struct page_node *at, const char *name)
{
	int64_t position;

	node->up = at;
	if (!doc_is_array(at->v)) {
		node->key = name;
		node->v = doc_member(at->v, name);
		return node->v != NULL;
	}
	if (!integer_parse(text_of(name), &position) || position < 0)
		return false;
	node->index = (size_t)position;
	node->v = doc_item(at->v, node->index);
	return node->v != NULL;
}

static int walk_path(
    const struct path_walk *w, size_t part, const struct page_node *at, struct fault *f)
{
	const struct page_part *p;
	int status = 0;

	if (part == w->path->parts)
		return w->each(w->ctx, at, f);
	p = &w->path->part[part];
	if (p->kind == PART_STAR)
		return walk_star(w, part, at, f);
	if (p->kind == PART_UP)
		return at->up ? walk_path(w, part + 1, at->up, f) : 0;
	for (size_t i = 0; p->name[i] && !status; i++) {
		struct page_node node = { .starred = p->name[1] != NULL };

		if (find_named(&node, at, p->name[i]))
			status = walk_path(w, part + 1, &node, f);
	}
	return status;
}

int page_path_each(const struct page_path *p, const struct page_node *from,
    page_path_fn *each, void *ctx, struct fault *f)
{
	struct path_walk walk = { .path = p, .each = each, .ctx = ctx };

	while (p->from_root && from->up)
		from = from->up;
	return walk_path(&walk, 0, from, f);
}

struct text page_node_key(const struct page_node *node, struct arena *memory)
{
	if (node->key)
		return text_of(node->key);
	return text_of(arena_format(memory, "%zu", node->index));
}

/* Stores the text of a value. Returns false if the value has none. */
static bool value_text(const struct json_t *v, struct arena *memory, struct text *out)
{
	char text[NUMBER_TEXT_MAX];
	double x;

	if (doc_text(v, out))
		return true;
	if (doc_number(v, &x)) {
		size_t len = number_print(text, x);

		*out = text_of(arena_text(memory, (struct text){ text, len }));
		return true;
	}
	if (!doc_is_truth(v))
		return false;
	*out = doc_true(v) ? TEXT("true") : TEXT("false");
	return true;
}

/* A search for the text of a path. */
struct path_text {
	bool wants_key;
	struct arena *memory;
	struct text text;
};

/* Returns 1 if the value has a text. */
static int on_text(void *ctx, const struct page_node *node, struct fault *f)
{
	struct path_text *t = ctx;

	(void)f;
	if (t->wants_key) {
		t->text = page_node_key(node, t->memory);
		return 1;
	}
	return value_text(node->v, t->memory, &t->text);
}

bool page_path_text(const struct page_path *p, const struct page_node *from,
    struct arena *memory, struct text *out)
{
	struct path_text t = { .wants_key = p->wants_key, .memory = memory };
	struct fault ignored;

	if (page_path_each(p, from, on_text, &t, &ignored) != 1)
		return false;
	*out = t.text;
	return true;
}
