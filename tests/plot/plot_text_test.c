/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests texts in the scripts of plots: long and wide names, and texts that look like
 * commands.
 */
#include <string.h>

#include "plot/layout_priv.h"
#include "plots.h"

/* Long names and wide characters. */
static void test_names(void)
{
	static const char *const wide[] = { "80386bad00bad40badc0de4804848abababababa",
		"WWWWWWWWWWWWWWWWWWWWWWWWWWWW" };
	struct buf b = { 0 };
	const char *names[3] = { 0 };
	size_t count = 0;
	char *d;

	buf_str(&b, "bench,metric,unit,value\n");
	for (int i = 0; i < 3; i++)
		buf_printf(&b,
		    "cat /a/very/long/path/that/all/of/these/commands/have/in/common | "
		    "sort -k%d "
		    "/a/very/long/path/that/all/of/these/commands/have/in/"
		    "common,wall,ns,%d\n",
		    i, i + 1);
	d = draw("bar", &b, (struct request){ 0 });
	for (const char *at = d; (at = strstr(at, "\n>cat")); at++)
		if (count < 3)
			names[count++] = at + 2;
	for (size_t i = 0; i < count; i++)
		tap_ok(strcspn(names[i], "\n") <= 60, "a long name is cut (%.*s)",
		    (int)strcspn(names[i], "\n"), names[i]);
	tap_ok(count == 3 &&
	           strncmp(names[0], names[1], strcspn(names[0], "\n") + 1) != 0 &&
	           strncmp(names[1], names[2], strcspn(names[1], "\n") + 1) != 0 &&
	           strncmp(names[0], names[2], strcspn(names[0], "\n") + 1) != 0,
	    "names that differ in their middle still differ when cut");
	free(d);
	for (size_t i = 0; i < COUNT(wide); i++) {
		b.len = 0;
		buf_printf(&b, "bench,metric,value\n%s,x,1\nb,x,2\n", wide[i]);
		d = draw("bar", &b, (struct request){ 0 });
		tap_ok(
		    value_of(d, "left") * 800 > 340, "%s has room in the margin", wide[i]);
		free(d);
	}
	buf_free(&b);
}

/* A renderer that places glyphs on whole pixels rounds the width of each. */
static void test_rounded_widths(void)
{
	static const struct {
		char letter;
		double pixels;
	} cases[] = { { 'i', 4 }, { 'x', 8 }, { 't', 5.2 }, { 'm', 13 }, { '1', 8.27 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[41] = { 0 };

		memset(text, cases[i].letter, sizeof(text) - 1);
		double width =
		    layout_columns(text, true) * LAYOUT_FONT * 0.6 / (sizeof(text) - 1);

		tap_ok(width >= cases[i].pixels * 0.98 && width < cases[i].pixels * 1.02,
		    "the letter %c has a width of %g pixels (%.2f)", cases[i].letter,
		    cases[i].pixels, width);
	}
}

static const char *const hostile[] = { "`touch pwned`", "\"; system(\"touch pwned\"); \"",
	"'; system('touch pwned'); '", "''`touch pwned`''", "@title @run '@title",
	"' @title \"", "{/Bold x}^2_3", "<b>&amp;</b>", "$said[1] $points", "EOD", "\\",
	"a\\nb", "100% %d %s %n", "#no comment", "\u00e9 \u00b5 \u2026",
	"\033[31mred\033" };

static void put_field(struct buf *b, const char *text)
{
	buf_byte(b, '"');
	for (; *text; text++) {
		if (*text == '"')
			buf_byte(b, '"');
		buf_byte(b, *text);
	}
	buf_byte(b, '"');
}

/* Returns rows of two subjects with a quoted text in every column that may contain it. */
static struct buf rows_of(const char *text)
{
	struct buf b = { 0 }, q = { 0 };

	put_field(&q, text);
	buf_printf(&b, "x,host,env,commit,kind,bench,%s,sample,metric,unit,value\n", q.ptr);
	for (int s = 1; s <= 8; s++) {
		buf_printf(&b, "1,%s,%s,%s,%s,%s,%s,%d,%s,%s,%d\n", q.ptr, q.ptr, q.ptr,
		    q.ptr, q.ptr, q.ptr, s, q.ptr, q.ptr, 100 + s);
		buf_printf(&b, "1000,%s,%s,%s,%s,other,other,%d,%s,%s,%d\n", q.ptr, q.ptr,
		    q.ptr, q.ptr, s, q.ptr, q.ptr, 100000 + s);
	}
	buf_free(&q);
	return b;
}

/* Returns whether the block of texts is intact: each line has its mark, and commands follow
 * the end of the block.
 */
static bool is_one_block(const char *script)
{
	const char *at = strstr(script, "\n$said << EOD\n");

	for (at = at ? at + strlen("\n$said << EOD\n") : ""; *at == '>';)
		at += strcspn(at, "\n") + 1;
	return strncmp(at, "EOD\nsaid(i) = $said[i][2:*]\n", 28) == 0 && !strstr(at, "\n>");
}

/* Returns whether a word is in a line that is no text. */
static bool in_command(const char *script, const char *word)
{
	for (const char *at = script; (at = strstr(at, word)); at++) {
		const char *line = at;

		while (line > script && line[-1] != '\n')
			line--;
		if (*line != '>')
			return true;
	}
	return false;
}

static bool has_controls(const char *script)
{
	for (; *script; script++)
		if ((unsigned char)*script < ' ' && *script != '\n')
			return true;
	return false;
}

static void test_hostile_text(const char *kind, const char *format, const char *text)
{
	char *marked = str_format("%sQz9", text);
	struct buf plain = rows_of(text), found = rows_of(marked);
	struct request r = { .title = text, .format = format };
	char *d, *e;
	bool shown;

	r.x = strcmp(kind, "line") == 0 ? "x" : NULL;
	d = draw(kind, &plain, r);
	r.title = marked;
	e = draw(kind, &found, r);
	shown = strstr(text, "\033") ? says(d, "\\x1b[31mred\\x1b") : says(d, text);
	if (!tap_ok(shown && is_one_block(d) && is_one_block(e) && strstr(e, "Qz9") &&
	                !in_command(e, "Qz9") && !has_controls(d),
	        "%s as %s: '%s' is text everywhere", kind, format,
	        text[0] == 033 ? "ESC" : text))
		printf("# %.2000s\n", d);
	free(d);
	free(e);
	free(marked);
	buf_free(&plain);
	buf_free(&found);
}

static void test_hostile(void)
{
	static const char *const kinds[] = { "bar", "box", "strip", "hist", "ecdf", "quantiles", "heat",
		"line" };
	static const char *const formats[] = { "svg", "txt" };

	for (size_t k = 0; k < COUNT(kinds); k++)
		for (size_t i = 0; i < COUNT(hostile); i++)
			for (size_t f = 0; f < COUNT(formats); f++)
				test_hostile_text(kinds[k], formats[f], hostile[i]);
}

int main(void)
{
	if (!plots_begin())
		return 1;
	test_names();
	test_rounded_widths();
	test_hostile();
	plots_end();
	return tap_end();
}
