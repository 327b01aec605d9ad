/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes what is suspicious about commands; see command_hints.h.
 */
#include <ctype.h>
#include <string.h>

#include "subject/command_hints.h"

/* Returns whether a dollar sign begins an expansion. */
static bool expands(const char *dollar)
{
	return isalpha((unsigned char)dollar[1]) ||
	       (dollar[1] && strchr("_{(?$!@*#0123456789", dollar[1]));
}

/* Returns the first character of a line that a shell would interpret, or NULL. */
static const char *find_special(const char *line)
{
	bool single = false, twofold = false;

	for (const char *p = line; *p; p++) {
		bool first = p == line || p[-1] == ' ' || p[-1] == '\t';

		if (*p == '\\' && !single) {
			p += p[1] != '\0';
			continue;
		}
		if (*p == '\'' && !twofold)
			single = !single;
		else if (*p == '"' && !single)
			twofold = !twofold;
		if (single)
			continue;
		if ((*p == '$' && expands(p)) || *p == '`')
			return p;
		if (!twofold && (strchr("|<>&;*", *p) || (*p == '~' && first)))
			return p;
	}
	return NULL;
}

bool command_hint_shell(const char *line, struct buf *notes)
{
	const char *special = find_special(line);

	if (!special)
		return false;
	buf_printf(notes,
	    "-c '%s': without a shell, '%c' has no special meaning; -S runs "
	    "the line with sh -c\n",
	    line, *special);
	return true;
}

const char *command_hint_line(char *const *words)
{
	if (!words || !words[0] || !strpbrk(words[0], " \t"))
		return "";
	if (words[1])
		return " (use -c before each command line)";
	return find_special(words[0]) ? " (use -S to run a line with the shell)"
	                              : " (use -c to run a command line)";
}

const char *command_hint_perf(const char *name)
{
	static const struct {
		const char *verb, *hint;
	} table[] = {
		{ "record", " (there is no verb: bench-prof COMMAND profiles a command)" },
		{ "report",
		    " (there is no verb: bench-prof --top COMMAND prints a report)" },
		{ "top", " (there is no verb: bench-prof --top COMMAND prints a report)" },
		{ "stat", " (use bench-run to count events)" },
	};

	for (size_t i = 0; i < COUNT(table); i++)
		if (strcmp(name, table[i].verb) == 0)
			return table[i].hint;
	return "";
}
