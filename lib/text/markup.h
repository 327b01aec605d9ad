/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text inside XML, HTML and Markdown. */
#ifndef TEXT_MARKUP_H
#define TEXT_MARKUP_H

#include "base/base.h"

/*
 * Appends a text so that it is text wherever markup has text or a quoted attribute: control
 * characters and broken UTF-8 become visible escapes (display_text_label), and what means
 * something to markup an entity.
 */
void markup_text(struct buf *b, struct text t);
/*
 * Appends a text so that Markdown shows it literally, including in a table: every character
 * that could be markup becomes a character reference.
 */
void markdown_text(struct buf *b, struct text t);

#endif
