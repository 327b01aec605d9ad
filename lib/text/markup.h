/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text inside XML, HTML, Markdown and AsciiDoc. */
#ifndef TEXT_MARKUP_H
#define TEXT_MARKUP_H

#include "base/base.h"

/*
 * Appends a string for use as text or in a quoted attribute of XML or HTML: control
 * characters and invalid UTF-8 become visible escapes (display_text_label), and characters
 * with a meaning in markup become entities.
 */
void markup_text(struct buf *b, struct text t);
/*
 * Appends a name inside a sentence of HTML. A name that is written from right to left does
 * not change the order of the numbers after it.
 */
void markup_name(struct buf *b, struct text t);
/*
 * Appends a string so that Markdown shows it literally, including in a table: every
 * character that could be markup becomes a character reference.
 */
void markdown_text(struct buf *b, struct text t);
/*
 * Appends a text so that AsciiDoc shows it literally, including in a table: every character
 * that could be markup becomes a character reference.
 */
void asciidoc_text(struct buf *b, struct text t);

#endif
