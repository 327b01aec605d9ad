/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TAP for tests in C: each case is one line; a failed comparison prints both texts.
 */
#ifndef TESTS_LIB_TAP_H
#define TESTS_LIB_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_tests, tap_failures;

__attribute__((format(printf, 2, 3))) static inline bool tap_ok(
    bool fine, const char *what, ...)
{
	va_list ap;

	printf("%s %d - ", fine ? "ok" : "not ok", ++tap_tests);
	va_start(ap, what);
	vprintf(what, ap);
	va_end(ap);
	putchar('\n');
	tap_failures += !fine;
	return fine;
}

static inline void tap_text(const char *got, const char *want, const char *what)
{
	if (!tap_ok(got && strcmp(got, want) == 0, "%s", what))
		printf("# got:  %s\n# want: %s\n", got ? got : "(none)", want);
}

/* Prints the plan at the end of main. Returns the exit status. */
static inline int tap_end(void)
{
	printf("1..%d\n", tap_tests);
	return tap_failures != 0;
}

#endif
