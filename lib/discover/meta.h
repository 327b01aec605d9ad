/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bench.h writes into the section .benchutils of an object: a text for each benchmark,
 *
 *	bench1<TAB>loop|call<TAB>SYMBOL<TAB>FILE<TAB>LINE<TAB>key=value key=value ...<NUL>
 *
 * with any number of NULs between two of them. Nothing is trusted: an object may hold
 * anything there. Pure.
 */
#ifndef DISCOVER_META_H
#define DISCOVER_META_H

#include "base/base.h"

enum { META_MAX = 16384 }; /* the longest entry, in bytes */

struct meta_entry {
	bool loop; /* it has a measured loop of its own; otherwise each call is an iteration
	            */
	struct text symbol; /* empty when it cannot be told */
	struct text file;
	uint64_t line;
	struct text text;  /* key=value, separated by spaces */
	const char *wrong; /* what is wrong with the entry, or NULL */
};

/* Takes the first entry off the bytes of a section. Returns false when there is none left.
 */
bool meta_next(struct text *section, struct meta_entry *out);

/*
 * Takes the first key=value off a text. Returns false when there is none left. A word
 * without an equals sign is all key; its value's ptr is NULL.
 */
bool meta_word(struct text *text, struct text *key, struct text *value);
/* Returns the value of a key ("category", "items", "bytes", "setup", "teardown"), or empty.
 */
struct text meta_find(struct text text, const char *key);
/* Takes the first param.NAME=LIST off a text, passing over other words. Returns false when
 * there is none left. */
bool meta_param(struct text *text, struct text *name, struct text *list);

/* Returns 0, or -1 and the message when a word is none that can be used; unknown keys may
 * be. */
int meta_check(struct text text, struct fault *f);

#endif
