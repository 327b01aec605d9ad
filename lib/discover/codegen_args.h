/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a stub passes to its function. Pure.
 *
 * DWARF does not tell how much of a buffer a function touches, so what is passed is chosen
 * to stay inside: a buffer has n elements, an integer that counts is n, and every other
 * integer beside a buffer is 1, so that no product of them is beyond it.
 */
#ifndef DISCOVER_CODEGEN_ARGS_H
#define DISCOVER_CODEGEN_ARGS_H

#include "elf/signature.h"

struct codegen_args {
	/* Of each parameter; allocated. */
	enum codegen_role {
		ROLE_VALUE,
		ROLE_SIZE,
		ROLE_ONE,
		ROLE_TEXT,
		ROLE_BUFFER
	} *
	    role;
	bool buffers; /* there are some, so there is a parameter n */
	bool sizes;  /* it is told how much of them to work on; of a text it may read little
	              */
	bool writes; /* into a buffer, perhaps */
};

/*
 * Of the integers between two pointers the first that counts is n, all others are 1. Where
 * none is told to count, by its name or its type, the first one right behind a buffer does.
 */
struct codegen_args codegen_args_of(const struct signature *s);
bool codegen_is_pointer(const struct type_link *type);
bool codegen_is_identifier(const char *name); /* also of NULL */

#endif
