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
 * Adds the functions that OBJECT[:GLOB] names, each a template with its parameters' default
 * values as sweeps and a factor `object`; benchmark_objects_find() says where the object is
 * looked for. A function that cannot be measured is absent; where there is none, a single
 * absent template says why.
 */
void functions_add(struct templates *list, const char *operand);
/*
 * Fills the one function OBJECT:SYMBOL into a template that has its bench and sweeps
 * already, or only its object's name when it is skipped or absent. -1 and the message when
 * the text is malformed.
 */
int function_fill(struct template *t, const char *subject, struct fault *f);
/* Marks a subject as absent whose items or bytes cannot be computed. */
void function_check(struct subject *s);
/* The value of a formula (NULL: 0) with a subject's parameters. -1 when it has none. */
int function_amount(
    const struct formula *amount, const struct subject *s, double *out, struct fault *f);
void function_free(struct function *fn);

#endif
