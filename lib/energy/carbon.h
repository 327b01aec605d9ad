/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Carbon intensity of electricity: a number, or the average of a country from
 * share/energy/carbon.csv (country, alpha3, name, g_per_kwh, year, source, licence).
 */
#ifndef ENERGY_CARBON_H
#define ENERGY_CARBON_H

#include "base/base.h"

/*
 * Parses a carbon intensity in g/kWh: a number such as "344.14", or the code of a country
 * with two or three letters (ISO 3166-1). csv is the text of the table; name is its name in
 * messages. Returns 0 or -1.
 */
int carbon_parse(const char *spec, struct text csv, const char *name, double *g_per_kwh,
    struct fault *f);

#endif
