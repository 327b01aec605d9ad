/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function of a shared object as a subject: where it is, and what its metadata says.
 */
#ifndef SUBJECT_FUNCTION_H
#define SUBJECT_FUNCTION_H

#include "protocol/helper_proto.h"
#include "subject/subject.h"
#include "text/formula.h"

struct function {
	char *object; /* with a slash in it, as dlopen wants it */
	char *symbol;
	char *set_up, *tear_down; /* symbols; NULL: none */
	enum function_kind kind;
	struct formula *items, *bytes; /* of an iteration, over the parameters; or NULL */
};

/*
 * The functions that OBJECT[:GLOB] names, each a template with its parameters' default
 * values as sweeps and a factor `object`; one that cannot be measured is skipped. An object
 * without a slash that is not in this folder is looked for in the library directory. -1 and
 * the message when there is none that can be measured.
 */
int functions_add(struct templates *list, const char *operand, struct fault *f);
/*
 * The one function OBJECT:SYMBOL, into a template that has its bench and sweeps already;
 * only its object's name when it is to be skipped.
 */
int function_fill(struct template *t, const char *subject, struct fault *f);
/* The value of a formula (NULL: 0) with a subject's parameters. -1 when it has none. */
int function_amount(
    const struct formula *amount, const struct subject *s, double *out, struct fault *f);
void function_free(struct function *fn);

#endif
