/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages to people, on standard error: the one place where they are written. Whatever
 * names a message holds, no control character reaches a terminal (display_text_clean()).
 */
#ifndef IO_MESSAGE_H
#define IO_MESSAGE_H

#include "base/base.h"

/* Writes a line that begins with the program's name. */
void message_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Writes such a line and ends the program with this status. */
_Noreturn void message_fail(int status, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
