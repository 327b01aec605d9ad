/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short forms of commits, times and UUIDs.
 */
#include <stdlib.h>

#include "tests/lib/tap.h"
#include "text/short_form.h"

enum { TEXTS_MAX = 4 };

static const struct {
	const char *text[TEXTS_MAX], *want[TEXTS_MAX]; /* want "": unchanged */
	const char *what;
} cases[] = {
	{ { "0123456789abcdef0123456789abcdef01234567" }, { "0123456789" },
	    "a commit keeps its first 10 digits" },
	{ { "0123456789abcdef0123456789abcdef01234567",
	      "0123456789abcdee0123456789abcdef01234567" },
	    { "0123456789abcdef", "0123456789abcdee" },
	    "commits that begin alike keep the digits that distinguish them" },
	{ { "0123456789abcdef0123456789abcdef01234567-dirty",
	      "0123456789abcdef0123456789abcdef01234567" },
	    { "0123456789-dirty", "0123456789" },
	    "a commit keeps what follows its digits" },
	{ { "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" },
	    { "0123456789" }, "a commit of SHA-256 keeps its first 10 digits" },
	{ { "0123456789abcdef0123456789abcdef0123456", "v1.2-14-g0123456", "deadbeef" },
	    { "", "", "" }, "texts that are no full commits are unchanged" },
	{ { "0123456789abcdef0123456789abcdef01234567x" }, { "" },
	    "a name that begins with the digits of a commit is unchanged" },
	{ { "01890a5d-ac96-774b-bcce-b302099a8057" }, { "01890a5d" },
	    "a UUID keeps its first 8 digits" },
	{ { "01890a5d-ac96-774b-bcce-b302099a8057",
	      "01890a5d-ac97-774b-bcce-b302099a8057" },
	    { "01890a5d-ac96", "01890a5d-ac97" },
	    "UUIDs of one minute keep the digits that distinguish them" },
	{ { "2026-11-23T13:27:59.123456789Z" }, { "2026-11-23 13:27Z" },
	    "a time ends with the minute" },
	{ { "2026-11-23T13:27:59+02:00" }, { "2026-11-23 11:27Z" },
	    "a time of another zone is shown in UTC" },
	{ { "2026-11-23T13:27:59Z", "2026-11-23T13:27:01Z" },
	    { "2026-11-23 13:27:59Z", "2026-11-23 13:27:01Z" },
	    "times of one minute end with the second" },
	{ { "2026-11-23T13:27:59.1Z", "2026-11-23T13:27:59.212345678Z" },
	    { "2026-11-23 13:27:59.100Z", "2026-11-23 13:27:59.212Z" },
	    "times of one second end with the millisecond" },
	{ { "2026-11-23T13:27:59.1234561Z", "2026-11-23T13:27:59.123457Z" },
	    { "2026-11-23 13:27:59.123456Z", "2026-11-23 13:27:59.123457Z" },
	    "times of one millisecond end with the microsecond" },
	{ { "2026-11-23T13:27:59.1234561Z", "2026-11-23T13:27:59.1234562Z" }, { "", "" },
	    "times of one microsecond are unchanged" },
	{ { "2026-11-23", "2026-11-23T13:27", "20261123132759000" }, { "", "", "" },
	    "dates and numbers are unchanged" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct intern texts = { 0 };
		char **shorter;
		bool right = true;

		for (size_t k = 0; k < TEXTS_MAX && cases[i].text[k]; k++)
			intern_add(&texts, text_of(cases[i].text[k]));
		shorter = short_forms(&texts);
		for (size_t k = 0; k < texts.count; k++) {
			const char *got = shorter[k] ? shorter[k] : "";

			right &= strcmp(got, cases[i].want[k]) == 0;
			if (!right)
				printf("# got '%s', want '%s'\n", got, cases[i].want[k]);
			free(shorter[k]);
		}
		tap_ok(right, "%s", cases[i].what);
		free(shorter);
		intern_free(&texts);
	}
	return tap_end();
}
