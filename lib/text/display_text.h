/*
 * Text inside pictures: cleaned of control characters, and shortened so that labels neither
 * overlap nor become equal. Pure.
 */
#ifndef LABEL_H
#define LABEL_H

#include "base/base.h"

/*
 * Appends a text to be shown: control characters, broken UTF-8 and characters that turn the
 * direction of writing become visible escapes, so that no name can drive a terminal.
 */
void text_clean(struct buf *b, struct text t);

/*
 * Append a text that may be shown: control characters and broken UTF-8 become visible
 * escapes; without utf8 every other character outside ASCII becomes '?'.
 */
void label_clean(struct buf *b, struct text t, bool utf8);

/*
 * Shorten texts to at most width columns (8 at least), in place of the allocated ones.
 * What is left out shows as an ellipsis; texts that differ still differ: where leaving out
 * the middle would make two equal, what all have in common at the start goes first, and as
 * a last resort they are numbered.
 */
void labels_fit(char **label, size_t count, size_t width, bool utf8);

/*
 * Break a list of parts, joined by ", ", into lines of at most width columns. Returns
 * how many of the max lines were used; the last one ends in an ellipsis if parts are left.
 * The lines are allocated.
 */
size_t label_wrap(
    char *const *part, size_t count, size_t width, bool utf8, char **line, size_t max);

#endif
