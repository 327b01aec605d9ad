/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of quantiles; see quantile_name.h.
 */
#include <math.h>
#include <string.h>

#include "stats/quantile_name.h"
#include "stats/stats.h"

const char *const quantile_endings[] = {
	[QUANTILE_AT] = "",
	[QUANTILE_LO] = "_lo",
	[QUANTILE_HI] = "_hi",
	[QUANTILE_NEEDED] = "_needed",
};

enum { DIGITS_MOST = 15 };

/* Parses "p99.5" into 0.995. A quotient of integers is rounded once, like a literal. More
 * than two digits without a point would be a percentage of more than 100. */
static bool parse_percentage(struct text name, double *p)
{
	double digits = 0, scale = 100;
	size_t before = 0, after = 0;
	bool point = false;

	if (name.len < 2 || name.ptr[0] != 'p' || name.len > DIGITS_MOST)
		return false;
	for (size_t i = 1; i < name.len; i++) {
		char c = name.ptr[i];

		if (c == '.' && !point) {
			point = true;
			continue;
		}
		if (c < '0' || c > '9')
			return false;
		digits = digits * 10 + (c - '0');
		scale *= point ? 10 : 1;
		before += !point;
		after += point;
	}
	*p = digits / scale;
	return before >= 1 && before <= 2 && (after || !point) && *p > 0;
}

bool quantile_name_parse(struct text name, struct quantile_name *out)
{
	struct text base = name;
	const struct statistic *s;

	out->part = QUANTILE_AT;
	for (size_t i = QUANTILE_LO; i < COUNT(quantile_endings); i++) {
		size_t len = strlen(quantile_endings[i]);

		if (name.len > len &&
		    memcmp(name.ptr + name.len - len, quantile_endings[i], len) == 0) {
			out->part = (enum quantile_part)i;
			base.len = name.len - len;
		}
	}
	s = statistic_find(base);
	if (!s)
		return parse_percentage(base, &out->p);
	out->p = s->prob;
	return s->kind == STATISTIC_QUANTILE && s->prob > 0 && s->prob < 1;
}

double quantile_part_of(const struct quantile_interval *interval, enum quantile_part part)
{
	const double of[] = { [QUANTILE_AT] = NAN,
		[QUANTILE_LO] = interval->lo,
		[QUANTILE_HI] = interval->hi,
		[QUANTILE_NEEDED] = interval->needed };

	return of[part];
}
