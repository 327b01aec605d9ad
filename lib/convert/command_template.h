/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the command lines with {name} in them from which commands with parameters were
 * made. A command alone does not say where its parameter is: "sort -k 1 file1" may be
 * "sort -k {n} file1", "sort -k 1 file{n}" or "sort -k {n} file{n}" with n = 1. So all of
 * them are candidates, and the one that most commands of the file share is chosen.
 */
#ifndef CONVERT_COMMAND_TEMPLATE_H
#define CONVERT_COMMAND_TEMPLATE_H

#include "base/intern.h"

struct command_parameter {
	struct text name, value;
};

/* Zero it to begin. */
struct command_templates {
	struct intern commands;   /* with the values of their parameters */
	struct intern candidates; /* for templates */
	size_t *uses;             /* by candidate: commands that have it */
	size_t count, cap;
};

/* Adds the candidates for the template of a command; none if the values of its parameters
 * occur in too many places. */
void command_templates_add(struct command_templates *t, struct text command,
    const struct command_parameter *parameter, size_t parameters);
/*
 * Appends the candidate of a command that most commands share, of several the one with the
 * most parameters. Appends the command itself if no two commands share a candidate.
 */
void command_templates_find(const struct command_templates *t, struct text command,
    const struct command_parameter *parameter, size_t parameters, struct buf *out);
void command_templates_free(struct command_templates *t);

#endif
