/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the spans of a timeline, which a helper sends with its next answer. Only the
 * first worker may call these functions. They do nothing unless spans are wanted.
 */
#ifndef TOOLS_HELPERS_HELPER_SPANS_H
#define TOOLS_HELPERS_HELPER_SPANS_H

#include <stdbool.h>

#include "protocol/helper_proto.h"

/* Sets whether spans are wanted. */
void helper_spans_want(bool wanted);
/* Adds a span. */
void helper_spans_add(const struct helper_span *s);
/* Adds a phase that began at a time of CLOCK_MONOTONIC and took this long. `part` is NULL
 * if the phase has no parts. */
void helper_spans_phase(const char *name, const char *part, int64_t start_ns, double ns);
/* Adds the generation of a token; token 1 includes the prompt. */
void helper_spans_token(uint64_t token, int64_t start_ns, int64_t end_ns);

/* Returns the number of collected spans. */
uint32_t helper_spans_count(void);
/* Sends the collected spans, and forgets them. */
void helper_spans_send(void);

#endif
