/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values as Python's repr() writes them, which is how airspeed velocity keeps parameters:
 * a string in quotes, everything else without. Pure.
 */
#ifndef TEXT_PYTHON_TEXT_H
#define TEXT_PYTHON_TEXT_H

#include "base/arena.h"
#include "base/intern.h"

/*
 * Returns the text between the quotes of a repr, with its escapes resolved. Returns the
 * repr itself if it has no quotes, nothing between them, or an escape other than \\ \'
 * \" \n \r \t.
 */
struct text python_plain(struct arena *texts, struct text repr);
/*
 * Appends the repr of a value whose text alone is known: what looks like a number,
 * None, True, False or something in brackets is written without quotes. A value that
 * already is in quotes keeps them if python_plain() does not resolve them, or if what they
 * enclose looks like that and is among the other values. Nothing is appended for "".
 */
void python_put_repr(struct buf *out, struct text value, const struct intern *others);

#endif
