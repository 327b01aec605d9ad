/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the metadata that bench.h writes into the section .benchutils of an object. There
 *is one string for each benchmark:
 *
 *	bench1<TAB>loop|call<TAB>SYMBOL<TAB>FILE<TAB>LINE<TAB>key=value key=value ...<NUL>
 *
 * Any number of NULs may separate two strings. Nothing is trusted, because an object may
 *contain anything there. Pure.
 */
#ifndef DISCOVER_META_H
#define DISCOVER_META_H

#include "base/base.h"

enum { META_MAX = 16384 }; /* the longest entry, in bytes */

struct meta_entry {
	bool loop; /* contains the measured loop; otherwise each call is an iteration */
	struct text symbol; /* empty if unknown */
	struct text file;
	uint64_t line;
	struct text text;  /* key=value, separated by spaces */
	const char *wrong; /* the fault of the entry, or NULL */
};

/* Takes the first entry off the bytes of a section. Returns false if none is left. */
bool meta_next(struct text *section, struct meta_entry *out);

/*
 * Takes the first key=value off a string. Returns false if none is left. A word without an
 * equals sign is a key whose value.ptr is NULL.
 */
bool meta_word(struct text *text, struct text *key, struct text *value);
/* Returns the value of a key ("category", "items", "bytes", "setup", "teardown"), or "". */
struct text meta_find(struct text text, const char *key);
/* Takes the first param.NAME=LIST off a string, skipping other words. Returns false if none
 * is left. */
bool meta_param(struct text *text, struct text *name, struct text *list);

/* Returns 0, or -1 and a message if a word is invalid. Unknown keys are valid. */
int meta_check(struct text text, struct fault *f);

#endif
