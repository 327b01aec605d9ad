/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses grams of CO2 equivalent per kilowatt-hour; see carbon.h.
 */
#include <ctype.h>

#include "energy/carbon.h"
#include "io/csv_table.h"
#include "text/units.h"

enum { COUNTRY, ALPHA3, NAME, G_PER_KWH, YEAR, SOURCE, LICENCE, FIELDS };
static const char *const columns[FIELDS] = { "country", "alpha3", "name", "g_per_kwh",
	"year", "source", "licence" };

static bool same_code(struct text a, struct text b)
{
	bool same = a.len == b.len;

	for (size_t i = 0; same && i < a.len; i++)
		same = toupper((unsigned char)a.ptr[i]) == toupper((unsigned char)b.ptr[i]);
	return same;
}

struct search {
	struct text code;
	double *g_per_kwh;
	bool found;
};

static int take_row(
    struct search *s, const struct csv_table *g, const size_t at[FIELDS], struct fault *f)
{
	if (csv_table_expect(g, FIELDS, f) < 0)
		return -1;
	if (!same_code(csv_table_field(g, at[COUNTRY]), s->code) &&
	    !same_code(csv_table_field(g, at[ALPHA3]), s->code))
		return 0;
	if (!number_parse(csv_table_field(g, at[G_PER_KWH]), s->g_per_kwh) ||
	    *s->g_per_kwh < 0)
		return csv_table_fault(g, f, "g_per_kwh is not a number");
	s->found = true;
	return 0;
}

int carbon_parse(
    const char *spec, struct text csv, const char *name, double *g_per_kwh, struct fault *f)
{
	struct search s = { .code = text_of(spec), .g_per_kwh = g_per_kwh };
	struct csv_table g = { 0 };
	size_t at[FIELDS];
	int status;

	if (number_parse(s.code, g_per_kwh))
		return *g_per_kwh >= 0 ? 0 : fault_set(f, "'%s' is negative", spec);
	status = csv_table_open(&g, csv, name, f);
	if (status == 0)
		status = csv_table_expect(&g, FIELDS, f);
	if (status == 0)
		status = csv_table_require(&g, columns, FIELDS, at, f);
	while (status == 0 && (status = csv_table_next(&g, f)) > 0)
		status = take_row(&s, &g, at, f);
	csv_table_free(&g);
	if (status == 0 && !s.found)
		return fault_set(f,
		    "'%s' is neither a number of grams per kWh nor the code of a country, "
		    "such as DE, in %s",
		    spec, name);
	return status;
}
