/*
 * Grams of CO2 equivalent per kilowatt-hour; see carbon.h.
 */
#include <ctype.h>

#include "energy/carbon.h"
#include "io/csv_reader.h"
#include "text/units.h"

enum { COUNTRY, ALPHA3, NAME, G_PER_KWH, YEAR, SOURCE, LICENCE, FIELDS };

struct search {
	const char *name;
	struct text code;
	double *g_per_kwh;
	bool header_seen, found;
};

static bool same_code(struct text a, struct text b)
{
	bool same = a.len == b.len;

	for (size_t i = 0; same && i < a.len; i++)
		same = toupper((unsigned char)a.ptr[i]) == toupper((unsigned char)b.ptr[i]);
	return same;
}

static int on_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct search *s = ctx;

	if (count != FIELDS)
		return fault_set(f, "%s:%d: %zu fields instead of %d", s->name, (int)line,
		    count, FIELDS);
	if (!s->header_seen) {
		s->header_seen = true;
		return 0;
	}
	if (!same_code(field[COUNTRY], s->code) && !same_code(field[ALPHA3], s->code))
		return 0;
	if (!number_parse(field[G_PER_KWH], s->g_per_kwh) || *s->g_per_kwh < 0)
		return fault_set(f, "%s:%d: g_per_kwh is no number", s->name, (int)line);
	s->found = true;
	return 0;
}

int carbon_parse(
    const char *spec, struct text csv, const char *name, double *g_per_kwh, struct fault *f)
{
	struct search s = { .name = name, .code = text_of(spec), .g_per_kwh = g_per_kwh };
	struct sheet *sheet;
	int status;

	if (number_parse(s.code, g_per_kwh))
		return *g_per_kwh >= 0 ? 0 : fault_set(f, "'%s' is below 0", spec);
	sheet = sheet_open(on_record, &s);
	sheet_begin(sheet, name);
	status = sheet_feed(sheet, csv.ptr, csv.len, f);
	if (status == 0)
		status = sheet_end(sheet, f);
	sheet_close(sheet);
	if (status == 0 && !s.found)
		return fault_set(f,
		    "'%s' is neither a number of grams per kWh nor the code of a country "
		    "in %s",
		    spec, name);
	return status;
}
