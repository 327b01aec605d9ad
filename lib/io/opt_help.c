/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints --help; see opt_priv.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/opt_priv.h"
#include "io/terminal.h"

enum {
	WIDTH_USUAL = 80,
	WIDTH_LEAST = 24,  /* a narrower terminal breaks lines itself */
	WIDTH_BESIDE = 60, /* from here on, the help of an option is next to its name */
	INDENT_BESIDE = 31,
	INDENT_BELOW = 8
};

/* Returns the columns of the help: those of the terminal, at most 80. */
static size_t help_width(void)
{
	size_t columns = terminal_size(STDOUT_FILENO).columns;

	return columns > WIDTH_USUAL   ? WIDTH_USUAL
	       : columns < WIDTH_LEAST ? WIDTH_LEAST
	                               : columns;
}

/*
 * Returns the length of the part of a string that fits into the room: up to the last space,
 * if possible one outside of brackets, or else up to the first space, or all of it.
 */
static size_t part_that_fits(const char *text, size_t room)
{
	size_t outside = 0, inside = 0, i;
	int depth = 0;

	if (strlen(text) <= room)
		return strlen(text);
	for (i = 0; text[i] && (i <= room || !inside); i++) {
		depth += (text[i] == '[') - (text[i] == ']');
		if (text[i] == ' ')
			inside = i;
		if (text[i] == ' ' && !depth)
			outside = i;
	}
	return outside ? outside : inside ? inside : i;
}

/* Prints a string from the present column on; its further lines begin at column indent. */
static void print_parts(const char *text, size_t present, size_t indent)
{
	const size_t width = help_width();
	size_t cut = part_that_fits(text, width > present ? width - present : 0);

	printf("%.*s\n", (int)cut, text);
	while (text[cut]) {
		text += cut + 1;
		cut = part_that_fits(text, width - indent);
		printf("%*s%.*s\n", (int)indent, "", (int)cut, text);
	}
}

void opt_print_usage(const char *name, const char *synopsis, bool first)
{
	static const char head[] = "usage: ";
	size_t indent = strlen(head) + strlen(name) + 1;

	printf("%*s%s ", (int)strlen(head), first ? head : "", name);
	print_parts(
	    synopsis, indent, help_width() < WIDTH_BESIDE ? strlen(head) + 1 : indent);
}

void opt_print_wrapped(const char *help, size_t indent)
{
	print_parts(help, indent, indent);
}

void opt_print_heading(const char *title)
{
	char *line = str_format("%s:", title);

	putchar('\n');
	opt_print_wrapped(line, 0);
	free(line);
}

void opt_print_option(const struct opt *o, const char *help)
{
	const size_t indent = help_width() < WIDTH_BESIDE ? INDENT_BELOW : INDENT_BESIDE;
	char left[64];

	snprintf(left, sizeof(left), "%c%c%s--%s%s%s", o->letter ? '-' : ' ',
	    o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
	    o->arg ? " " : "", o->arg ? o->arg : "");
	if (indent == INDENT_BELOW || strlen(left) >= INDENT_BESIDE - 3)
		printf("  %s\n%*s", left, (int)indent, "");
	else
		printf("  %-*s ", INDENT_BESIDE - 3, left);
	opt_print_wrapped(help, indent);
}
