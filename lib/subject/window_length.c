/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The length of windows; see window_length.h.
 */
#include <stdio.h>

#include "subject/window_length.h"

static const double window_least_ns = 1e6, window_most_ns = 86400e9;

int window_length_add(struct template *t, double window_ns, struct fault *f)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	char text[40];
	size_t i = 0;

	if (!(window_ns >= window_least_ns && window_ns <= window_most_ns))
		return fault_set(f, "--window must be from 1ms to 24 hours");
	while (i + 1 < COUNT(units) &&
	       (window_ns < units[i].ns || (uint64_t)window_ns % (uint64_t)units[i].ns))
		i++;
	snprintf(text, sizeof(text), "%.0f%s", window_ns / units[i].ns, units[i].unit);
	template_add_factor(t, WINDOW_COLUMN, text, false);
	return 0;
}
