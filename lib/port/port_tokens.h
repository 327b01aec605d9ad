/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads sequences of tokens from text: one sequence per line, its ids separated by blanks.
 * Pure.
 */
#ifndef PORT_PORT_TOKENS_H
#define PORT_PORT_TOKENS_H

#include "base/base.h"

/* Sequences of tokens. Zero it to begin. */
struct port_tokens {
	double *id;
	size_t ids, id_cap;
	size_t *end; /* by sequence: the number of ids up to its end */
	size_t sequences, end_cap;
};

/* Appends the sequences of a string; lines without ids are left out. Ids must be whole
 * numbers from 0 to `below` - 1. `rows` is the number of rows of the table that they select
 * from, or 0 if it is unknown. Returns 0, or -1 and the message, which has the line. */
int port_tokens_add(
    struct port_tokens *t, struct text text, double below, double rows, struct fault *f);
void port_tokens_free(struct port_tokens *t);
/* Returns the ids of a sequence, and stores their number. */
const double *port_tokens_of(const struct port_tokens *t, size_t sequence, size_t *count);

#endif
