/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The recognition of processor times in clock ticks.
 */
#include "compare/clock_ticks.h"
#include "tests/lib/tap.h"

static void test_values(void)
{
	static const struct {
		const char *what;
		double value[5];
		size_t count;
		bool counted;
	} cases[] = {
		{ "multiples of 4 ms", { 4e6, 12e6, 8e6 }, 3, true },
		{ "multiples of 10 ms", { 10e6, 30e6 }, 2, true },
		{ "multiples of neither 4 nor 10 ms", { 4e6, 10e6 }, 2, false },
		{ "other times", { 7416000, 7520000, 7431000 }, 3, false },
		{ "other times, of which a quarter is 0", { 0, 7416000, 1, 1 }, 4, true },
		{ "other times, of which a fifth is 0", { 0, 7416000, 1, 1, 1 }, 5, false },
		{ "only 0", { 0, 0 }, 2, false },
		{ "no values", { 0 }, 0, false },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct clock_ticks all = CLOCK_TICKS_NONE, one = CLOCK_TICKS_NONE;

		clock_ticks_add(&all, cases[i].value, cases[i].count);
		for (size_t k = 0; k < cases[i].count; k++)
			clock_ticks_add(&one, &cases[i].value[k], 1);
		tap_ok(clock_ticks_counted(&all) == cases[i].counted &&
		           clock_ticks_counted(&one) == cases[i].counted,
		    "%s are %srecognized as clock ticks", cases[i].what,
		    cases[i].counted ? "" : "not ");
	}
}

int main(void)
{
	test_values();
	tap_ok(clock_ticks_metric(TEXT("user"), TEXT("ns")) &&
	           clock_ticks_metric(TEXT("sys"), TEXT("ns")),
	    "user and sys in ns may be counted in clock ticks");
	tap_ok(!clock_ticks_metric(TEXT("wall"), TEXT("ns")) &&
	           !clock_ticks_metric(TEXT("sys"), TEXT("s")),
	    "wall and other units are not counted in clock ticks");
	return tap_end();
}
