/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generates the C text of a benchmark of one function from its signature. Pure.
 */
#ifndef DISCOVER_CODEGEN_STUB_H
#define DISCOVER_CODEGEN_STUB_H

#include "elf/signature.h"

/*
 * Appends the reason why no benchmark can be generated for a function. Returns false if one
 * can. The signature is NULL if it is unknown.
 */
bool codegen_stub_refusal(struct buf *why, const char *name, const struct signature *s);
/* Helper functions of the generated benchmarks, written once after the includes. */
extern const char codegen_stub_helpers[];
/* Appends the benchmark of a function that codegen_stub_refusal accepts. */
void codegen_stub_write(
    struct buf *out, const char *name, const struct signature *s, const char *category);
/* Appends a name for use in a comment: characters that could end the comment are replaced.
 */
void codegen_stub_put_name(struct buf *out, const char *name);

#endif
