/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The helper's end of the socket to bench-run; see helper_proto.h. These functions end the
 * process if bench-run has ended.
 */
#ifndef TOOLS_HELPERS_HELPER_IO_H
#define TOOLS_HELPERS_HELPER_IO_H

#include <stddef.h>

#include "protocol/helper_proto.h"

/* Moves the socket to a descriptor that does not disturb the measured code. */
void helper_io_open(void);
/* Receives exactly this many bytes. */
void helper_receive(void *out, size_t size);
/* Sends all bytes. */
void helper_send(const void *bytes, size_t size);
/* Sends a last answer with a message, and ends the process. */
_Noreturn void helper_give_up(enum helper_answer_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns zeroed memory for at least one element, or gives up. */
void *helper_zero(size_t count, size_t size);

#endif
