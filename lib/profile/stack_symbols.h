/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts stacks of places to stacks of names. Equal names under equal callers are merged,
 * and the frames with which the C library starts a program or a thread are omitted.
 */
#ifndef PROFILE_STACK_SYMBOLS_H
#define PROFILE_STACK_SYMBOLS_H

#include "profile/maps.h"
#include "profile/stacks.h"
#include "profile/symbolizer.h"

struct stack_symbols {
	struct intern names;
	struct stacks
	    stacks;    /* where is the number of a name; the first frame is the program */
	bool programs; /* there are several programs */
};

/* The object of frames that are names of programs; where is a number for maps_comm_text. */
#define OBJECT_COMM UINT32_MAX

/* Converts the stacks. Names come from the symbolizer. */
void stack_symbols_open(struct stack_symbols *out, const struct stacks *stacks,
    const struct maps *maps, struct symbolizer *symbolizer);
/* Returns whether any stack ends at the node. */
bool stack_symbols_ends(const struct stack_symbols *f, size_t node);
/*
 * Appends the names from the outermost to the innermost, "main;parse;strtod", preceded by
 * the name of the program if program is set.
 */
void stack_symbols_text(
    const struct stack_symbols *f, uint32_t node, bool program, struct buf *out);
/* Returns the name of the program of a stack. */
struct text stack_symbols_program(const struct stack_symbols *f, uint32_t node);
/* Returns a name without its source line. */
struct text stack_symbols_function(struct text name);
/* Returns whether a name is that of a function that starts a program or thread. */
bool stack_symbols_is_start(struct text name);
void stack_symbols_close(struct stack_symbols *f);

#endif
