/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of frames in a stack, whose frames a semicolon separates.
 */
#ifndef CONVERT_STACK_NAMES_H
#define CONVERT_STACK_NAMES_H

#include "base/base.h"

/* Appends the name of a function, with a colon for each semicolon. */
void stack_put_function(struct buf *out, struct text name);
/* Appends the frame of a function without a name, as in the stacks of bench-prof: its
 * object without the directory, "[libc.so.6]", "[vdso]" or "[jit]"; "[unknown]" if the
 * object is empty. */
void stack_put_object(struct buf *out, struct text object);

#endif
