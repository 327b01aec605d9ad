/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The characters for which this machine has a font; see fonts.h. Pango, with which gnuplot
 * draws strings, takes a character that the first font lacks from any other font that is
 * TrueType or OpenType, so the union of these fonts decides.
 */
#include <stdlib.h>
#include <string.h>

#include "plot/fonts.h"
#include "sys/process_run.h"
#include "text/display_width.h"

enum {
	CHARACTERS = 0x110000,
	QUOTED = 40, /* columns of a string in a message */
};

/* A set of characters: a bit for each. */
struct characters {
	uint8_t bits[CHARACTERS / 8];
};

static void characters_add(struct characters *set, unsigned long from, unsigned long to)
{
	for (unsigned long c = from; c <= to && c < CHARACTERS; c++)
		set->bits[c / 8] = (uint8_t)(set->bits[c / 8] | 1u << c % 8);
}

static bool characters_have(const struct characters *set, unsigned c)
{
	return set->bits[c / 8] >> c % 8 & 1;
}

/* Returns whether Pango draws with fonts of this format. */
static bool is_font_format(const char *name)
{
	return strcmp(name, "TrueType") == 0 || strcmp(name, "CFF") == 0;
}

/* Adds the characters of a font from a line such as "TrueType 20-7e a0-1a9 1ab". */
static void add_font(struct characters *set, char *line)
{
	char *rest = line, *word = strsep(&rest, " ");

	while (is_font_format(word) && rest) {
		char *range = strsep(&rest, " "), *end;
		unsigned long from = strtoul(range, &end, 16), to = from;

		if (end == range)
			continue;
		if (*end == '-')
			to = strtoul(end + 1, NULL, 16);
		characters_add(set, from, to);
	}
}

/* Lists the fonts, a line for each. Returns false if fc-list(1) cannot. */
static bool list_fonts(struct buf *list)
{
	static char name[] = "fc-list", format[] = "--format",
	            line[] = "%{fontformat} %{charset}\n";
	char *const argv[] = { name, format, line, NULL };
	struct process_run fonts;
	struct buf errors = { 0 };
	struct fault why;
	bool listed = process_run_start(&fonts, argv, PROCESS_NULL, &why) == 0 &&
	              process_run_wait(&fonts, list, &errors, &why) == 0;

	buf_free(&errors);
	return listed;
}

/* Returns the first character that needs a glyph and is not in the set, or 0. */
static unsigned first_missing(const struct characters *set, struct text t)
{
	while (t.len) {
		unsigned c = display_glyph(t);
		size_t bytes = display_char(t).bytes;

		if (c && !characters_have(set, c))
			return c;
		t = text_after(t, bytes);
	}
	return 0;
}

/* Returns the text in a line of a data block: all after a mark, or inside quotes. */
static struct text drawn_text(struct text line)
{
	const char *quote = memchr(line.ptr, '"', line.len);

	if (*line.ptr == '>')
		return text_after(line, 1);
	if (quote)
		return (
		    struct text){ quote + 1, (size_t)(line.ptr + line.len - quote) - 2 };
	return line;
}

static int refuse_character(unsigned c, struct text t, struct fault *f)
{
	return fault_set(f,
	    "no installed font has the character U+%04X of '%.*s': install one (Debian: "
	    "fonts-noto-core, fonts-noto-cjk), or write an SVG",
	    c, (int)display_prefix(t, QUOTED), t.ptr);
}

/* Checks the lines of the data blocks. Returns 0, or -1 and the message. */
static int check_blocks(const struct characters *set, struct text script, struct fault *f)
{
	static const char begin[] = " << EOD";
	const size_t mark = sizeof(begin) - 1;
	bool inside = false;

	while (script.len) {
		const char *end = memchr(script.ptr, '\n', script.len);
		struct text line = { script.ptr,
			end ? (size_t)(end - script.ptr) : script.len };
		unsigned c = inside ? first_missing(set, line) : 0;

		if (c)
			return refuse_character(c, drawn_text(line), f);
		if (inside)
			inside = !text_is(line, "EOD");
		else
			inside = line.len > mark &&
			         memcmp(line.ptr + line.len - mark, begin, mark) == 0;
		script.ptr += line.len + (end != NULL);
		script.len -= line.len + (end != NULL);
	}
	return 0;
}

int fonts_check(struct text script, struct fault *f)
{
	struct characters *set = mem_zero(1, sizeof(*set));
	struct buf list = { 0 };
	bool listed = list_fonts(&list);
	int status = 0;

	for (char *rest = list.ptr, *font; (font = strsep(&rest, "\n"));)
		add_font(set, font);
	if (listed && !characters_have(set, 'a'))
		status = fault_set(f, "no installed font has letters: install one (Debian: "
		                      "fonts-dejavu-core), or write an SVG");
	else if (listed)
		status = check_blocks(set, script, f);
	free(set);
	buf_free(&list);
	return status;
}
