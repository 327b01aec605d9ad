/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The helper's end of the socket to bench-run; see helper_proto.h. When bench-run is gone,
 * these functions end the process.
 */
#ifndef TOOLS_HELPERS_HELPER_IO_H
#define TOOLS_HELPERS_HELPER_IO_H

#include <stddef.h>

#include "protocol/helper_proto.h"

/* Out of the way of what is measured. */
void helper_io_open(void);
void helper_receive(void *out, size_t size);
void helper_send(const void *bytes, size_t size);
/* The last answer; ends the process. */
_Noreturn void helper_give_up(enum helper_answer_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
