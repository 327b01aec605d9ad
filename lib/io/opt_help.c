/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints --help; see opt_priv.h.
 */
#include <stdio.h>
#include <string.h>

#include "io/opt_priv.h"

enum { HELP_WIDTH = 80, HELP_INDENT = 31 };

/* Returns the length of the part of a synopsis that fits into the room: up to the last
 * space outside of brackets, or all of it. */
static size_t usage_part(const char *synopsis, size_t room)
{
	size_t cut = 0;
	int depth = 0;

	if (strlen(synopsis) <= room)
		return strlen(synopsis);
	for (size_t i = 0; i <= room; i++) {
		depth += (synopsis[i] == '[') - (synopsis[i] == ']');
		if (synopsis[i] == ' ' && !depth)
			cut = i;
	}
	return cut ? cut : strlen(synopsis);
}

void opt_print_usage(const char *name, const char *synopsis, bool first)
{
	static const char head[] = "usage: ";
	size_t indent = strlen(head) + strlen(name) + 1;
	size_t cut = usage_part(synopsis, HELP_WIDTH - indent);

	printf(
	    "%*s%s %.*s\n", (int)strlen(head), first ? head : "", name, (int)cut, synopsis);
	while (synopsis[cut]) {
		synopsis += cut + 1;
		cut = usage_part(synopsis, HELP_WIDTH - indent);
		printf("%*s%.*s\n", (int)indent, "", (int)cut, synopsis);
	}
}

void opt_print_wrapped(const char *help, size_t indent)
{
	while (strlen(help) > HELP_WIDTH - indent) {
		size_t cut = HELP_WIDTH - indent;

		while (cut > 0 && help[cut] != ' ')
			cut--;
		if (cut == 0)
			break;
		printf("%.*s\n%*s", (int)cut, help, (int)indent, "");
		help += cut + 1;
	}
	printf("%s\n", help);
}

void opt_print_option(const struct opt *o, const char *help)
{
	char left[64];

	snprintf(left, sizeof(left), "%c%c%s--%s%s%s", o->letter ? '-' : ' ',
	    o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
	    o->arg ? " " : "", o->arg ? o->arg : "");
	printf("  %-28s", left);
	if (strlen(left) >= HELP_INDENT - 3)
		printf("\n%*s", HELP_INDENT, "");
	else
		putchar(' ');
	opt_print_wrapped(help, HELP_INDENT);
}
