/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The length of windows; see window_length.h.
 */
#include <stdio.h>

#include "subject/window_length.h"

static const double window_least_ns = 1e6, window_most_ns = 86400e9;

double window_length_ns(const struct window_length *length)
{
	return length->command ? 0 : length->ns;
}

int window_length_add(
    struct template *t, const struct window_length *length, struct fault *f)
{
	const double window_ns = length->ns;

	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	char text[40];
	size_t i = 0;

	if (length->command) {
		template_add_command(t, length->command);
		template_add_factor(t, DURING_COLUMN, length->command->bench, false);
		return 0;
	}
	if (!(window_ns >= window_least_ns && window_ns <= window_most_ns))
		return fault_set(f, "--window must be from 1ms to 24 hours");
	while (i + 1 < COUNT(units) &&
	       (window_ns < units[i].ns || (uint64_t)window_ns % (uint64_t)units[i].ns))
		i++;
	snprintf(text, sizeof(text), "%.0f%s", window_ns / units[i].ns, units[i].unit);
	template_add_factor(t, WINDOW_COLUMN, text, false);
	return 0;
}
