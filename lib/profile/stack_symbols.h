/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks of places become stacks of names: equal names under equal callers are one, and the
 * frames through which the C library starts a program or a thread are left out.
 */
#ifndef PROFILE_STACK_SYMBOLS_H
#define PROFILE_STACK_SYMBOLS_H

#include "profile/maps.h"
#include "profile/stacks.h"
#include "profile/symbolizer.h"

struct stack_symbols {
	struct intern names;
	struct stacks stacks; /* where is a name; the first frame is the program's */
	bool programs;        /* there are several */
};

/* The object of the frames that are names of programs; where is for maps_comm_text. */
#define OBJECT_COMM UINT32_MAX

void stack_symbols_open(struct stack_symbols *out, const struct stacks *stacks,
    const struct maps *maps, struct symbolizer *symbolizer);
/* Returns whether any stack ends at the node. */
bool stack_symbols_ends(const struct stack_symbols *f, size_t node);
/* The names from the outermost on, "main;parse;strtod", the program's before if asked for.
 */
void stack_symbols_text(
    const struct stack_symbols *f, uint32_t node, bool program, struct buf *out);
struct text stack_symbols_program(const struct stack_symbols *f, uint32_t node);
/* A name without the line of source that may stand behind it. */
struct text stack_symbols_function(struct text name);
/* Returns whether it is one of the functions that a program or thread begins with. */
bool stack_symbols_is_start(struct text name);
void stack_symbols_close(struct stack_symbols *f);

#endif
