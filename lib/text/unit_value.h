/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of a metric as people write them, with a unit: "5ms", "20MiB", "1.5k". Pure.
 */
#ifndef TEXT_UNIT_VALUE_H
#define TEXT_UNIT_VALUE_H

#include "base/base.h"

/*
 * Parses a value of a metric that has this unit, into that unit. A duration must have a
 * unit of time unless it is 0. A size may have one. Any other value is a number with an
 * optional prefix k, M or G and an optional name of the unit ("/s" for "1/s"); of unit "1"
 * or none it may be a percentage. Returns 0, or -1 and a message that contains the text.
 */
int unit_value_parse(const char *s, const char *unit, double *out, struct fault *f);

#endif
