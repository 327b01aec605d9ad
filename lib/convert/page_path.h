/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths to values of a JSON document, as bench-format-page(5) describes them. Pure.
 */
#ifndef CONVERT_PAGE_PATH_H
#define CONVERT_PAGE_PATH_H

#include "base/arena.h"
#include "io/json_doc.h"

/* A value and the values that contain it. */
struct page_node {
	const struct json_t *v;
	const struct page_node *up; /* NULL: it is the document */
	const char *key;            /* its name; NULL: it is in an array, or the document */
	size_t index;               /* its position in an array */
	bool starred;               /* a "*" or "a|b" matches its name or position */
};

/* A part of a path, between slashes. */
struct page_part {
	enum { PART_NAMES, PART_STAR, PART_UP } kind;
	const char **name; /* of PART_NAMES: "a|b|c", up to a NULL */
};

/* A path such as "jobs/0/read"; bench-format-page(5) describes it. */
struct page_path {
	struct page_part *part;
	size_t parts;
	bool from_root; /* else from the value at which it is looked up */
	bool wants_key; /* the name or position of the value, not the value */
};

/* Is called for each value of a path, until a call does not return 0. */
typedef int page_path_fn(void *ctx, const struct page_node *node, struct fault *f);

/* Parses a path, whose memory is in the arena. Returns 0, or -1 and the message. */
int page_path_parse(
    struct page_path *p, const char *text, struct arena *memory, struct fault *f);
/* Returns whether the path has a part "*". */
bool page_path_starred(const struct page_path *p);
/* Calls back for each value of the path, in the order of the document. Returns the result
 * of the last call, or 0 if the path has no value. */
int page_path_each(const struct page_path *p, const struct page_node *from,
    page_path_fn *each, void *ctx, struct fault *f);
/* Sets *out to the first value of the path as a text, which may be in the arena. Returns
 * whether there is one: a text, a number, true or false, or a name. */
bool page_path_text(const struct page_path *p, const struct page_node *from,
    struct arena *memory, struct text *out);
/* Returns the name of a value, or its position, as a text. */
struct text page_node_key(const struct page_node *node, struct arena *memory);

#endif
