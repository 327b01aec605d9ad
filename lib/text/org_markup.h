/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text inside tables of Org mode. Org has no escape character. Text with markup is written
 * between "=" or "~", where it is literal, and "|" as the entity \vert{}. Pure.
 */
#ifndef TEXT_ORG_MARKUP_H
#define TEXT_ORG_MARKUP_H

#include "base/base.h"

/*
 * Appends a text for a cell of a table, so that Org shows it literally. Control characters
 * and invalid UTF-8 become visible escapes (display_text_clean).
 */
void org_text(struct buf *b, struct text t);

#endif
