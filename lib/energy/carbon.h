/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much greenhouse gas a kilowatt-hour stands for: a number, or the average of a country
 * from share/energy/carbon.csv (country, alpha3, name, g_per_kwh, year, source, licence).
 */
#ifndef ENERGY_CARBON_H
#define ENERGY_CARBON_H

#include "base/base.h"

/*
 * "344.14", or a country by its code of two or three letters (ISO 3166-1), as g/kWh. csv is
 * the text of the table, which name names in messages. Returns 0 or -1.
 */
int carbon_parse(const char *spec, struct text csv, const char *name, double *g_per_kwh,
    struct fault *f);

#endif
