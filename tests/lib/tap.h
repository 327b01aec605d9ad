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
#include <strings.h>

static int tap_tests, tap_failures;

/* Whether this is the build with sanitizers, which make programs ten times as slow. */
#ifdef __SANITIZE_ADDRESS__
#define TAP_SANITIZED 1
#else
#define TAP_SANITIZED 0
#endif

/* How often to repeat a random case whose answers a plain build judges n times. Sanitizers look
 * at the memory that the cases use instead of their answers. */
#define TAP_ROUNDS(n) (TAP_SANITIZED ? (n) / 10 : (n))

/* Returns whether a description can be a sentence that makes sense alone. The same rule is
 * in tap.sh. */
static inline bool tap_makes_sense(const char *what)
{
	static const char *const not_first[] = { "and", "but", "so", "nor", "or", "with",
		"without", "also", "too", "likewise", "then" };
	size_t first = strcspn(what, " "), words = 0;

	for (size_t i = 0; i < sizeof(not_first) / sizeof(*not_first); i++)
		if (strlen(not_first[i]) == first &&
		    strncasecmp(what, not_first[i], first) == 0)
			return false;
	for (const char *at = what; *at && words < 3; words++) {
		at += strspn(at, " ");
		words -= !*at;
		at += strcspn(at, " ");
	}
	return words == 3;
}

/* Reports a case. A description that makes no sense alone fails. Returns fine. */
__attribute__((format(printf, 2, 3))) static inline bool tap_ok(
    bool fine, const char *what, ...)
{
	char name[1024];
	bool passes;
	va_list ap;

	va_start(ap, what);
	vsnprintf(name, sizeof(name), what, ap);
	va_end(ap);
	passes = fine && tap_makes_sense(name);
	printf("%s %d - %s\n", passes ? "ok" : "not ok", ++tap_tests, name);
	if (fine && !passes)
		puts("# the description is no sentence that makes sense alone (three words "
		     "or more; not And, But, With ...)");
	tap_failures += !passes;
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
