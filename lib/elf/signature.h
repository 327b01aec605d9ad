/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a function takes and gives, as debug information tells it, and how C spells its
 * types. Pure.
 */
#ifndef ELF_SIGNATURE_H
#define ELF_SIGNATURE_H

#include "base/base.h"

/*
 * A type is a chain of links from the outside in: "const unsigned char *" is a pointer, a
 * const, and an unsigned integer of one byte. The first four lead on; all others end it.
 */
enum link_kind {
	LINK_POINTER,
	LINK_CONST,
	LINK_TYPEDEF,
	LINK_ENUM, /* goes on with the integer that holds it */
	LINK_VOID,
	LINK_BOOL,
	LINK_SIGNED,
	LINK_UNSIGNED,
	LINK_REAL,
	LINK_STRUCT,
	LINK_UNION,
	LINK_ARRAY,
	LINK_FUNCTION,
	LINK_OTHER, /* what C has no scalar for, or is not found */
};

struct type_link {
	enum link_kind kind;
	const char *name; /* NULL: it has none */
	unsigned bytes;   /* of what ends a chain; 0: not known */
};

struct parameter {
	const char *name; /* or NULL */
	struct type_link *type;
	int64_t *value; /* enumerators, some, when its type is or leads to an enumeration */
	size_t values;
};

struct signature {
	const char *name; /* that of the symbol */
	uint64_t address; /* 0: not known */
	struct type_link *returns;
	struct parameter *parameter;
	size_t parameters;
	bool is_variadic, no_return;
	bool old_style; /* defined without a prototype: float, char and short are widened */
};

/* Zero it to begin. The names belong to whom it was filled by. */
struct signatures {
	struct signature *item;
	size_t count, cap;
};

/* Order by name, so that signatures_find works. */
void signatures_finish(struct signatures *s);
/* By name, or else (an alias, a version) by address; NULL when there is none. */
const struct signature *signatures_find(
    const struct signatures *s, const char *name, uint64_t address);
void signatures_free(struct signatures *s);

/* What the type is behind typedefs and qualifiers; an enumeration leads to its integer. */
const struct type_link *type_core(const struct type_link *type);
/* For a pointer: what it points to, and whether that is const. */
const struct type_link *type_target(const struct type_link *type, bool *is_const);
bool type_is_integer(const struct type_link *type); /* an enumeration is not one */
bool type_is_enum(const struct type_link *type);
bool type_is_size(const struct type_link *type); /* size_t, by whatever other names */
bool type_is_text(const struct type_link *type); /* char, signed as the machine has it */
/*
 * Puts the C spelling of a scalar or of void, without qualifiers: its own words where they
 * are those of C, a name of <stddef.h> or <stdint.h>, or one of those by its width. Returns
 * false when it is nothing of the kind.
 */
bool type_spell(struct buf *out, const struct type_link *type);
/* In words, with an article: "a pointer to struct point". */
void type_describe(struct buf *out, const struct type_link *type);

#endif
