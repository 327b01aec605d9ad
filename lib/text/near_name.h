/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Suggestions for mistyped names. Pure.
 */
#ifndef TEXT_NEAR_NAME_H
#define TEXT_NEAR_NAME_H

#include "base/base.h"

/*
 * Returns whether a name is similar to the typed one, ignoring case and pattern characters:
 * up to a third of its letters differ (Levenshtein distance), or it has a part in which up
 * to a quarter of the typed letters differ.
 */
bool near_name(const char *typed, const char *name);

#endif
