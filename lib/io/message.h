/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages to the user on standard error. All of them are written here. Control characters
 * in a message become visible escapes (display_text_clean()).
 */
#ifndef IO_MESSAGE_H
#define IO_MESSAGE_H

#include "base/base.h"

/* Writes lines that are safe for a terminal and end in a newline, such as a summary. */
void message_lines(struct text lines);
/* Writes a line that begins with the program's name. */
void message_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Writes each of these lines in the same way. */
void message_warn_lines(struct text lines);
/* Writes each line of a buffer in the same way, and frees the buffer. */
void message_warn_buf(struct buf *lines);
/* Writes such a line and ends the program with this status. */
_Noreturn void message_fail(int status, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
