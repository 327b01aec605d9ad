/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the numbers that a helper sends in addition to an answer.
 */
#ifndef TOOLS_HELPERS_HELPER_EXTRAS_H
#define TOOLS_HELPERS_HELPER_EXTRAS_H

#include "protocol/helper_proto.h"

/* Adds a number to the next answer: for a named part, or for the whole if part is NULL.
 * Only the first worker may call it. */
void helper_tell(enum run_metric metric, const char *part, double value);
/* Discards the numbers added since the last answer. */
void helper_forget_extras(void);
/* Sends an answer with the numbers of extras and spans after it; helper_send_extras must
 * follow. */
void helper_send_answer(struct helper_answer *a);
/* Sends the extras, and the spans of helper_spans.h. */
void helper_send_extras(void);

#endif
