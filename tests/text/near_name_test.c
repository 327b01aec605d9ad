/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names that are near to a mistyped one, and the message about it.
 */
#include "tests/lib/tap.h"
#include "text/near_name.h"

static const char *const columns[] = { "run", "kind", "bench", "host", "backend", "model",
	"metric", "value", "block_in", "block_out", "max_rss" };

static struct known_names known_of(const char *const *name, size_t count)
{
	struct known_names known = { 0 };

	for (size_t i = 0; i < count; i++)
		known_names_add(&known, text_of(name[i]));
	return known;
}

/* Each mistake has the names that are nearest, and no others. */
static void test_near(void)
{
	static const struct {
		const char *typed, *want; /* names, each before a blank */
	} cases[] = { { "benhc", "bench " }, { "bnech", "bench " }, { "bench", "bench " },
		{ "Bench", "bench " }, { "mertic", "metric " }, { "modle", "model " },
		{ "valeu", "value " }, { "block", "block_in block_out " },
		{ "blcok_in", "block_in " }, { "rss", "max_rss " },
		{ "max_rss_bytes", "max_rss " }, { "hosst*", "host " }, { "rnu", "run " },
		{ "kindd", "kind " }, { "xyz", "" }, { "", "" }, { "*", "" },
		{ "ru", "run " }, { "r", "" }, { "\303\251\303\251", "" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct known_names known = known_of(columns, COUNT(columns));
		size_t near[NEAR_NAMES_MOST];
		size_t count = near_names(text_of(cases[i].typed), &known, near);
		struct buf b = { 0 };

		buf_str(&b, "");
		for (size_t n = 0; n < count; n++)
			buf_printf(&b, "%s ", columns[near[n]]);
		if (!tap_ok(strcmp(b.ptr, cases[i].want) == 0,
		        "the names near to '%s' are: %s", cases[i].typed, cases[i].want))
			printf("# got: %s\n", b.ptr);
		buf_free(&b);
		known_names_free(&known);
	}
}

static void test_long(void)
{
	char name[500];
	size_t near[NEAR_NAMES_MOST];
	struct known_names known = { 0 };

	memset(name, 'a', sizeof(name));
	known_names_add(&known, (struct text){ name, sizeof(name) });
	tap_ok(near_names((struct text){ name, sizeof(name) }, &known, near) == 0,
	    "a name of 500 bytes is near to no name");
	known.name[0].len = 100;
	tap_ok(near_names((struct text){ name, 99 }, &known, near) == 1,
	    "a name of 99 bytes can be near to one of 100");
	tap_ok(near_names((struct text){ name, 101 }, &known, near) == 0,
	    "a name of 101 bytes is near to no name");
	known_names_free(&known);
}

static void test_message(void)
{
	static const struct name_alias alias[] = { { "throughput", "value" } };
	static const char *const odd[] = { "gzip -1", "", "a'b" };
	static char many[200][32];
	struct known_names known;
	char name[300];
	struct fault f;

	known = known_of(columns, 3);
	unknown_name(&f, "-g: unknown column", TEXT("benhc"), &known);
	tap_text(f.text,
	    "-g: unknown column 'benhc'; did you mean bench? (there are: run, kind, bench)",
	    "the message about an unknown name has a near one, then all");
	known = known_of(columns, COUNT(columns));
	unknown_name(&f, "unknown column", TEXT("block"), &known);
	tap_ok(strstr(f.text, "; did you mean block_in or block_out? (") != NULL,
	    "two near names are joined by or: %s", f.text);
	known = known_of(columns, COUNT(columns));
	known.alias = alias, known.aliases = COUNT(alias);
	unknown_name(&f, "unknown column", TEXT("Throughput"), &known);
	tap_ok(strstr(f.text, "'Throughput'; did you mean value? (") != NULL,
	    "the name that another program uses is translated: %s", f.text);
	known = known_of(NULL, 0);
	known.advice = "see bench(7)";
	unknown_name(&f, "unknown run", TEXT("x"), &known);
	tap_text(f.text, "unknown run 'x' (there are: none; see bench(7))",
	    "the message says that there are no names");
	known = known_of(odd, COUNT(odd));
	unknown_name(&f, "unknown bench", TEXT("x"), &known);
	tap_text(f.text, "unknown bench 'x' (there are: 'gzip -1', '', 'a'b')",
	    "names with other characters than letters and digits are quoted");
	known = known_of(NULL, 0);
	for (size_t i = 0; i < COUNT(many); i++) {
		snprintf(many[i], sizeof(many[i]), "benchmark_%zu", i);
		known_names_add(&known, text_of(many[i]));
	}
	memset(name, 'x', sizeof(name));
	unknown_name(&f, "unknown bench", (struct text){ name, sizeof(name) }, &known);
	tap_ok(strlen(f.text) < 180 &&
	           strstr(f.text, "xxx...' (there are: benchmark_0, ") &&
	           strstr(f.text, " and 194 more)"),
	    "the message about 200 names and a long one is short: %s", f.text);
}

int main(void)
{
	test_near();
	test_long();
	test_message();
	return tap_end();
}
