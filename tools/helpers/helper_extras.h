/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that a helper tells beside those that each answer has.
 */
#ifndef TOOLS_HELPERS_HELPER_EXTRAS_H
#define TOOLS_HELPERS_HELPER_EXTRAS_H

#include "protocol/helper_proto.h"

/* Adds a number to the next answer: of all (part NULL), or of a part that has a name. The
 * first worker alone may. */
void helper_tell(enum run_metric metric, const char *part, double value);
/* Drops what was added since the last answer. */
void helper_forget_extras(void);
/* Sends an answer, which says how many numbers come after it; helper_send_extras must
 * follow. */
void helper_send_answer(struct helper_answer *a);
void helper_send_extras(void);

#endif
