/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines are split as the shell splits them, and joined.
 */
#include <stdlib.h>

#include "tests/lib/tap.h"
#include "text/shell_words.h"

static void test_split(void)
{
	static const struct {
		const char *line, *want; /* words between bars; NULL: refused */
	} cases[] = { { "a b  c", "a|b|c|" }, { " a\tb\n", "a|b|" },
		{ "'a b' \"c d\"", "a b|c d|" }, { "a'b'c\"d\"e", "abcde|" },
		{ "\\a\\ \\'b", "a 'b|" }, { "\"a\\\"b\\\\c\\d\"", "a\"b\\c\\d|" },
		{ "'' \"\"", "||" }, { "$HOME *.c `x` ~", "$HOME|*.c|`x`|~|" },
		{ "a\\\nb", "ab|" }, { "'a\\'", "a\\|" }, { "a#b #c", "a#b|#c|" },
		{ "'a", NULL }, { "\"a", NULL }, { "a\\", NULL }, { "", NULL },
		{ "  ", NULL } };
	struct fault f;

	for (size_t i = 0; i < COUNT(cases); i++) {
		char **words = shell_words_split(cases[i].line, &f);
		struct buf b = { 0 };

		for (size_t k = 0; words && words[k]; k++)
			buf_printf(&b, "%s|", words[k]);
		if (cases[i].want)
			tap_ok(strcmp(b.ptr, cases[i].want) == 0,
			    "line %zu is split as the shell splits it", i);
		else
			tap_ok(!words, "the line \"%s\" is rejected", cases[i].line);
		shell_words_free(words);
		buf_free(&b);
	}
}

static void test_join(void)
{
	char *const words[] = { "a", "b c", "", "d'e", "$f", "{n}", "-x=1", "g\nh", NULL };
	char *line = shell_words_join(words);
	struct fault f;
	char **back = shell_words_split(line, &f);
	bool same = back;

	tap_text(line, "a 'b c' '' 'd'\\''e' '$f' {n} -x=1 'g\nh'",
	    "shell_words_join quotes words where necessary");
	for (size_t i = 0; same && i < COUNT(words); i++)
		same = words[i] ? back[i] && strcmp(words[i], back[i]) == 0 : !back[i];
	tap_ok(same, "shell_words_split splits a joined line into the same words");
	shell_words_free(back);
	free(line);
}

static void test_fill(void)
{
	static const struct binding bindings[] = { { "n", "10" }, { "name", "{n}" } };
	static const char *const cases[][2] = { { "{n}", "10" }, { "a{n}b{n}", "a10b10" },
		{ "{x}", "{x}" }, { "{name}", "{n}" }, { "{n", "{n" }, { "{{n}}", "{10}" },
		{ "", "" }, { "{ n}", "{ n}" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		char *got = shell_words_fill(cases[i][0], bindings, COUNT(bindings));

		tap_ok(strcmp(got, cases[i][1]) == 0,
		    "shell_words_fill turns '%s' into '%s'", cases[i][0], got);
		free(got);
	}
}

int main(void)
{
	test_split();
	test_join();
	test_fill();
	return tap_end();
}
