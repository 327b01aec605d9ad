/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions for text that programs print for people.
 */
#ifndef CONSOLE_CONSOLE_TEXT_H
#define CONSOLE_CONSOLE_TEXT_H

#include "convert/from.h"

/* Returns a line as a terminal shows it: without colors, and without the text that is
 * overwritten after a carriage return. */
struct text console_plain(struct arena *texts, struct text line);

#endif
