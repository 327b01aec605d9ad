/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the arguments that a generated benchmark passes to its function. Pure.
 *
 * DWARF does not contain how much of a buffer a function accesses, so the arguments are
 * chosen to stay inside: a buffer has n elements, one integer that is a count is n, and
 * every other integer of a function with a buffer is 1, so that no product of integers
 * exceeds n.
 */
#ifndef DISCOVER_CODEGEN_ARGS_H
#define DISCOVER_CODEGEN_ARGS_H

#include "elf/signature.h"

struct codegen_args {
	/* Role of each parameter; allocated. */
	enum codegen_role {
		ROLE_VALUE,
		ROLE_SIZE,
		ROLE_ONE,
		ROLE_TEXT,
		ROLE_BUFFER
	} *
	    role;
	bool buffers; /* there is a buffer, and therefore a parameter n */
	bool sizes;   /* an argument is the size of a buffer */
	bool writes;  /* the function may write to a buffer */
};

/*
 * Chooses the roles of the parameters. Of the integers between two pointers, the first that
 * is a count is n; all others are 1. If no integer is a count by its name or type, an
 * integer that directly follows a buffer is a count. Free role.
 */
struct codegen_args codegen_args_of(const struct signature *s);
/* Returns whether a type, without typedefs and qualifiers, is a pointer. */
bool codegen_is_pointer(const struct type_link *type);
/* Returns whether a name, which may be NULL, is an identifier of C. */
bool codegen_is_identifier(const char *name);

#endif
