/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that somebody may have meant. Pure.
 */
#ifndef TEXT_NEAR_NAME_H
#define TEXT_NEAR_NAME_H

#include "base/base.h"

/*
 * Returns whether a name is near to what was typed, in any case and without the characters
 * of patterns: up to a third of its letters differ (Levenshtein's distance), or it has a
 * part in which up to a quarter of those typed differ.
 */
bool near_name(const char *typed, const char *name);

#endif
