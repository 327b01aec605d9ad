/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What units.c and units_list.c share. Pure.
 */
#ifndef TEXT_UNITS_PRIV_H
#define TEXT_UNITS_PRIV_H

#include "text/units.h"

/* Parses a number at the start of s, and sets *rest to the text after it. */
bool leading_number(const char *s, double *out, const char **rest);

#endif
