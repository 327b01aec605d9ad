/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conditions and texts of bench-format-page(5), which contain paths. Pure.
 */
#ifndef CONVERT_PAGE_TEXT_H
#define CONVERT_PAGE_TEXT_H

#include "convert/page_path.h"

/* "PATH", "!PATH", "PATH=GLOB", "PATH!=GLOB", "PATH==PATH" or "PATH!==PATH". */
struct page_condition {
	const char *text; /* the whole condition */
	struct page_path path;
	const char *glob; /* NULL: the condition is that the value is set, or ... */
	bool compares;    /* ... that it is the first value of the other path */
	struct page_path other;
	bool negated;
};

/* Parses a condition, whose memory is in the arena. Returns 0, or -1 and the message. */
int page_condition_parse(
    struct page_condition *c, const char *text, struct arena *memory, struct fault *f);
/* Returns whether the condition holds at a value. A value is set if it is not null, false,
 * 0 or empty. */
bool page_condition_holds(const struct page_condition *c, const struct page_node *at);
/* Returns whether the path has a value, even null, that matches the glob if there is one.
 */
bool page_condition_exists(const struct page_condition *c, const struct page_node *at);

/* A text with paths in braces. */
struct page_text {
	struct page_piece {
		const char *literal; /* NULL: the path */
		struct page_path path;
	} * piece;
	size_t pieces, cap;
};

/* Parses a text, whose memory is in the arena. Returns 0, or -1 and the message. */
int page_text_parse(
    struct page_text *t, const char *text, struct arena *memory, struct fault *f);
/* Replaces the paths. Returns an empty text if one of them has no value. */
struct text page_text_fill(
    const struct page_text *t, const struct page_node *at, struct arena *memory);
/* Frees what is not in the arena. */
void page_text_free(struct page_text *t);

#endif
