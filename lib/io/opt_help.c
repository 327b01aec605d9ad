/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints --help; see opt_priv.h.
 */
#include <stdio.h>
#include <string.h>

#include "io/opt_priv.h"

enum { HELP_WIDTH = 80, HELP_INDENT = 31 };

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
