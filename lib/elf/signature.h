/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signatures of functions from debug information, and the C spelling of their types. Pure.
 */
#ifndef ELF_SIGNATURE_H
#define ELF_SIGNATURE_H

#include "base/base.h"

/*
 * A type is a chain of links from the outside in: "const unsigned char *" is a pointer, a
 * const, and an unsigned integer of one byte. The first four kinds are followed by another
 * link; all others end the chain.
 */
enum link_kind {
	LINK_POINTER,
	LINK_CONST,
	LINK_TYPEDEF,
	LINK_ENUM, /* followed by the integer that stores it */
	LINK_VOID,
	LINK_BOOL,
	LINK_SIGNED,
	LINK_UNSIGNED,
	LINK_REAL,
	LINK_STRUCT,
	LINK_UNION,
	LINK_ARRAY,
	LINK_FUNCTION,
	LINK_OTHER, /* a type that C does not have, or that is unknown */
};

struct type_link {
	enum link_kind kind;
	const char *name; /* NULL if it has none */
	unsigned bytes;   /* size of the link that ends a chain; 0: unknown */
};

struct parameter {
	const char *name; /* or NULL */
	struct type_link *type;
	int64_t *value; /* some enumerators if the type is, or points to, an enumeration */
	size_t values;
};

struct signature {
	const char *name; /* name of the symbol */
	uint64_t address; /* 0: unknown */
	struct type_link *returns;
	struct parameter *parameter;
	size_t parameters;
	bool is_variadic, no_return;
	bool old_style; /* defined without a prototype: float, char and short are widened */
};

/* Initialize with zeros. The names belong to the module that adds the signatures. */
struct signatures {
	struct signature *item;
	size_t count, cap;
};

/* Sorts the signatures by name. Must be called before signatures_find. */
void signatures_finish(struct signatures *s);
/*
 * Finds a signature by name, or else by address (an alias or a version). Returns NULL if
 * there is none.
 */
const struct signature *signatures_find(
    const struct signatures *s, const char *name, uint64_t address);
void signatures_free(struct signatures *s);

/* Returns the type without typedefs and qualifiers; of an enumeration, its integer. */
const struct type_link *type_core(const struct type_link *type);
/* Returns the type to which a pointer points, and whether that type is const. */
const struct type_link *type_target(const struct type_link *type, bool *is_const);
/* Returns whether the type is an integer and not an enumeration. */
bool type_is_integer(const struct type_link *type);
bool type_is_enum(const struct type_link *type);
/* Returns whether the type is size_t or a typedef of size_t. */
bool type_is_size(const struct type_link *type);
/* Returns whether the type is plain char. */
bool type_is_text(const struct type_link *type);
/*
 * Appends the C spelling of a scalar or of void, without qualifiers: its name if that is a
 * name of C, <stddef.h> or <stdint.h>, or else such a name of the same width. Returns false
 * for any other type.
 */
bool type_spell(struct buf *out, const struct type_link *type);
/* Appends a description with an article: "a pointer to struct point". */
void type_describe(struct buf *out, const struct type_link *type);

#endif
