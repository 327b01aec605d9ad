/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The benchmark of one function as C text: what it is called with, made of its signature.
 * Pure.
 */
#ifndef DISCOVER_CODEGEN_STUB_H
#define DISCOVER_CODEGEN_STUB_H

#include "elf/signature.h"

/*
 * Why no stub can be made of a function, in words that follow "needs a hand: "; false when
 * one can. NULL: nothing tells its signature.
 */
bool codegen_stub_refusal(struct buf *why, const char *name, const struct signature *s);
/* The helpers that stubs use, once a file, behind its includes. */
extern const char codegen_stub_helpers[];
/* The stub of a function that is not refused. */
void codegen_stub_write(
    struct buf *out, const char *name, const struct signature *s, const char *category);
/* Names as they may stand in a comment: what could end it is replaced. */
void codegen_stub_put_name(struct buf *out, const char *name);

#endif
