/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of a metric; see unit_value.h.
 */
#include <stdlib.h>
#include <string.h>

#include "text/unit_value.h"
#include "text/units.h"

static const struct {
	const char *name;
	double ns;
} unit_times[] = { { "ns", 1 }, { "us", 1e3 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };

static int unit_duration(const char *s, double ns, double *out, struct fault *f)
{
	double value;

	if (number_parse(text_of(s), &value) && value != 0)
		return fault_set(
		    f, "'%s' has no unit of time (write, for example, %sms)", s, s);
	if (units_duration_ns(s, &value, f) < 0)
		return -1;
	*out = value / ns;
	return 0;
}

/* Cuts the suffix and the spaces before it from a string. Returns whether it was there. */
static bool unit_cut(char *s, const char *suffix)
{
	size_t len = strlen(s), of = strlen(suffix);

	if (!of || len <= of || strcmp(s + len - of, suffix) != 0)
		return false;
	for (len -= of; len && s[len - 1] == ' ';)
		len--;
	s[len] = '\0';
	return true;
}

static int unit_other(char *s, const char *unit, double *out, struct fault *f)
{
	bool plain = !*unit || strcmp(unit, "1") == 0;

	if (plain && strchr(s, '%'))
		return units_percent(s, out, f);
	if (strcmp(unit, "B") == 0)
		return units_size_bytes(s, out, f);
	if (strcmp(unit, "B/s") == 0) {
		unit_cut(s, "/s");
		return units_size_bytes(s, out, f);
	}
	if (!plain && !unit_cut(s, unit) && strncmp(unit, "1/", 2) == 0)
		unit_cut(s, unit + 1);
	return units_number(s, out, f);
}

int unit_value_parse(const char *s, const char *unit, double *out, struct fault *f)
{
	char *copy;
	int status;

	for (size_t i = 0; i < COUNT(unit_times); i++)
		if (strcmp(unit, unit_times[i].name) == 0)
			return unit_duration(s, unit_times[i].ns, out, f);
	copy = str_copy(s);
	status = unit_other(copy, unit, out, f);
	free(copy);
	return status;
}
