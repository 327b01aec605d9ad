/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function of a shared object as a subject: its location and its metadata.
 */
#ifndef SUBJECT_FUNCTION_H
#define SUBJECT_FUNCTION_H

#include "protocol/helper_proto.h"
#include "subject/subject.h"
#include "text/formula.h"

struct function {
	char *object; /* contains a slash, as dlopen requires */
	char *symbol;
	char *set_up, *tear_down; /* symbols; NULL: none */
	enum function_kind kind;
	struct formula *items,
	    *bytes; /* per iteration, computed from the parameters; or NULL */
};

/*
 * Adds the functions that OBJECT[:GLOB] selects, each a template with its parameters'
 * default values as sweeps and a factor `object`; benchmark_objects_find() looks up the
 * object. A function that cannot be measured is absent; if there is no function, a
 * single absent template contains the reason.
 */
void functions_add(struct templates *list, const char *operand);
/*
 * Fills the function OBJECT:SYMBOL into a template that already has its bench and
 * sweeps; a skipped or absent template gets only its object's name. Returns 0, or -1
 * and the message if the text is malformed.
 */
int function_fill(struct template *t, const char *subject, struct fault *f);
/* Returns whether a template is a function that declares a parameter, or computes its work
 * from it. */
bool function_takes(const struct template *t, const char *name);
/* Marks a subject as absent if its items or bytes cannot be computed. */
void function_check(struct subject *s);
/*
 * Computes a formula (NULL: 0) with a subject's parameters. Returns 0, or -1 and the
 * message if it has no value.
 */
int function_amount(
    const struct formula *amount, const struct subject *s, double *out, struct fault *f);

#endif
